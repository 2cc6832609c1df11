// Room:   AmberModel / Memory. Many values of one type in memory, walked field by field.
// Takes:  the addresses of values. Gives: columns of numbers out of them and into them.
// Touches: the fields at the offset given, of the kind given.
//
// Invariants
// 1. Every address is that of a value of one type (or an instance of one class) which lives for the whole call.
// 2. `offset` and `kind` come from a plan, which checked them against the type's size.
// 3. Buffers hold at least `count` numbers. Scattering initialises fields; it doesn't destroy what was there.

/// The addresses of many values of one type: a block with a stride, or a list.
@safe
@usableFromInline
package struct Rows {
    @usableFromInline let base: UnsafeMutableRawPointer?
    @usableFromInline let stride: Int
    @usableFromInline let addresses: ContiguousArray<UnsafeMutableRawPointer>
    @usableFromInline package let count: Int

    /// `count` values side by side, `stride` bytes apart.
    @unsafe
    package init(base: UnsafeMutableRawPointer, stride: Int, count: Int) {
        unsafe self.base = base
        self.stride = stride
        self.count = count
        unsafe addresses = []
    }

    /// Values at a list of addresses.
    @unsafe
    package init(_ addresses: ContiguousArray<UnsafeMutableRawPointer>) {
        unsafe base = nil
        stride = 0
        count = unsafe addresses.count
        unsafe self.addresses = addresses
    }

    /// The address of the field at `offset` of row `index`.
    @unsafe
    @inlinable
    @inline(__always)
    package func address(_ index: Int, _ offset: Int) -> UnsafeMutableRawPointer {
        if let base = unsafe base { return unsafe base + (index &* stride &+ offset) }
        return unsafe addresses[index] + offset
    }

    /// Calls `body` with the address of the field at `offset` of each row, and the row's index.
    @inlinable
    @inline(__always)
    package func forEach(_ offset: Int, _ body: (UnsafeMutableRawPointer, Int) -> Void) {
        if let base = unsafe base {
            var address = unsafe base + offset
            for index in 0..<count {
                unsafe body(address, index)
                unsafe address += stride
            }
        } else {
            unsafe addresses.withUnsafeBufferPointer { list in
                for index in 0..<count { unsafe body(list[index] + offset, index) }
            }
        }
    }

    /// Like ``forEach(_:_:)``, and calls `look` with the address of a row some rows ahead, for its memory to be fetched.
    @inline(__always)
    func forEachAhead(
        _ offset: Int, _ look: (UnsafeMutableRawPointer) -> Void, _ body: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        let distance = 12
        let last = max(count &- distance, 0)
        if let base = unsafe base {
            var address = unsafe base + offset
            let ahead = distance &* stride
            for index in 0..<last {
                unsafe look(address + ahead)
                unsafe body(address, index)
                unsafe address += stride
            }
            for index in last..<count {
                unsafe body(address, index)
                unsafe address += stride
            }
        } else {
            unsafe addresses.withUnsafeBufferPointer { list in
                for index in 0..<last {
                    unsafe look(list[index &+ distance] + offset)
                    unsafe body(list[index] + offset, index)
                }
                for index in last..<count { unsafe body(list[index] + offset, index) }
            }
        }
    }

    /// The rows from `range` on their own.
    package func slice(_ range: Range<Int>) -> Rows {
        if let base = unsafe base {
            return unsafe Rows(base: base + range.lowerBound * stride, stride: stride, count: range.count)
        }
        return unsafe Rows(ContiguousArray(addresses[range]))
    }

    /// The fields at `offset` of the rows whose number is `wanted`, as rows of their own.
    package func selecting(_ offset: Int, where numbers: [UInt64], equal wanted: UInt64) -> Rows {
        selecting(offset, numbers, wanted)
    }

    /// The fields at `offset` of the rows whose number is `wanted`, as rows of their own.
    package func selecting(_ offset: Int, where numbers: [UInt8], equal wanted: UInt8) -> Rows {
        selecting(offset, numbers, wanted)
    }

    @inline(__always)
    private func selecting<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ offset: Int, _ numbers: [T], _ wanted: T
    ) -> Rows {
        precondition(numbers.count >= count, "A selection needs a number for each row.")
        return unsafe numbers.withUnsafeBufferPointer { buffer in
            guard let numbers = buffer.baseAddress else { return shifted(by: offset) }
            @inline(__always)
            func isOther(_ index: Int) -> Int {
                let difference = unsafe numbers[index] ^ wanted
                let top = (difference | (0 &- difference)) &>> T(truncatingIfNeeded: T.bitWidth &- 1)
                return Int(truncatingIfNeeded: top)
            }
            var selected = count
            for index in 0..<count { selected &-= isOther(index) }
            if selected == count { return shifted(by: offset) }
            // An address that isn't wanted is stored as well, and the next one over it: no processor foresees flags. The
            // last of them has a place of its own.
            return unsafe Rows(
                ContiguousArray<UnsafeMutableRawPointer>(unsafeUninitializedCapacity: selected &+ 1) { target, filled in
                    let base = unsafe target.baseAddress.unsafelyUnwrapped
                    var next = 0
                    unsafe forEach(offset) { address, index in
                        unsafe (base + next).initialize(to: address)
                        next &+= 1 &- isOther(index)
                    }
                    filled = next
                })
        }
    }

    /// The fields at `offset` as rows of their own.
    package func shifted(by offset: Int) -> Rows {
        if offset == 0 { return self }
        if let base = unsafe base { return unsafe Rows(base: base + offset, stride: stride, count: count) }
        return unsafe Rows(ContiguousArray(addresses.map { unsafe $0 + offset }))
    }

    /// The block of memory, when the rows lie side by side in one and `size` is their stride.
    @unsafe
    package func block(ofStride size: Int) -> UnsafeMutableRawBufferPointer? {
        guard let base = unsafe base, stride == size else { return nil }
        return unsafe UnsafeMutableRawBufferPointer(start: base, count: size * count)
    }
}

