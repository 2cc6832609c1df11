// Room:   AmberKeyed / Foundation. Foundation's simple values from their records, of either dialect.
// Takes:  the record that is being read, and its kind. Gives: the object, or what is wrong with the record.
// Touches: Foundation's public initializers. Never: its init(coder:), which traps on what it does not expect.

import AmberModel
import Foundation

extension UnarchivingCoder {
    /// Makes the object of the record that is being read.
    func read(_ kind: FoundationKind, _ type: AnyClass) throws(KeyedFailure) -> AnyObject {
        switch kind {
        case .string: return try text() as NSString
        case .mutableString: return NSMutableString(string: try text())
        case .data: return try contents() as NSData
        case .mutableData: return NSMutableData(data: try contents())
        case .number: return try number()
        case .decimalNumber: return try decimal()
        case .date:
            let seconds = try real("NS.time")
            guard seconds.isFinite else { throw failure(.malformed, "A date is not a number of seconds.") }
            return NSDate(timeIntervalSinceReferenceDate: seconds)
        case .null: return NSNull()
        case .uuid: return try uuid()
        case .url: return try url()
        case .indexSet: return NSIndexSet(indexSet: try indexes())
        case .mutableIndexSet:
            let set = NSMutableIndexSet()
            for range in try indexes().rangeView {
                set.add(in: NSRange(location: range.lowerBound, length: range.count))
            }
            return set
        case .indexPath: return try indexPath() as NSIndexPath
        case .value: return try geometry()
        case .attributedString: return NSAttributedString(attributedString: try attributed())
        case .mutableAttributedString: return try attributed()
        case .characterSet: return try characters() as NSCharacterSet
        case .mutableCharacterSet:
            // Where Foundation's mutable sets take no changes they can be made whole all the same.
            return NSMutableCharacterSet(bitmapRepresentation: try characters().bitmapRepresentation)
        case .array, .mutableArray, .dictionary, .mutableDictionary, .set, .mutableSet, .countedSet, .orderedSet,
            .mutableOrderedSet:
            throw failure(.malformed, "A collection is not read this way.")
        default: return try readRare(kind, type)
        }
    }

    // MARK: Fields

    /// An object of a class under one of our keys; nil if it is nil or missing.
    func field<T: NSObject>(_ key: String, _ type: T.Type) throws(KeyedFailure) -> T? {
        let object = try allowing([type]) { () throws(KeyedFailure) -> AnyObject? in
            try self.object(for: value(storedKey: key))
        }
        guard let object else { return nil }
        guard let typed = object as? T else {
            throw failure(.typeMismatch, "\(key) is no \(ClassNames.shown(type)).")
        }
        return typed
    }

    /// An object of a class under one of our keys, which must be there.
    func needed<T: NSObject>(_ key: String, _ type: T.Type) throws(KeyedFailure) -> T {
        guard let object = try field(key, type) else { throw failure(.malformed, "\(key) is missing.") }
        return object
    }

    /// Text under one of our keys: in the record itself or an object.
    func string(_ key: String) throws(KeyedFailure) -> String? {
        if case .string(let text)? = value(storedKey: key) { return text }
        return try field(key, NSString.self).map { $0 as String }
    }

    /// Bytes under one of our keys: in the record itself or an object.
    func data(_ key: String) throws(KeyedFailure) -> Data? {
        if case .data(let data)? = value(storedKey: key) { return data }
        return try field(key, NSData.self).map { $0 as Data }
    }

    /// A whole number under one of our keys: in the record itself or an object.
    func whole(_ key: String) throws(KeyedFailure) -> Int? {
        guard let stored = value(storedKey: key) else { return nil }
        if case .reference = stored { return try field(key, NSNumber.self)?.intValue }
        guard let number = stored.integerValue else {
            throw failure(.typeMismatch, "\(key) is \(stored.kindName), not a number.")
        }
        return Int(number)
    }

    /// A real under one of our keys, which must be there.
    func real(_ key: String) throws(KeyedFailure) -> Double {
        guard let stored = value(storedKey: key) else { throw failure(.malformed, "\(key) is missing.") }
        if case .reference = stored { return try needed(key, NSNumber.self).doubleValue }
        guard let number = stored.doubleValue else {
            throw failure(.typeMismatch, "\(key) is \(stored.kindName), not a number.")
        }
        return number
    }

    // MARK: Kinds

