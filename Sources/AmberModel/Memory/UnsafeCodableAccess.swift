// Room:   AmberModel / Memory. Codable values at addresses, and the bits of values that Codable coders keep as they are.
// Takes:  rows of a Codable type. Gives: calls of its `encode(to:)` and `init(from:)`.
// Touches: values of exactly the access's type; local copies of trivial values.
//
// Invariants
// 1. Rows given to `encode` hold initialised values of the access's type; `decode` is given uninitialised memory of the
//    type, and has initialised it unless it throws.
// 2. Bits are taken from, and put into, values of types without references: integers, UUID and Decimal.
// 3. A value is looked at as another type only after the two types were found to be the same.

internal import Foundation
internal import Synchronization

/// The code of one Codable type.
package class CodableAccess: @unchecked Sendable {
    /// A writer for a batch of the type's values.
    package func makeWriter(
        userInfo: [CodingUserInfoKey: any Sendable], isDeterministic: Bool, depthLimit: Int
    ) -> CodableWriter {
        CodableWriter(userInfo: userInfo, isDeterministic: isDeterministic, depthLimit: depthLimit)
    }

    /// Takes a writer back whose values are written, for the next batch.
    package func keep(_ writer: consuming CodableWriter) {}

    /// Hands all rows to the writer.
    package func encode(_ rows: Rows, _ offset: Int, _ writer: CodableWriter) throws(EncodingFailure) {}

    /// Initialises the value at `address` with one of the reader's values.
    @unsafe
    package func decode(_ index: Int, of reader: CodableReader, at address: UnsafeMutableRawPointer) throws {}
}

/// The code of the Codable type `T`.
final class TypedCodableAccess<T: Codable>: CodableAccess, @unchecked Sendable {
    /// Whether a value could not be taken apart while it was encoded; so it will be next time.
    private let usesTrees = Atomic<Bool>(false)

    /// A writer that knows the type's places, from an earlier batch.
    private let kept = Mutex<Kept>(Kept(writer: nil))

    /// A writer between two batches: nobody else has it.
    private struct Kept: @unchecked Sendable {
        var writer: CodableWriter?
    }

    override func makeWriter(
        userInfo: [CodingUserInfoKey: any Sendable], isDeterministic: Bool, depthLimit: Int
    ) -> CodableWriter {
        let known = kept.withLock { kept in
            defer { kept.writer = nil }
            return Kept(writer: kept.writer)
        }
        if let writer = known.writer {
            writer.reuse(userInfo: userInfo, isDeterministic: isDeterministic, depthLimit: depthLimit)
            return writer
        }
        return CodableWriter(userInfo: userInfo, isDeterministic: isDeterministic, depthLimit: depthLimit)
    }

    override func keep(_ writer: consuming CodableWriter) {
        // A container that the value has kept may still write.
        var writer = writer
        guard isKnownUniquelyReferenced(&writer), writer.root.count <= 256, writer.forget() else { return }
        let box = Kept(writer: writer)
        kept.withLock { $0 = box }
    }

    override func encode(_ rows: Rows, _ offset: Int, _ writer: CodableWriter) throws(EncodingFailure) {
        if usesTrees.load(ordering: .relaxed) { writer.restart() }
        if try append(rows, offset, writer) { return }
        writer.restart()
        _ = try append(rows, offset, writer)
        usesTrees.store(true, ordering: .relaxed)
    }

    private func append(_ rows: Rows, _ offset: Int, _ writer: CodableWriter) throws(EncodingFailure) -> Bool {
        for index in 0..<rows.count {
            do {
                let value = unsafe UnsafePointer(rows.address(index, offset).assumingMemoryBound(to: T.self))
                guard try unsafe writer.append(value.pointee) else { return false }
            } catch {
                let failure = EncodingFailure(codable: error)
                throw rows.count == 1 ? failure : failure.within(.index(index))
            }
        }
        return true
    }

    override func decode(_ index: Int, of reader: CodableReader, at address: UnsafeMutableRawPointer) throws {
        let value = try T(from: reader.decoder(for: index))
        unsafe address.initializeMemory(as: T.self, to: value)
    }
}

/// The access to a type that is both Encodable and Decodable.
func makeCodableAccess(_ type: Any.Type) -> CodableAccess? {
    func open<T: Codable>(_ type: T.Type) -> CodableAccess { TypedCodableAccess<T>() }
    guard let codable = type as? any Codable.Type else { return nil }
    return open(codable)
}

/// Values that are kept as they are, instead of what their own `encode(to:)` makes of them.
enum CodableSpecial {
    /// The value as a leaf, if its type is one of those that are kept.
    @inline(__always)
    static func leaf<T>(of value: T) -> CodableLeaf? {
        if T.self == Date.self {
            return unsafe .word(.date, look(value, Date.self).timeIntervalSinceReferenceDate.bitPattern)
        }
        if T.self == UUID.self { return unsafe .bytes(.uuid, bytes(look(value, UUID.self).uuid)) }
        if T.self == Data.self { return unsafe .data(look(value, Data.self)) }
        if T.self == Decimal.self { return unsafe .bytes(.decimal, bytes(look(value, Decimal.self))) }
        if T.self == URL.self {
            let url = unsafe look(value, URL.self)
            return url.baseURL == nil ? .string(url.absoluteString) : nil
        }
        return nil
    }

    static func int128(_ value: Int128) -> CodableLeaf { .bytes(.int128, bytes(value)) }
    static func uint128(_ value: UInt128) -> CodableLeaf { .bytes(.uint128, bytes(value)) }

    /// The value of one of the kept types; `nil` for all others.
    @inline(__always)
    static func value<T>(_ type: T.Type, from source: CodableIn) throws -> T? {
        if T.self == Date.self {
            return unsafe look(Date(timeIntervalSinceReferenceDate: try source.place.double()), T.self)
        }
        if T.self == UUID.self { return unsafe look(try source.uuid(), T.self) }
        if T.self == Data.self { return unsafe look(try source.data(), T.self) }
        if T.self == Decimal.self { return unsafe look(try source.decimal(), T.self) }
        if T.self == URL.self { return try source.url().map { unsafe look($0, T.self) } }
        return nil
    }

    @unsafe
    private static func look<A, B>(_ value: A, _ type: B.Type) -> B {
        unsafe withUnsafePointer(to: value) { pointer in
            unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: B.self).pointee
        }
    }

    private static func bytes<V>(_ value: V) -> [UInt8] { unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }

    /// The value of fixed width at a place, of a type without references; `value` is what it replaces.
    static func load<V>(_ value: V, _ variant: CodableVariantRef, _ place: Int) -> V {
        load(value, variant.variant.bytes, place)
    }

    /// The same, from bytes.
    static func load<V>(_ value: V, _ bytes: [UInt8], _ place: Int = 0) -> V {
        var value = value
        unsafe withUnsafeMutableBytes(of: &value) { target in
            let start = place * target.count
            guard start >= 0, bytes.count - start >= target.count else { return }
            unsafe bytes.withUnsafeBytes { source in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + target.count]))
            }
        }
        return value
    }
}
