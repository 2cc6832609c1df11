// Room:   AmberModel / Foreign. Foreign objects as records that every coder can archive: a class's name and properties.
// Takes:  an object. Gives: the dynamic object that stands for it, the same one each time.
// Touches: the object, through its own coding methods or Foundation's public ones.
//
// Nothing recurses from object to object: a record refers to the objects that it names, which get records of their own
// when the coder that walks the graph asks for them.

internal import Foundation

/// Makes the records of one encoding.
package final class ForeignWriter {
    private var standIns: [ObjectIdentifier: AnyObject?] = [:]
    /// Objects whose addresses must not be used twice while the encoding lasts.
    private var held: [AnyObject] = []
    private let isDeterministic: Bool

    /// Makes a writer.
    package init(isDeterministic: Bool = false) { self.isDeterministic = isDeterministic }

    /// What is archived in an object's place: its record; a model as it is; `nil` if the object asks for nothing.
    package func standIn(for object: AnyObject) throws(EncodingFailure) -> AnyObject? {
        if type(of: object) is any ModelProtocol.Type { return object }
        if let known = standIns[ObjectIdentifier(object)] { return known }
        held.append(object)
        let result: AnyObject?
        let form = ForeignForm.form(for: object)
        if form == nil, let replaced = replacement(of: object), replaced !== object {
            result = try record(of: replaced)
        } else if form == nil, replacement(of: object) == nil {
            result = nil
        } else {
            result = try record(of: object)
        }
        standIns[ObjectIdentifier(object)] = .some(result)
        return result
    }

    /// What is archived in an object's place, if anything else has asked for it so far.
    package func knownStandIn(for object: AnyObject) -> AnyObject? {
        if type(of: object) is any ModelProtocol.Type { return object }
        return standIns[ObjectIdentifier(object)] ?? nil
    }

    private var replacements: [ObjectIdentifier: AnyObject?] = [:]

    private func replacement(of object: AnyObject) -> AnyObject? {
        if let known = replacements[ObjectIdentifier(object)] { return known }
        var result: AnyObject? = object
        if let object = object as? NSObject {
            result = object.replacementObject(for: RecordingCoder(self)).map { $0 as AnyObject }
        }
        if let result { held.append(result) }
        replacements[ObjectIdentifier(object)] = .some(result)
        return result
    }

    private func record(of object: AnyObject) throws(EncodingFailure) -> AnyObject {
        let type: AnyClass = type(of: object)
        if type is any ModelProtocol.Type { return object }
        if let known = standIns[ObjectIdentifier(object)], let known { return known }
        let record = DynamicObject()
        if let form = ForeignForm.form(for: object) {
            record.className = form.name
            do { record.values = ArchivedValues(try form.write(object, self)) } catch {
                throw EncodingFailure(.unsupportedType, at: CodingPath([.property(form.name)]), "\(error)")
            }
        } else {
            try encode(object, type, record)
        }
        standIns[ObjectIdentifier(object)] = .some(record)
        return record
    }

    /// Lets an object tell what it consists of.
    private func encode(_ object: AnyObject, _ type: AnyClass, _ record: DynamicObject) throws(EncodingFailure) {
        let named: AnyClass = (object as? NSObject)?.classForCoder ?? type
        record.className = ForeignClasses.name(of: named)
        let place = CodingPath([.property(record.className)])
        guard let coding = object as? any NSCoding else {
            throw EncodingFailure(
                .unsupportedType, at: place,
                "\(record.className) can't be archived. Make it a Model or Codable, or let it adopt NSCoding.")
        }
        if ForeignClasses.isFoundation(type) || inheritsForm(type) {
            throw EncodingFailure(
                .unsupportedType, at: place,
                "\(record.className) can't be archived: its coding belongs to Foundation's own archiver. Archive what "
                    + "it is made of.")
        }
        ForeignClasses.note(named)
        #if canImport(Darwin)
            record.version = max((named as? NSObject.Type)?.version() ?? 0, 0)
        #endif
        let coder = RecordingCoder(self)
        coding.encode(with: coder)
        if let failure = coder.failure { throw failure.within(.property(record.className)) }
        record.values = coder.values
    }

    /// Whether a class inherits from one whose elements we know how to archive: what a subclass adds would be lost.
    private func inheritsForm(_ type: AnyClass) -> Bool {
        var next: AnyClass? = runtimeSuperclass(of: type)
        while let current = next {
            if ForeignForm.form(of: current) != nil { return true }
            next = runtimeSuperclass(of: current)
        }
        return false
    }

    // MARK: Values

    /// A reference to an object, which lives until the encoding ends.
    func reference(_ object: AnyObject, isConditional: Bool = false) -> DynamicValue {
        held.append(object)
        let reference = DynamicReference(object)
        reference.isConditional = isConditional
        return .object(reference)
    }

    /// An element of one of Foundation's collections.
    func element(_ object: AnyObject) -> DynamicValue { value(FoundationStorage.unboxed(object)) }

    /// Any value: objects by reference, values of Swift types as they are.
    func value(_ value: Any) -> DynamicValue {
        if type(of: value) is AnyClass { return reference(value as AnyObject) }
        return DynamicValue(value)
    }

    /// The order in which elements are archived that have none of their own.
    func order(of elements: [AnyObject]) -> [Int] {
        guard isDeterministic else { return Array(elements.indices) }
        func key(_ element: AnyObject) -> String {
            switch element {
            case let text as NSString: "s\(text as String)"
            case let number as NSNumber: "n\(number)"
            case let date as NSDate: "d\(date.timeIntervalSinceReferenceDate)"
            case let uuid as NSUUID: "u\(uuid.uuidString)"
            case let url as NSURL: "l\((url as URL).absoluteString)"
            default: "z"
            }
        }
        let keys = elements.map { Array(key($0).utf8) }
        return elements.indices.sorted {
            keys[$0] == keys[$1] ? $0 < $1 : keys[$0].lexicographicallyPrecedes(keys[$1])
        }
    }
}
