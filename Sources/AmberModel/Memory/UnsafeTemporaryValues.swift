// Room:   AmberModel / Memory. Memory for values that only a coder sees: copies, surrogates, elements on their way.
// Takes:  a type and a count. Gives: memory that is freed, and its values destroyed, when the owner goes.
// Touches: the memory that it owns.
//
// Invariants
// 1. The first `initialized` values are initialised; whoever initialises or moves values out sets it.
// 2. The memory lives as long as the object: its users hold it (`withExtendedLifetime`) while they use addresses in it.

/// Memory for `count` values of one type.
@safe
package final class TemporaryValues {
    package let base: UnsafeMutableRawPointer
    package let count: Int
    private let witnesses: ValueWitnesses
    /// How many values, from the first, are destroyed with this object.
    package var initialized = 0
    /// What destroys a value, where the witnesses of its own type don't.
    private let destroyValue: ((UnsafeMutableRawPointer) -> Void)?

    package init(
        _ witnesses: ValueWitnesses, count: Int, destroying destroyValue: ((UnsafeMutableRawPointer) -> Void)? = nil
    ) {
        self.witnesses = witnesses
        self.count = count
        unsafe self.destroyValue = unsafe destroyValue
        unsafe base = UnsafeMutableRawPointer.allocate(
            byteCount: max(count * witnesses.stride, 1), alignment: max(witnesses.alignmentMask + 1, 16))
    }

    deinit {
        if unsafe destroyValue != nil || !witnesses.isTrivial {
            for index in 0..<initialized {
                let value = unsafe base + index * witnesses.stride
                if let destroyValue = unsafe destroyValue {
                    unsafe destroyValue(value)
                } else {
                    unsafe witnesses.destroy(value)
                }
            }
        }
        unsafe base.deallocate()
    }

    /// The values as rows.
    package var rows: Rows { unsafe Rows(base: base, stride: witnesses.stride, count: count) }

    /// The address of one value.
    @unsafe
    package func address(_ index: Int) -> UnsafeMutableRawPointer { unsafe base + index * witnesses.stride }
}

extension TemporaryValues {
    /// The same values in another order, moved out of this object.
    package func reordered(_ order: [Int], _ witnesses: ValueWitnesses?) -> TemporaryValues {
        guard let witnesses, order.count == count, initialized == count else { return self }
        let result = unsafe TemporaryValues(witnesses, count: count)
        for (target, source) in order.enumerated() {
            unsafe witnesses.move(to: result.address(target), from: address(source))
        }
        initialized = 0
        result.initialized = count
        return result
    }
}

/// Memory whose contents are somebody else's business; freed with the object.
@safe
package final class TemporaryBytes {
    package private(set) var base: UnsafeMutableRawPointer
    package private(set) var size: Int

    package init(_ size: Int) {
        self.size = size
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 16)
    }

    /// Makes room for at least `needed` bytes, in memory elsewhere; the first `kept` bytes are copied there.
    @inline(never)
    func grow(to needed: Int, keeping kept: Int) {
        precondition(kept <= size, "More bytes are kept than there are.")
        size = max(needed, size * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe larger.copyMemory(from: base, byteCount: kept)
        unsafe base.deallocate()
        unsafe base = unsafe larger
    }

    /// Counts no more than the first `used` bytes.
    func shrink(to used: Int) {
        precondition(used <= size, "More bytes are used than there are.")
        size = used
    }

    deinit { unsafe base.deallocate() }
}

/// Whether two places hold the same bytes.
@unsafe
package func equalMemory(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ size: Int) -> Bool {
    var index = 0
    while index &+ 8 <= size {
        let (a, b) = unsafe (
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self),
            right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
        if a != b { return false }
        index &+= 8
    }
    while index < size {
        if unsafe left.load(fromByteOffset: index, as: UInt8.self) != right.load(fromByteOffset: index, as: UInt8.self)
        {
            return false
        }
        index &+= 1
    }
    return true
}

extension ValuePlan {
    /// Values of this plan's type in memory of their own.
    func temporaries(_ parts: [OpenedValue.Part], _ plan: ValuePlan) throws -> TemporaryValues {
        let values = unsafe TemporaryValues(plan.witnesses, count: parts.count)
        for (index, part) in parts.enumerated() {
            try unsafe plan.put(part.value, at: values.address(index))
            values.initialized = index + 1
        }
        return values
    }

    /// Initialises memory of this plan's type with `value`.
    @unsafe
    func put(_ value: Any, at address: UnsafeMutableRawPointer) throws {
        guard unsafe erased.store(value, at: address) else {
            throw ClosingError(
                "A \(codingName(of: type)) was expected, not a \(codingName(of: Swift.type(of: value))).")
        }
    }
}
