// Room:   AmberModel / Foreign. The coder that an object's `init(coder:)` is given.
// Takes:  keys, in any order, or none. Gives: the values that were encoded, converted as Foundation converts them.
// Touches: nothing else. Other objects are the reader's.

package import Foundation

/// Gives an object what it encoded.
///
/// A failure never ends the process: it is kept, nothing more is decoded, and the object is not given out.
package class PlainReplayingCoder: NSCoder {
    let reader: ForeignReader
    private let record: DynamicObject
    private let type: AnyClass
    private let gate: ForeignGate
    private var unkeyedCount = 0
    /// What stopped the decoding.
    private(set) var failure: (any Error)?

    init(_ reader: ForeignReader, _ record: DynamicObject, _ type: AnyClass, _ gate: ForeignGate) {
        self.reader = reader
        self.record = record
        self.type = type
        self.gate = gate
        super.init()
    }

    override package var allowsKeyedCoding: Bool { true }
    override package var systemVersion: UInt32 { 2000 }
    override package var error: (any Error)? { failure }
    override package var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override package var allowedClasses: [AnyClass]? { gate.isStrict ? gate.classes : nil }

    /// Whether the object's class asks for it.
    override package var requiresSecureCoding: Bool {
        (type as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
    }

    override package func failWithError(_ error: any Error) {
        if failure == nil { failure = DecodingFailure(.rejectedByHook, "`init(coder:)` reported: \(error)") }
    }

    /// The version that the class had when the object was encoded.
    override package func version(forClassName className: String) -> Int {
        let name = codingName(of: type)
        return className == record.className || className == name || name.hasSuffix(".\(className)")
            ? record.version : NSNotFound
    }

    func fail(_ key: String, _ reason: String) {
        if failure == nil {
            failure = DecodingFailure(.typeMismatch, at: CodingPath([.property(key)]), reason)
        }
    }

    func stored(_ key: String) -> DynamicValue? {
        failure == nil ? record.values[PlainRecordingCoder.stored(key)] : nil
    }

    func nextUnkeyed() -> (key: String, value: DynamicValue?) {
        let key = "$\(unkeyedCount)"
        unkeyedCount += 1
        return (key, failure == nil ? record.values[key] : nil)
    }

    /// The object of a value, or nothing and a failure.
    func object(_ value: DynamicValue?, _ key: String, in classes: [AnyClass]?) -> Any? {
        guard failure == nil, let value else { return nil }
        var gate = self.gate
        if let classes { gate = ForeignGate(classes: classes, isStrict: true) } else { gate.isStrict = false }
        do { return try reader.value(value, in: gate) } catch {
            failure = (error as? DecodingFailure)?.within(.property(key)) ?? error
            return nil
        }
    }

    // MARK: Numbers

    func number(_ value: DynamicValue?, _ key: String) -> NSNumber? {
        guard let value, !value.isNull else { return nil }
        if let leaf = value.value, let number = ForeignNumber.number(leaf) { return number }
        if case .object = value { return object(value, key, in: [NSNumber.self]) as? NSNumber }
        fail(key, "\(value.words) was found where a number is expected.")
        return nil
    }

    private func integer<T: FixedWidthInteger>(_ key: String, _ type: T.Type) -> T {
        guard let value = stored(key), let number = number(value, key) else { return 0 }
        guard let leaf = value.value, let archived = ArchivedNumber(leaf) else {
            return T(truncatingIfNeeded: number.intValue)
        }
        if let exact = archived.integer(type) { return exact }
        switch archived {
        case .double(let value) where value.isFinite: return T(clamping: Int128(value.rounded(.towardZero).clamped))
        case .float(let value) where value.isFinite:
            return T(clamping: Int128(Double(value).rounded(.towardZero).clamped))
        default:
            fail(key, "\(archived) does not fit in \(type).")
            return 0
        }
    }

    override package func containsValue(forKey key: String) -> Bool { stored(key) != nil }
    override package func decodeBool(forKey key: String) -> Bool { number(stored(key), key)?.boolValue ?? false }
    override package func decodeCInt(forKey key: String) -> Int32 { integer(key, Int32.self) }
    override package func decodeInt32(forKey key: String) -> Int32 { integer(key, Int32.self) }
    override package func decodeInt64(forKey key: String) -> Int64 { integer(key, Int64.self) }
    override package func decodeInteger(forKey key: String) -> Int { integer(key, Int.self) }
    override package func decodeFloat(forKey key: String) -> Float { number(stored(key), key)?.floatValue ?? 0 }
    override package func decodeDouble(forKey key: String) -> Double { number(stored(key), key)?.doubleValue ?? 0 }

    func bytes(_ key: String) -> Data? {
        guard let value = stored(key), !value.isNull else { return nil }
        if let data = value.data { return data }
        if let data = object(value, key, in: [NSData.self]) as? NSData { return Data(referencing: data) }
        return nil
    }

    // MARK: Objects

    override package func decodeObject(forKey key: String) -> Any? { object(stored(key), key, in: nil) }

    override package func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        object(stored(key), key, in: classes)
    }

    override package func decodeObject() -> Any? {
        let (key, value) = nextUnkeyed()
        return object(value, key, in: nil)
    }

    override package func decodeData() -> Data? {
        let (key, value) = nextUnkeyed()
        return (object(value, key, in: [NSData.self]) as? NSData).map { Data(referencing: $0) }
    }

    override package func decodePropertyList() -> Any? {
        let (key, value) = nextUnkeyed()
        return object(value, key, in: Self.propertyList)
    }

    override package func decodePropertyList(forKey key: String) -> Any? {
        object(stored(key), key, in: Self.propertyList)
    }

    private static let propertyList: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSString.self, NSData.self, NSDate.self, NSNumber.self,
    ]
}

extension Double {
    /// The number, as far as an integer of 64 bits reaches.
    fileprivate var clamped: Double { Swift.min(Swift.max(self, -0x1p64), 0x1p64) }
}
