// Room:   AmberBinary. The face of encoding.
// Takes:  any value made of models. Gives: Data.
// Touches: GraphWriter; LZ4 frames.

internal import AmberBytes
public import AmberModel
public import Foundation
internal import Synchronization

/// Archives graphs of models as compact binary data.
///
/// ```swift
/// let data = try BinaryEncoder().encode(person)
/// let same = try BinaryDecoder().decode(Person.self, from: data)
/// ```
///
/// Each object is written once, whoever refers to it; cycles and shared children keep their identity. An encoder is a
/// value and holds no state between calls: use it from as many threads as you like. A graph must not be mutated while
/// it is encoded.
///
/// Types that are Codable, and neither models nor known otherwise, are archived by what their `encode(to:)` says, as
/// `JSONEncoder` sees it, but with every number exact, dates and data included. Objects of such classes have no identity:
/// one that is met twice is archived, and comes back, twice. `encode(to:)` may be called twice on a value that fills its
/// containers in an unusual order.
public struct BinaryEncoder: Sendable {
    /// How archives are written.
    public var options: BinaryEncodingOptions

    /// Makes an encoder.
    ///
    /// - Parameter options: How archives are written.
    public init(options: BinaryEncodingOptions = BinaryEncodingOptions()) {
        self.options = options
    }

    /// Returns the archive of `root` and of everything it reaches.
    ///
    /// - Parameter root: A model, or a value made of models and of the types that properties can have.
    /// - Returns: The archive, readable by this and every later release.
    /// - Throws: ``EncodingFailure``; its code is `unsupportedType` when something in the root's type can't be archived.
    /// - Complexity: O(*n*) in the objects and elements reached; memory O(objects), never O(depth).
    public func encode<Root>(_ root: Root) throws(EncodingFailure) -> Data {
        let block = try Self.block(for: Root.self)
        var out = ByteWriter(capacity: block.expectedRoom)
        try write(root, block, to: &out)
        if case .lz4(let lz4) = options.compression { return try LZ4Frame.compress(&out, lz4) }
        return Data(taking: &out)
    }

    /// Replaces the contents of `data` with the archive of `root`; its memory is used again where it suffices.
    ///
    /// - Parameters:
    ///   - root: A model, or a value made of models and of the types that properties can have.
    ///   - data: Where the archive goes.
    /// - Throws: ``EncodingFailure``; `data` is then empty.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encode<Root>(_ root: Root, into data: inout Data) throws(EncodingFailure) {
        if options.compression != .none {
            let archive: Data
            do throws(EncodingFailure) { archive = try encode(root) } catch {
                data.removeAll(keepingCapacity: true)
                throw error
            }
            data.removeAll(keepingCapacity: true)
            return data.append(archive)
        }
        let block: SchemaBlock
        do throws(EncodingFailure) { block = try Self.block(for: Root.self) } catch {
            data.removeAll(keepingCapacity: true)
            throw error
        }
        // Archives of the type are likely to have the size of the last one: then nothing but the bytes changes. Columns are
        // packed in whole words, for which the largest archives have room.
        let size = block.expectedSize.load(ordering: .relaxed)
        let room = size < 4096 ? size : size + 64
        try data.rewrite(room: room) { out throws(EncodingFailure) in try write(root, block, to: &out) }
    }

    /// Returns the archive of a value without a Swift type, and of everything it reaches.
    ///
    /// What was read by a `decodeDynamic` is written as what it stands for: programs with the types read the archive as any
    /// other. The types of values that come from no binary archive are worked out from the values.
    ///
    /// - Parameter root: What ``BinaryDecoder/decodeDynamic(from:)`` or the same method of another decoder gave, changed or
    ///   not, or a value made by hand.
    /// - Returns: The archive.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encodeDynamic(_ root: DynamicValue) throws(EncodingFailure) -> Data {
        var writer = GraphWriter(options: options, capacity: 4096)
        try writer.write(dynamic: root)
        if case .lz4(let lz4) = options.compression { return try LZ4Frame.compress(&writer.out, lz4) }
        return Data(taking: &writer.out)
    }

    private static func block(for type: Any.Type) throws(EncodingFailure) -> SchemaBlock {
        do throws(SchemaFailure) { return try SchemaBlock.block(for: type) } catch { throw EncodingFailure(error) }
    }

    private func write<Root>(_ root: Root, _ block: SchemaBlock, to out: inout ByteWriter) throws(EncodingFailure) {
        try withRows(of: root) { rows throws(EncodingFailure) in
            if let message = block.message, message.write(rows, to: &out, options) { return }
            let crew = Crew.hire(options.threads, options.smallestSharedBatch)
            defer { crew?.dismiss() }
            try GraphWriter.write(rows, block, options, crew, to: &out)
        }
        // The next archive of the type is likely to be as large.
        block.expectedSize.store(out.count, ordering: .relaxed)
    }
}