extension Rows {
    /// Reads a column of integers as their bits.
    package func gather(_ offset: Int, into numbers: inout [UInt8]) { gather(offset, &numbers) }
    /// Reads a column of integers as their bits.
    package func gather(_ offset: Int, into numbers: inout [UInt16]) { gather(offset, &numbers) }
    /// Reads a column of integers as their bits.
    package func gather(_ offset: Int, into numbers: inout [UInt32]) { gather(offset, &numbers) }
    /// Reads a column of integers as their bits.
    package func gather(_ offset: Int, into numbers: inout [UInt64]) { gather(offset, &numbers) }

    @inline(__always)
    private func gather<T: BitwiseCopyable>(_ offset: Int, _ numbers: inout [T]) {
        precondition(numbers.count >= count, "A column needs a number for each row.")
        unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            guard let target = buffer.baseAddress else { return }
            if let block = unsafe block(ofStride: MemoryLayout<T>.size), let source = block.baseAddress {
                unsafe UnsafeMutableRawPointer(target).copyMemory(from: source + offset, byteCount: block.count)
                return
            }
            unsafe forEach(offset) { address, index in unsafe target[index] = address.load(as: T.self) }
        }
    }

    /// Writes a column of integers.
    package func scatter(_ offset: Int, from numbers: [UInt8]) { scatter(offset, numbers) }
    /// Writes a column of integers.
    package func scatter(_ offset: Int, from numbers: [UInt16]) { scatter(offset, numbers) }
    /// Writes a column of integers.
    package func scatter(_ offset: Int, from numbers: [UInt32]) { scatter(offset, numbers) }
    /// Writes a column of integers.
    package func scatter(_ offset: Int, from numbers: [UInt64]) { scatter(offset, numbers) }

    @inline(__always)
    private func scatter<T: BitwiseCopyable>(_ offset: Int, _ numbers: [T]) {
        precondition(numbers.count >= count, "A column needs a number for each row.")
        unsafe numbers.withUnsafeBufferPointer { buffer in
            guard let source = buffer.baseAddress else { return }
            if let block = unsafe block(ofStride: MemoryLayout<T>.size), let target = block.baseAddress {
                unsafe (target + offset).copyMemory(from: source, byteCount: block.count)
                return
            }
            unsafe forEach(offset) { address, index in unsafe address.storeBytes(of: source[index], as: T.self) }
        }
    }

    /// Copies `size` bytes of each row, side by side, to `target`.
    package func gatherBytes(_ size: Int, _ offset: Int, into target: UnsafeMutableRawPointer) {
        if let block = unsafe block(ofStride: size), offset == 0, let source = block.baseAddress {
            unsafe target.copyMemory(from: source, byteCount: block.count)
            return
        }
        switch size {
        case 1: unsafe copyOut(UInt8.self, offset, unsafe target)
        case 2: unsafe copyOut(UInt16.self, offset, unsafe target)
        case 4: unsafe copyOut(UInt32.self, offset, unsafe target)
        case 8: unsafe copyOut(UInt64.self, offset, unsafe target)
        default:
            unsafe forEach(offset) { address, index in
                unsafe (target + index &* size).copyMemory(from: address, byteCount: size)
            }
        }
    }

    /// Fills `size` bytes of each row from bytes that lie side by side at `source`.
    package func scatterBytes(_ size: Int, _ offset: Int, from source: UnsafeRawPointer) {
        if let block = unsafe block(ofStride: size), offset == 0, let target = block.baseAddress {
            unsafe target.copyMemory(from: source, byteCount: block.count)
            return
        }
        switch size {
        case 1: unsafe copyIn(UInt8.self, offset, unsafe source)
        case 2: unsafe copyIn(UInt16.self, offset, unsafe source)
        case 4: unsafe copyIn(UInt32.self, offset, unsafe source)
        case 8: unsafe copyIn(UInt64.self, offset, unsafe source)
        default:
            unsafe forEach(offset) { address, index in
                unsafe address.copyMemory(from: source + index &* size, byteCount: size)
            }
        }
    }

    @inline(__always)
    private func copyOut<T: BitwiseCopyable>(_ type: T.Type, _ offset: Int, _ target: UnsafeMutableRawPointer) {
        unsafe forEach(offset) { address, index in
            // The fields of plain structs need not be aligned for the whole struct's size.
            let value = unsafe address.loadUnaligned(as: T.self)
            unsafe target.storeBytes(of: value, toByteOffset: index &* MemoryLayout<T>.size, as: T.self)
        }
    }

    @inline(__always)
    private func copyIn<T: BitwiseCopyable>(_ type: T.Type, _ offset: Int, _ source: UnsafeRawPointer) {
        unsafe forEach(offset) { address, index in
            let value = unsafe source.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)
            unsafe address.storeBytes(of: value, as: T.self)
        }
    }

    /// Destroys the field at `offset` of each row.
    package func destroy(_ offset: Int, _ witnesses: ValueWitnesses) {
        if witnesses.isTrivial { return }
        unsafe forEach(offset) { address, _ in unsafe witnesses.destroy(address) }
    }
}

extension Rows {
    /// One integer of a column, sign-extended if its kind has a sign.
    package func integer(_ kind: ScalarKind, _ index: Int, _ offset: Int) -> UInt64 {
        let address = unsafe address(index, offset)
        switch kind {
        case .bool, .uint8: return unsafe UInt64(address.load(as: UInt8.self))
        case .int8: return unsafe UInt64(bitPattern: Int64(address.load(as: Int8.self)))
        case .int16: return unsafe UInt64(bitPattern: Int64(address.load(as: Int16.self)))
        case .int32: return unsafe UInt64(bitPattern: Int64(address.load(as: Int32.self)))
        case .uint16: return unsafe UInt64(address.load(as: UInt16.self))
        case .uint32: return unsafe UInt64(address.load(as: UInt32.self))
        case .int64, .uint64: return unsafe address.load(as: UInt64.self)
        default: preconditionFailure("Only integers are read as integers.")
        }
    }
}
