// Room:   AmberBinary. The face of decoding.
// Takes:  Data, and the type that is expected in it. Gives: the value.
// Touches: UnsafeArchive.

public import AmberModel
public import Foundation

/// Reads the archives that ``BinaryEncoder`` writes.
///
/// Archives compressed as LZ4 frames are recognised. A decoder is a value and holds no state between calls: use it from
/// as many threads as you like. Input that is damaged or hostile is an error; it never traps, and never makes the decoder
/// allocate more than ``DecodingLimits`` allow.
public struct BinaryDecoder: Sendable {
    /// How archives are read.
    public var options: BinaryDecodingOptions

    /// Makes a decoder.
    ///
    /// - Parameter options: How archives are read.
    public init(options: BinaryDecodingOptions = BinaryDecodingOptions()) {
        self.options = options
    }

    /// Returns the root of an archive, with everything it reaches.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - data: An archive, compressed or not.
    /// - Returns: The root. Objects have the classes, and are shared, as they were when they were encoded.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the archive and of what it expands to.
    public func decode<Root>(_ type: Root.Type, from data: Data) throws(DecodingFailure) -> Root {
        try readArchive(of: type, in: data, options)
    }

    /// Makes classes known by their names in archives.
    ///
    /// Needed only for classes that can't be found by their names: generic, private and local ones, and those that were
    /// renamed (``ModelRules/formerNames``), if nothing else has used them before an archive that holds them is decoded.
    ///
    /// - Parameter types: Model classes.
    /// - Throws: ``DecodingFailure`` when something in a class can't be archived.
    public static func register(_ types: any (ModelProtocol & AnyObject).Type...) throws(DecodingFailure) {
        for type in types {
            do throws(SchemaFailure) {
                _ = try PlanCache.shared.plan(for: type as AnyClass)
            } catch {
                throw DecodingFailure(error)
            }
        }
    }
}
