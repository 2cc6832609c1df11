// Room:   AmberModel / Memory. How the values of one type are copied, moved, destroyed and told apart.
// Takes:  a type. Gives: its size, stride and the operations of its value witness table.
// Touches: type metadata; values through the witnesses of their own type.
//
// Invariants
// 1. The layout read here is swift/include/swift/ABI/ValueWitness.def: eight functions, size, stride, flags, extra
//    inhabitants; enums add three functions. A test compares it with MemoryLayout for many types.
// 2. `destroy`, `copy`, `move` are called with addresses of values of exactly this type, aligned for it.
// 3. Whoever moves or destroys a value treats its memory as uninitialised afterwards.

/// The value witness table of a type.
@safe
@usableFromInline
package struct ValueWitnesses: @unchecked Sendable {
    // The pointers are to immutable metadata, which lives as long as the process.
    package let metadata: UnsafeRawPointer
    private let table: UnsafeRawPointer
    /// Bytes of a value without the padding after it.
    @usableFromInline package let size: Int
    /// Bytes from one value to the next in an array.
    @usableFromInline package let stride: Int
    @usableFromInline package let alignmentMask: Int
    /// Whether copying the bytes copies the value, and nothing need be destroyed.
    @usableFromInline package let isTrivial: Bool
    package let hasEnumWitnesses: Bool

    package init(_ type: Any.Type) {
        unsafe metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        unsafe table = metadata.load(fromByteOffset: -8, as: UnsafeRawPointer.self)
        unsafe size = table.load(fromByteOffset: 64, as: Int.self)
        unsafe stride = table.load(fromByteOffset: 72, as: Int.self)
        let flags = unsafe table.load(fromByteOffset: 80, as: UInt32.self)
        alignmentMask = Int(flags & 0xff)
        isTrivial = flags & 0x0001_0000 == 0
        hasEnumWitnesses = flags & 0x0020_0000 != 0
    }

    private typealias Destroy = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Copy =
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeRawPointer) -> UnsafeMutableRawPointer
    private typealias GetTag = @convention(c) (UnsafeRawPointer, UInt32, UnsafeRawPointer) -> UInt32
    private typealias StoreTag = @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UnsafeRawPointer) -> Void
    private typealias GetEnumTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    private func witness<Function>(_ index: Int, as type: Function.Type) -> Function {
        unsafe unsafeBitCast(table.load(fromByteOffset: index * 8, as: UnsafeRawPointer.self), to: Function.self)
    }

    /// Destroys the value at `address`.
    @unsafe
    package func destroy(_ address: UnsafeMutableRawPointer) {
        if isTrivial { return }
        unsafe witness(1, as: Destroy.self)(address, metadata)
    }

    /// Makes a copy of the value at `source` in uninitialised memory.
    @unsafe
    package func copy(to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        if isTrivial {
            unsafe target.copyMemory(from: source, byteCount: size)
        } else {
            unsafe _ = witness(2, as: Copy.self)(target, UnsafeMutableRawPointer(mutating: source), metadata)
        }
    }

    /// Moves the value at `source` to uninitialised memory.
    @unsafe
    package func move(to target: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer) {
        if isTrivial {
            unsafe target.copyMemory(from: source, byteCount: size)
        } else {
            unsafe _ = witness(4, as: Copy.self)(target, source, metadata)
        }
    }

    /// The case of an Optional of this type: 0 is `some`, 1 is `none`.
    @unsafe
    package func optionalTag(_ address: UnsafeRawPointer) -> UInt32 {
        unsafe witness(6, as: GetTag.self)(address, 1, metadata)
    }

    /// Makes the memory of an Optional of this type `some` (0, its payload is there already) or `none` (1).
    @unsafe
    package func storeOptionalTag(_ tag: UInt32, _ address: UnsafeMutableRawPointer) {
        unsafe witness(7, as: StoreTag.self)(address, tag, 1, metadata)
    }

    /// The case of an enum value: cases with payloads first, each kind in the order of its declaration.
    @unsafe
    package func enumTag(_ address: UnsafeRawPointer) -> UInt32 {
        unsafe witness(11, as: GetEnumTag.self)(address, metadata)
    }

    /// Turns the memory of an enum value into that of its payload.
    @unsafe
    package func projectEnum(_ address: UnsafeMutableRawPointer) {
        unsafe witness(12, as: Project.self)(address, metadata)
    }

    /// Turns the memory of a payload into that of the enum value of case `tag`.
    @unsafe
    package func injectEnum(_ tag: UInt32, _ address: UnsafeMutableRawPointer) {
        unsafe witness(13, as: Inject.self)(address, tag, metadata)
    }
}
