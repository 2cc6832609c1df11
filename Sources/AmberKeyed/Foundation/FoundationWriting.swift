// Room:   AmberKeyed / Foundation. Foundation's containers and simple values as Apple's archiver writes them.
// Takes:  an object of a known kind. Gives: the entries of its record.
// Touches: the object, through its public methods.

import AmberModel
import Foundation

extension ArchivingCoder {
    /// Writes the entries of an object that is coded here into the record that is being written.
    func write(_ object: AnyObject, _ kind: FoundationKind) {
        switch (kind, object) {
        case (.array, let array as NSArray), (.mutableArray, let array as NSArray):
            putObjects(FoundationStorage.objects(of: array), "NS.objects")
        case (.dictionary, let dictionary as NSDictionary), (.mutableDictionary, let dictionary as NSDictionary):
            let pairs = FoundationStorage.pairs(of: dictionary)
            putObjects(pairs.keys, "NS.keys")
            putObjects(pairs.values, "NS.objects")
        case (.set, let set as NSSet), (.mutableSet, let set as NSSet):
            putObjects(FoundationStorage.objects(of: set), "NS.objects")
        case (.countedSet, let set as NSCountedSet):
            let counts = FoundationStorage.counts(of: set)
            frames[frames.count - 1].append(.integer(Int64(counts.count)), "NS.count")
            for (index, element) in counts.enumerated() {
                putIndexed(element.object, "NS.object\(index)")
                frames[frames.count - 1].append(.integer(Int64(element.count)), "NS.count\(index)")
            }
        case (.orderedSet, let set as NSOrderedSet), (.mutableOrderedSet, let set as NSOrderedSet):
            for (index, object) in FoundationStorage.objects(of: set).enumerated() {
                putIndexed(object, "NS.object.\(index)")
            }
        case (.mutableString, let string as NSString), (.string, let string as NSString):
            put(.string(string as String), "NS.string")
        case (.mutableData, let data as NSData), (.data, let data as NSData):
            put(.data(Data(referencing: data)), "NS.data")
        case (.date, let date as NSDate):
            put(.double(date.timeIntervalSinceReferenceDate), "NS.time")
        case (.null, _): break
        case (.uuid, let uuid as NSUUID):
            put(.data(uuidData(uuid as UUID)), "NS.uuidbytes")
        case (.url, let url as NSURL):
            put("NS.base", url.baseURL.map { $0 as NSURL })
            put("NS.relative", url.relativeString as NSString)
        case (.number, let number as NSNumber):
            // Only a subclass's instance gets here; a plain number has no record.
            put(FoundationNumber.value(of: number), "NS.intval")
        case (.decimalNumber, let number as NSDecimalNumber):
            write(number.decimalValue)
        case (.indexSet, let set as NSIndexSet), (.mutableIndexSet, let set as NSIndexSet):
            write(set)
        case (.indexPath, let path as NSIndexPath):
            let indexes = (0..<path.length).map { path.index(atPosition: $0) }
            put(.integer(Int64(indexes.count)), "NSIndexPathLength")
            if indexes.count == 1 { put(.integer(Int64(indexes[0])), "NSIndexPathValue") }
            if indexes.count > 1 { put("NSIndexPathData", Varints.data(indexes) as NSData) }
        case (.value, let value as NSValue):
            write(value)
        case (.attributedString, let string as NSAttributedString),
            (.mutableAttributedString, let string as NSAttributedString):
            write(string)
        case (.characterSet, let set as NSCharacterSet), (.mutableCharacterSet, let set as NSCharacterSet):
            put(.data(set.bitmapRepresentation), "NSBitmap")
        default:
            writeRare(object, kind)
        }
    }

    /// Writes an object under a key of ours.
    func put(_ key: String, _ object: Any?) {
        putObject(object, storedKey: key)
    }

    private func putIndexed(_ object: Any, _ key: String) {
        let number = reference(to: object, key: key)
        frames[frames.count - 1].append(.reference(number), key)
    }

    private func putObjects(_ objects: [AnyObject], _ key: String) {
        var numbers: [PlistValue] = []
        numbers.reserveCapacity(objects.count)
        for object in objects { numbers.append(.reference(reference(toObject: object, key: key))) }
        frames[frames.count - 1].append(.array(numbers), key)
    }