    private func text() throws(KeyedFailure) -> String {
        if let text = try string("NS.string") { return text }
        guard let bytes = try data("NS.bytes") else { throw failure(.malformed, "A string has no text.") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(.malformed, "A string is not well-formed UTF-8.")
        }
        return text
    }

    private func contents() throws(KeyedFailure) -> Data {
        if let data = try data("NS.data") { return data }
        return try data("NS.bytes") ?? Data()
    }

    private func number() throws(KeyedFailure) -> NSNumber {
        // Numbers are stored bare; coders of other programs give them a record with one of these keys.
        for key in ["NS.boolval", "NS.intval", "NS.dblval"] {
            guard let stored = value(storedKey: key) else { continue }
            if key == "NS.boolval", let bool = stored.integerValue { return NSNumber(value: bool != 0) }
            if let number = FoundationNumber.number(for: stored) { return number }
            throw failure(.typeMismatch, "\(key) is \(stored.kindName), not a number.")
        }
        throw failure(.malformed, "A number has no value.")
    }

    private func decimal() throws(KeyedFailure) -> NSDecimalNumber {
        let length = try whole("NS.length") ?? 0
        let exponent = try whole("NS.exponent") ?? 0
        let isNegative = (try whole("NS.negative") ?? 0) != 0
        guard (0...8).contains(length), (-128...127).contains(exponent) else {
            throw failure(.malformed, "A decimal number's length or exponent is out of range.")
        }
        if length == 0 { return isNegative ? NSDecimalNumber.notANumber : NSDecimalNumber.zero }
        let isBigEndian = try whole("NS.mantissa.bo") == 2
        guard let mantissa = try data("NS.mantissa"), mantissa.count >= length * 2 else {
            throw failure(.malformed, "A decimal number's mantissa is too short.")
        }
        let bytes = [UInt8](mantissa)
        var value = Decimal(0)
        for word in (0..<length).reversed() {
            let (first, second) = (UInt16(bytes[word * 2]), UInt16(bytes[word * 2 + 1]))
            value = value * 65_536 + Decimal(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        guard !value.isNaN else { throw failure(.malformed, "A decimal number's mantissa is too large.") }
        value = Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: value)
        return NSDecimalNumber(decimal: value)
    }

    private func uuid() throws(KeyedFailure) -> NSUUID {
        guard let data = try data("NS.uuidbytes"), data.count == 16 else {
            throw failure(.malformed, "A UUID does not have sixteen bytes.")
        }
        let b = [UInt8](data)
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )) as NSUUID
    }

    private func url() throws(KeyedFailure) -> NSURL {
        guard let relative = try string("NS.relative") else { throw failure(.malformed, "A URL has no text.") }
        let base = try field("NS.base", NSURL.self)
        // Only what Swift's URL takes: others end the process once anyone bridges them.
        guard let url = NSURL(string: relative, relativeTo: base.map { $0 as URL }),
            URL(string: relative) != nil, URL(string: url.absoluteString) != nil
        else {
            throw failure(.malformed, "\"\(relative.prefix(80))\" is no URL.")
        }
        return url
    }

    private func indexes() throws(KeyedFailure) -> IndexSet {
        let count = try whole("NSRangeCount") ?? 0
        var set = IndexSet()
        func add(_ location: Int, _ length: Int) throws(KeyedFailure) {
            let (end, overflow) = location.addingReportingOverflow(length)
            guard location >= 0, length >= 0, !overflow, end < Int.max else {
                throw failure(.malformed, "A range of an index set is out of bounds.")
            }
            if length > 0 { set.insert(integersIn: location..<end) }
        }
        if count == 1 {
            try add(try whole("NSLocation") ?? 0, try whole("NSLength") ?? 1)
        } else if count != 0 {
            guard let data = try data("NSRangeData"), let numbers = Varints.numbers(data), numbers.count % 2 == 0,
                numbers.count / 2 == count
            else { throw failure(.malformed, "An index set's ranges can't be read.") }
            for index in stride(from: 0, to: numbers.count, by: 2) { try add(numbers[index], numbers[index + 1]) }
        }
        return set
    }

    private func indexPath() throws(KeyedFailure) -> IndexPath {
        let length = try whole("NSIndexPathLength") ?? 0
        if length == 0 { return IndexPath() }
        if length == 1 { return IndexPath(index: try whole("NSIndexPathValue") ?? 0) }
        guard let data = try data("NSIndexPathData"), let numbers = Varints.numbers(data), numbers.count == length
        else {
            throw failure(.malformed, "An index path's indexes can't be read.")
        }
        return IndexPath(indexes: numbers)
    }

    private func geometry() throws(KeyedFailure) -> NSValue {
        func numbers(_ key: String, _ count: Int) throws(KeyedFailure) -> [Double] {
            guard let text = try string(key), let numbers = FoundationGeometry.numbers(text, count: count) else {
                throw failure(.malformed, "\(key) does not hold \(count) numbers.")
            }
            return numbers
        }
        switch try whole("NS.special") {
        case 1:
            let point = try numbers("NS.pointval", 2)
            return NSValue(point: NSPoint(x: point[0], y: point[1]))
        case 2:
            let size = try numbers("NS.sizeval", 2)
            return NSValue(size: NSSize(width: size[0], height: size[1]))
        case 3:
            let rect = try numbers("NS.rectval", 4)
            return NSValue(rect: NSRect(x: rect[0], y: rect[1], width: rect[2], height: rect[3]))
        case 4:
            let location = try whole("NS.rangeval.location") ?? 0
            let length = try whole("NS.rangeval.length") ?? 0
            guard location >= 0, length >= 0, !location.addingReportingOverflow(length).overflow else {
                throw failure(.malformed, "A range is out of bounds.")
            }
            return NSValue(range: NSRange(location: location, length: length))
        case 12:
            return NSValue(
                edgeInsets: NSEdgeInsets(
                    top: CGFloat(try real("NS.edgeval.top")), left: CGFloat(try real("NS.edgeval.left")),
                    bottom: CGFloat(try real("NS.edgeval.bottom")), right: CGFloat(try real("NS.edgeval.right"))))
        case nil:
            let code = try allowing([NSString.self]) { () throws(KeyedFailure) -> AnyObject? in
                try self.object(for: nextUnkeyed())
            }
            if let code = code as? String, let layout = OldStyleArray.Layout(code) {
                guard let array = decodeOldStyleArray(), array.elements.count == layout.count else {
                    throw failure ?? failure(.malformed, "A value's C array is not of the length that its type says.")
                }
                return FoundationGeometry.value(of: array.elements, layout.number)
            }
            guard let code = code as? String, let number = OldStyleArray.Number(code), let stored = nextUnkeyed(),
                stored.doubleValue != nil
            else { throw failure(.malformed, "A value is of a type that can't be read.") }
            return FoundationGeometry.value(of: stored, number)
        case let special?:
            throw failure(.malformed, "A value is of the special kind \(special), which is not known.")
        }
    }

    private func attributed() throws(KeyedFailure) -> NSMutableAttributedString {
        guard let text = try string("NSString") else { throw failure(.malformed, "An attributed string has no text.") }
        let string = NSMutableAttributedString(string: text)
        let allowed = (gates.last?.classes ?? []) + [NSDictionary.self, NSArray.self, NSString.self]
        let attributes = try allowing(allowed) { () throws(KeyedFailure) -> AnyObject? in
            try self.object(for: value(storedKey: "NSAttributes"))
        }
        func set(_ attributes: NSDictionary, _ range: NSRange) throws(KeyedFailure) {
            guard range.length > 0 else { return }
            let pairs = FoundationStorage.pairs(of: attributes)
            for (key, value) in zip(pairs.keys, pairs.values) {
                guard let name = key as? NSString else {
                    throw failure(.malformed, "An attribute's name is no string.")
                }
                string.addAttribute(NSAttributedString.Key(name as String), value: value, range: range)
            }
        }
        guard let info = try data("NSAttributeInfo") else {
            if let attributes = attributes as? NSDictionary {
                try set(attributes, NSRange(location: 0, length: string.length))
            } else if attributes != nil {
                throw failure(.malformed, "An attributed string's attributes are no dictionary.")
            }
            return string
        }
        guard let array = attributes as? NSArray, let runs = Varints.numbers(info), runs.count % 2 == 0 else {
            throw failure(.malformed, "An attributed string's runs can't be read.")
        }
        let list = FoundationStorage.objects(of: array)
        var position = 0
        for index in stride(from: 0, to: runs.count, by: 2) {
            guard runs[index] <= string.length - position, runs[index + 1] < list.count,
                let attributes = list[runs[index + 1]] as? NSDictionary
            else { throw failure(.malformed, "An attributed string's runs don't fit its text.") }
            try set(attributes, NSRange(location: position, length: runs[index]))
            position += runs[index]
        }
        guard position == string.length else {
            throw failure(.malformed, "An attributed string's runs don't cover its text.")
        }
        return string
    }
}
