// Room:   AmberModel / Foreign. The coder that an object's `encode(with:)` is given.
// Takes:  values under keys, or without. Gives: the properties of the object's record.
// Touches: nothing else. Objects among the values are referred to, not encoded.

package import Foundation

/// Records what one object encodes.
///
/// A number or text is archived as it is, an object as a reference. Values without keys are numbered; names that begin with
/// `$` are ours, so that keys which do get another one.
package class PlainRecordingCoder: NSCoder {
    let writer: ForeignWriter
    private(set) var values = ArchivedValues()
    private(set) var failure: EncodingFailure?
    private var unkeyedCount = 0

    init(_ writer: ForeignWriter) {
        self.writer = writer
        super.init()
    }

    override package var allowsKeyedCoding: Bool { true }
    override package var requiresSecureCoding: Bool { false }
    override package var systemVersion: UInt32 { 2000 }
    override package var error: (any Error)? { failure }

    func fail(_ reason: String) {
        if failure == nil { failure = EncodingFailure(.unsupportedType, reason) }
    }

    override package func failWithError(_ error: any Error) {
        if failure == nil {
            failure = EncodingFailure(.rejectedByHook, "`encode(with:)` reported: \(error)")
        }
    }

    /// The name that a key has in archives.
    static func stored(_ key: String) -> String { key.hasPrefix("$") ? "$\(key)" : key }

    func put(_ value: DynamicValue, _ key: String) {
        // A class and its superclass that use one key: the later value counts, as with Foundation's archiver.
        values[Self.stored(key)] = value
    }

    func putUnkeyed(_ value: DynamicValue) {
        values["$\(unkeyedCount)"] = value
        unkeyedCount += 1
    }

    /// What stands for an object or a Swift value.
    func recorded(_ value: Any?) -> DynamicValue {
        guard let value else { return .null }
        if let optional = value as? any OptionalType { return recorded(optional.wrappedValue) }
        if type(of: value) is AnyClass { return recorded(object: value as AnyObject) }
        switch value {
        case is String, is Bool, is Date, is Data, is UUID, is Decimal: return .value(value)
        default: break
        }
        if ArchivedNumber(value) != nil { return .value(value) }
        if value is any ForeignCollection { return writer.reference(FoundationStorage.boxed(value as AnyObject)) }
        return DynamicValue(value)
    }

    private func recorded(object: AnyObject) -> DynamicValue {
        // Text that can't change and numbers have no identity that anyone would miss.
        if type(of: object) == NSString.self, let text = object as? NSString { return .value(text as String) }
        if let number = object as? NSNumber, ForeignForm.form(for: object)?.name == "NSNumber" {
            return .value(ForeignNumber.value(of: number))
        }
        return writer.reference(object)
    }

    // MARK: Values by key

    override package func encode(_ value: Bool, forKey key: String) { put(.value(value), key) }
    override package func encode(_ value: Int32, forKey key: String) { put(.value(value), key) }
    override package func encode(_ value: Int64, forKey key: String) { put(.value(value), key) }
    override package func encode(_ value: Int, forKey key: String) { put(.value(value), key) }
    override package func encode(_ value: Float, forKey key: String) { put(.value(value), key) }
    override package func encode(_ value: Double, forKey key: String) { put(.value(value), key) }
    override package func encode(_ object: Any?, forKey key: String) { put(recorded(object), key) }
    override package func encodeConditionalObject(_ object: Any?, forKey key: String) { put(conditional(object), key) }

    // MARK: Values in a row

    override package func encode(_ object: Any?) { putUnkeyed(recorded(object)) }
    override package func encode(_ data: Data) { putUnkeyed(.value(data)) }
    override package func encodePropertyList(_ propertyList: Any) { encode(propertyList) }
    override package func encodeRootObject(_ rootObject: Any) { encode(rootObject) }
    override package func encodeConditionalObject(_ object: Any?) { putUnkeyed(conditional(object)) }

    private func conditional(_ object: Any?) -> DynamicValue {
        guard let object, type(of: object) is AnyClass else { return recorded(object) }
        return writer.reference(object as AnyObject, isConditional: true)
    }
}

/// Swift's collections, which Foundation's coders take for their own.
protocol ForeignCollection {}
extension Array: ForeignCollection {}
extension Set: ForeignCollection {}
extension Dictionary: ForeignCollection {}