    private func write(_ decimal: Decimal) {
        let words = decimalWords(decimal)
        put(.integer(Int64(decimal.isNaN ? 0 : decimal.exponent)), "NS.exponent")
        put(.integer(Int64(words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)), "NS.length")
        put(.bool(decimal.isNaN || decimal.isSignMinus), "NS.negative")
        put(.bool(true), "NS.compact")
        put(.integer(1), "NS.mantissa.bo")
        put(.data(Data(words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })), "NS.mantissa")
    }

    /// The mantissa of a decimal: eight words, lowest first.
    private func decimalWords(_ decimal: Decimal) -> [UInt16] {
        if decimal.isNaN { return Array(repeating: 0, count: 8) }
        // Only the public digits are asked: the mantissa as a decimal integer, taken apart word by word.
        var words: [UInt16] = []
        var digits = Array(decimal.significand.description.utf8.filter { $0 >= 0x30 && $0 <= 0x39 }.map { $0 - 0x30 })
        for _ in 0..<8 {
            var remainder: UInt32 = 0
            for index in digits.indices {
                let value = remainder * 10 + UInt32(digits[index])
                digits[index] = UInt8(value / 65_536 % 10)
                remainder = value % 65_536
            }
            words.append(UInt16(remainder))
        }
        return words
    }

    private func write(_ set: NSIndexSet) {
        let ranges = (set as IndexSet).rangeView.map { (location: $0.lowerBound, length: $0.count) }
        put(.integer(Int64(ranges.count)), "NSRangeCount")
        if ranges.count == 1 {
            put(.integer(Int64(ranges[0].location)), "NSLocation")
            put(.integer(Int64(ranges[0].length)), "NSLength")
        } else if ranges.count > 1 {
            put("NSRangeData", Varints.data(ranges.flatMap { [$0.location, $0.length] }) as NSData)
        }
    }

    private func write(_ string: NSAttributedString) {
        put("NSString", string.string as NSString)
        guard let runs = AttributeRuns.runs(of: string) else {
            return fail(.codingFailed, "An attributed string has an empty run.")
        }
        if runs.count == 1, runs[0].attributes.count > 0 {
            put("NSAttributes", runs[0].attributes)
        } else if runs.count > 1 {
            var distinct: [NSDictionary] = []
            var places: [NSDictionary: [Int]] = [:]
            var numbers: [Int] = []
            for run in runs {
                // Equal attributes may still be other objects, or numbers of other kinds.
                let alike = places[run.attributes, default: []].prefix(8)
                let place = alike.first { isSame(distinct[$0], run.attributes) } ?? distinct.count
                if place == distinct.count {
                    distinct.append(run.attributes)
                    places[run.attributes, default: []].append(place)
                }
                numbers += [run.length, place]
            }
            put("NSAttributes", NSArray(array: distinct))
            put("NSAttributeInfo", Varints.data(numbers) as NSData)
        }
    }

    /// Whether two dictionaries hold the very same objects, or values without identity that are the same.
    private func isSame(_ left: NSDictionary, _ right: NSDictionary) -> Bool {
        let pairs = FoundationStorage.pairs(of: left)
        guard pairs.keys.count == right.count else { return false }
        let others = FoundationStorage.pairs(of: right)
        for (key, value) in zip(pairs.keys, pairs.values) {
            guard let place = others.keys.firstIndex(where: { ($0 as? NSObject)?.isEqual(key) ?? false }) else {
                return false
            }
            let object = others.values[place]
            if object === value { continue }
            guard let one = bareValue(of: value), let two = bareValue(of: object) else { return false }
            switch (one, two) {
            case (.string(let one), .string(let two)) where hasSameBytes(one, two): continue
            case (.bool(let one), .bool(let two)) where one == two: continue
            default:
                guard let one = ExactNumber(one), one == ExactNumber(two) else { return false }
            }
        }
        return true
    }

    private func uuidData(_ uuid: UUID) -> Data {
        let bytes = uuid.uuid
        return Data([
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9, bytes.10,
            bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ])
    }

    /// Writes an object of an unknown class as it was read.
    func write(_ object: ArchivedObject) {
        for (key, value) in object.values { put(plistValue(value, key), storedKey: key) }
    }

    func plistValue(_ value: ArchivedObject.Value, _ key: String) -> PlistValue {
        switch value {
        case .object(let object): .reference(reference(to: object, key: key))
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .data(let value): .data(value)
        case .string(let value): .string(value)
        case .date(let value): .date(value.timeIntervalSinceReferenceDate)
        case .list(let values): .array(values.map { plistValue($0, key) })
        case .dictionary(let pairs):
            .dictionary(PlistDictionary(pairs.map { .init(key: $0.key, value: plistValue($0.value, key)) }))
        }
    }
}
