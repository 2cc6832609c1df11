// Room:   AmberModel / Memory. Weak references to objects of a protocol: the reference, then the tables of its methods.
// Takes:  the protocol's type; an object. Gives: the words that follow a weak reference to it.
// Touches: memory of the field after its first word; a strong existential of its own.
//
// Invariants
// 1. A class-bound existential is the object's word and then one word for each protocol; a weak one has weak storage in
//    place of the object's word: https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst ("Class Existential
//    Containers"). Types of any other size are refused.
// 2. An object that isn't of the protocol is never stored.

internal import CSwiftRuntime

/// What follows the first word of a weak reference to objects of a protocol.
@usableFromInline
package final class HeldExistential: Equatable, Sendable {
    private let access: ErasedAccess
    private let size: Int

    /// `type` is the protocol's type; `nil` if its values aren't references.
    init?(_ type: Any.Type) {
        guard runtimeKind(of: type) == .existential else { return nil }
        let witnesses = ValueWitnesses(type)
        // Four words and more are those of a value of any type.
        guard witnesses.size.isMultiple(of: 8), witnesses.size >= 8, witnesses.size < 32 else { return nil }
        access = makeErasedAccess(type)
        size = witnesses.size
    }

    /// Bytes of the field.
    package var fieldSize: Int { size }

    @usableFromInline
    package static func == (left: HeldExistential, right: HeldExistential) -> Bool { left === right }

    /// Whether an object is of the protocol; if so, the words are stored at `address`, else zeros.
    @unsafe
    func storeTables(of object: AnyObject?, at address: UnsafeMutableRawPointer) -> Bool {
        let bytes = size - 8
        unsafe UnsafeMutableRawBufferPointer(start: address, count: bytes).initializeMemory(
            as: UInt8.self, repeating: 0)
        guard let object else { return false }
        return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
            guard let strong = memory.baseAddress, unsafe access.store(object, at: strong) else { return false }
            unsafe address.copyMemory(from: strong + 8, byteCount: bytes)
            unsafe swift_release(strong.load(as: UnsafeMutableRawPointer?.self))
            return true
        }
    }
}

extension Ownership {
    /// Bytes of a field that isn't an ordinary one.
    package var heldSize: Int {
        if case .weakExistential(let held) = self { held.fieldSize } else { 8 }
    }
}

/// Stands for the class of a reference that takes objects of any class.
package final class AnyModelClass {}
