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

    /// The rows from `range` on their own.
    package func slice(_ range: Range<Int>) -> Rows {
        if let base = unsafe base {
            return unsafe Rows(base: base + range.lowerBound * stride, stride: stride, count: range.count)
        }
        return unsafe Rows(ContiguousArray(addresses[range]))
    }

    /// The fields at `offset` of the rows whose flag is not zero, as rows of their own.
    package func selecting(_ offset: Int, where flags: [UInt64], equal wanted: UInt64) -> Rows {
        var selected = unsafe ContiguousArray<UnsafeMutableRawPointer>()
        unsafe forEach(offset) { address, index in
            if flags[index] == wanted { unsafe selected.append(address) }
        }
        return unsafe Rows(selected)
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
    /// Reads a column of integers; signed ones are sign-extended.
    package func gather(_ kind: ScalarKind, _ offset: Int, into numbers: inout [UInt64]) {
        precondition(numbers.count >= count, "A column needs a number for each row.")
        unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            if let target = buffer.baseAddress { unsafe gather(kind, offset, target) }
        }
    }

    private func gather(_ kind: ScalarKind, _ offset: Int, _ target: UnsafeMutablePointer<UInt64>) {
        switch kind {
        case .bool, .uint8: unsafe gather(UInt8.self, offset, unsafe target)
        case .int8: unsafe gather(Int8.self, offset, unsafe target)
        case .int16: unsafe gather(Int16.self, offset, unsafe target)
        case .int32: unsafe gather(Int32.self, offset, unsafe target)
        case .int64, .uint64: unsafe gather(UInt64.self, offset, unsafe target)
        case .uint16: unsafe gather(UInt16.self, offset, unsafe target)
        case .uint32: unsafe gather(UInt32.self, offset, unsafe target)
        default: preconditionFailure("Only integers are gathered as integers.")
        }
    }

    @inline(__always)
    private func gather<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, _ offset: Int, _ target: UnsafeMutablePointer<UInt64>
    ) {
        unsafe forEach(offset) { address, index in
            unsafe target[index] = UInt64(truncatingIfNeeded: address.load(as: T.self))
        }
    }

    /// Writes a column of integers. Returns the index of the first that does not fit in `kind`, where nothing has
    /// been written that needs to be destroyed.
    ///
    /// - Parameter signed: Whether `numbers` holds signed numbers.
    package func scatter(
        _ kind: ScalarKind, _ offset: Int, from numbers: [UInt64], signed: Bool
    ) -> Int? {
        precondition(numbers.count >= count, "A column needs a number for each row.")
        return unsafe numbers.withUnsafeBufferPointer { buffer in
            guard let source = buffer.baseAddress else { return nil }
            return unsafe scatter(kind, offset, source, signed: signed)
        }
    }

    private func scatter(
        _ kind: ScalarKind, _ offset: Int, _ source: UnsafePointer<UInt64>, signed: Bool
    ) -> Int? {
        switch kind {
        case .bool: unsafe scatterBool(offset, unsafe source)
        case .int8: unsafe scatter(Int8.self, offset, unsafe source, signed)
        case .int16: unsafe scatter(Int16.self, offset, unsafe source, signed)
        case .int32: unsafe scatter(Int32.self, offset, unsafe source, signed)
        case .int64: unsafe scatter(Int64.self, offset, unsafe source, signed)
        case .uint8: unsafe scatter(UInt8.self, offset, unsafe source, signed)
        case .uint16: unsafe scatter(UInt16.self, offset, unsafe source, signed)
        case .uint32: unsafe scatter(UInt32.self, offset, unsafe source, signed)
        case .uint64: unsafe scatter(UInt64.self, offset, unsafe source, signed)
        default: preconditionFailure("Only integers are scattered as integers.")
        }
    }

    @inline(__always)
    private func scatter<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, _ offset: Int, _ source: UnsafePointer<UInt64>, _ signed: Bool
    ) -> Int? {
        // Where the signs of source and target differ, numbers with the top bit set don't fit.
        let topBit: UInt64 = signed == T.isSigned ? 0 : 1 << 63
        var faults: UInt64 = 0
        unsafe forEach(offset) { address, index in
            let bits = unsafe source[index]
            let value = T(truncatingIfNeeded: bits)
            faults |= (UInt64(truncatingIfNeeded: value) ^ bits) | (bits & topBit)
            unsafe address.storeBytes(of: value, as: T.self)
        }
        if faults == 0 { return nil }
        for index in 0..<count {
            let bits = unsafe source[index]
            if UInt64(truncatingIfNeeded: T(truncatingIfNeeded: bits)) != bits || bits & topBit != 0 { return index }
        }
        return nil
    }

    private func scatterBool(_ offset: Int, _ source: UnsafePointer<UInt64>) -> Int? {
        var faults: UInt64 = 0
        unsafe forEach(offset) { address, index in
            let bits = unsafe source[index]
            faults |= bits
            unsafe address.storeBytes(of: UInt8(truncatingIfNeeded: bits & 1), as: UInt8.self)
        }
        if faults <= 1 { return nil }
        for index in 0..<count where unsafe source[index] > 1 { return index }
        return nil
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
    /// One integer of a column.
    package func integer(_ kind: ScalarKind, _ index: Int, _ offset: Int) -> UInt64 {
        var number: [UInt64] = [0]
        unsafe Rows(base: address(index, 0), stride: 0, count: 1).gather(kind, offset, into: &number)
        return number[0]
    }
}
