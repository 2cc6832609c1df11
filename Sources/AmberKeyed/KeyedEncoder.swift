// Room:   AmberKeyed. The face of writing.
// Takes:  an object, or values by key. Gives: an archive that Foundation and Apple's systems read.
// Touches: an ArchivingCoder, one a call.

public import AmberModel
public import Foundation

/// Writes NSCoding objects as keyed archives that this library, Foundation and Apple's systems read.
///
/// ```swift
/// let data = try KeyedEncoder().encode(["name": "Ann", "born": Date()])
/// ```
public struct KeyedEncoder: Sendable {
    /// The form of the property list that is written.
    public var format = KeyedFormat.binary
    /// Whether objects that don't support secure coding are refused.
    public var requiresSecureCoding = true
    /// Names of classes that differ from the classes' own.
    public var classMap = KeyedClassMap()

    /// Makes an encoder of binary archives.
    public init() {}

    /// Writes an object and everything it reaches.
    ///
    /// - Parameters:
    ///   - root: An NSCoding object, or a Swift value that bridges to one; nil is written as nil.
    ///   - key: The key at the top of the archive.
    /// - Returns: The archive.
    /// - Throws: ``EncodingFailure``: `.unsupportedType` for an object that can't be archived, with the way to it.
    /// - Complexity: O(*n*) in the number of objects and their values.
    public func encode(_ root: Any?, key: String = "root") throws(EncodingFailure) -> Data {
        let coder = self.coder()
        if let root, !(type(of: root) is AnyClass), let plan = try schemaPlan(of: root) {
            coder.put(coder.stored(root, plan, .init()), key)
        } else {
            coder.encode(root, forKey: key)
        }
        return try coder.archive()
    }

    /// Writes a value whose type is a protocol, so that the archive tells the type of what is in it.
    ///
    /// - Parameters:
    ///   - root: A value in an existential; any other is written as without its type.
    ///   - key: The key at the top of the archive.
    /// - Returns: The archive.
    /// - Throws: ``EncodingFailure``: `.unsupportedType` for what can't be archived, with the way to it.
    /// - Complexity: O(*n*) in the number of objects and their values.
    public func encode<Root>(_ root: Root, key: String = "root") throws(EncodingFailure) -> Data {
        guard !(type(of: root as Any) is AnyClass), let plan = try? PlanCache.shared.plan(for: Root.self) as ValuePlan,
            plan.isOfProtocol
        else {
            return try encode(root as Any?, key: key)
        }
        let coder = self.coder()
        coder.put(coder.stored(root, plan, .init()), key)
        return try coder.archive()
    }

    /// The plan of a value's type; `nil` if it has none and the value bridges to an object that codes itself.
    private func schemaPlan(of value: Any) throws(EncodingFailure) -> ValuePlan? {
        do throws(SchemaFailure) {
            return try PlanCache.shared.plan(for: type(of: value))
        } catch {
            let object = value as AnyObject
            guard !(value is any ModelProtocol), object is any NSCoding || object is ArchivedObject else {
                throw EncodingFailure(error)
            }
            return nil
        }
    }

    /// Returns the archive of a value without a Swift type, and of everything it reaches.
    ///
    /// Dynamic objects are written as objects of the classes that they name, with their properties as keys: what
    /// ``encode(_:key:)`` would have written for the models. Programs with the classes read the archive as any other.
    ///
    /// - Parameters:
    ///   - root: What a decoder's `decodeDynamic` gave, changed or not, or a value made by hand.
    ///   - key: The key at the top of the archive.
    /// - Returns: The archive.
    /// - Throws: ``EncodingFailure``, as ``encode(_:key:)``.
    /// - Complexity: O(*n*) in the number of objects and their values.
    public func encodeDynamic(_ root: DynamicValue, key: String = "root") throws(EncodingFailure) -> Data {
        let coder = self.coder()
        coder.putDynamic(root, key)
        return try coder.archive()
    }

    /// Writes what ``KeyedDecoder/inspect(_:)`` has read, changed or not.
    ///
    /// - Parameter values: The values at the top of the archive, by their keys as they are stored.
    /// - Returns: The archive.
    /// - Throws: ``EncodingFailure`` for an object that can't be archived.
    public func encode(inspected values: [(key: String, value: ArchivedObject.Value)]) throws(EncodingFailure) -> Data {
        let coder = ArchivingCoder(requiringSecureCoding: false)
        coder.outputFormat = format
        coder.classMap = classMap
        for (key, value) in values { coder.put(coder.plistValue(value, key), storedKey: key) }
        return try coder.archive()
    }

    /// A coder for writing by hand, with the encoder's settings.
    ///
    /// - Returns: A coder with nothing encoded yet.
    public func coder() -> ArchivingCoder {
        let coder = ArchivingCoder(requiringSecureCoding: requiresSecureCoding)
        coder.outputFormat = format
        coder.classMap = classMap
        return coder
    }
}
