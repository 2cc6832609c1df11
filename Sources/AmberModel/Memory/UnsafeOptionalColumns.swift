// Room:   AmberModel / Memory. Optionals: told from nil, made nil, made whole; one or many.
// Takes:  addresses of optionals. Gives: which have a value; memory that is nil or wraps the payload in it.
// Touches: optionals, by the test that the plan chose for their type.
//
// Invariants
// 1. An Optional of a type with spare bit patterns is its payload; of any other, the byte after the payload is 0 for a
//    value and 1 for nil. Which holds is decided by OptionalPlan.Test, from the payload's shape.
// 2. `storeSome` is called on memory whose payload is initialised, `storeNil` on memory that holds nothing.

extension OptionalPlan {
    /// Whether the Optional at `address` is `nil`.
    @unsafe
    @inline(__always)
    package func isNil(_ address: UnsafeRawPointer) -> Bool {
        switch test {
        case .zeroWord(let offset): unsafe address.load(fromByteOffset: offset, as: UInt.self) == 0
        case .byte(let offset, let none): unsafe address.load(fromByteOffset: offset, as: UInt8.self) == none
        case .witness: unsafe payload.witnesses.optionalTag(address) != 0
        }
    }

    /// For each row 1 if it has a value, 0 if it is nil.
    package func gatherPresence(_ rows: Rows, _ offset: Int, into flags: inout [UInt8]) {
        precondition(flags.count >= rows.count, "A column needs a number for each row.")
        unsafe flags.withUnsafeMutableBufferPointer { flags in
            switch test {
            case .zeroWord(let word):
                unsafe rows.forEach(offset &+ word) { address, index in
                    unsafe flags[index] = address.load(as: UInt.self) == 0 ? 0 : 1
                }
            case .byte(let byte, let none):
                unsafe rows.forEach(offset &+ byte) { address, index in
                    let difference = unsafe address.load(as: UInt8.self) ^ none
                    unsafe flags[index] = (difference | (0 &- difference)) &>> 7
                }
            case .witness:
                let witnesses = payload.witnesses
                unsafe rows.forEach(offset) { address, index in
                    unsafe flags[index] = witnesses.optionalTag(address) == 0 ? 1 : 0
                }
            }
        }
    }

    /// Makes the rows `nil` whose flag is 0.
    package func storeNil(_ rows: Rows, _ offset: Int, where flags: [UInt8]) {
        precondition(flags.count >= rows.count, "A column needs a number for each row.")
        let witnesses = payload.witnesses
        unsafe rows.forEach(offset) { address, index in
            if flags[index] == 0 { unsafe witnesses.storeOptionalTag(1, address) }
        }
    }

    /// Makes each row an Optional of the next payload in `block`, or `nil` where its flag is 0, without asking which: no
    /// processor foresees flags.
    ///
    /// `block` has memory for one payload more than flags are 1.
    ///
    /// - Returns: `false` if nothing was done, for payloads are not numbers of at most 4 bytes, or like them.
    package func place(_ block: TemporaryBytes, in rows: Rows, _ offset: Int, where flags: [UInt8]) -> Bool {
        switch (test, payload.size) {
        case (.byte(0, let none), 1): place(block, UInt8.self, rows, offset, flags, nil: none)
        case (.byte(1, _), 1): placeWithTag(block, UInt8.self, rows, offset, flags)
        case (.byte(2, _), 2): placeWithTag(block, UInt16.self, rows, offset, flags)
        case (.byte(4, _), 4): placeWithTag(block, UInt32.self, rows, offset, flags)
        default: return false
        }
        return true
    }

    /// Optionals that have a number left for `nil`.
    @inline(__always)
    private func place<T: FixedWidthInteger & BitwiseCopyable>(
        _ block: TemporaryBytes, _ type: T.Type, _ rows: Rows, _ offset: Int, _ flags: [UInt8], nil none: T
    ) {
        precondition(flags.count >= rows.count, "A column needs a number for each row.")
        unsafe flags.withUnsafeBufferPointer { flags in
            var next = unsafe block.base
            unsafe rows.forEach(offset) { address, index in
                let flag = unsafe flags[index]
                let mask = 0 &- T(truncatingIfNeeded: flag)
                let value = unsafe (next.load(as: T.self) & mask) | (none & ~mask)
                unsafe address.storeBytes(of: value, as: T.self)
                unsafe next += MemoryLayout<T>.size &* Int(truncatingIfNeeded: flag)
            }
        }
    }

    /// Optionals with a byte behind the payload that is 1 for `nil`. The payload of `nil` is 0.
    @inline(__always)
    private func placeWithTag<T: FixedWidthInteger & BitwiseCopyable>(
        _ block: TemporaryBytes, _ type: T.Type, _ rows: Rows, _ offset: Int, _ flags: [UInt8]
    ) {
        place(block, type, rows, offset, flags, nil: 0)
        unsafe flags.withUnsafeBufferPointer { flags in
            unsafe rows.forEach(offset &+ MemoryLayout<T>.size) { address, index in
                unsafe address.storeBytes(of: 1 &- flags[index], as: UInt8.self)
            }
        }
    }

    /// Makes rows optionals with the payload that is in them.
    package func storeSome(_ rows: Rows, _ offset: Int) {
        switch test {
        case .zeroWord: return
        case .byte(let byte, let none):
            // Bools and enums have a pattern left for nil, which is never 1; every other scalar a byte of its own.
            if none == 1 {
                unsafe rows.forEach(offset &+ byte) { address, _ in unsafe address.storeBytes(of: 0, as: UInt8.self) }
            }
        case .witness:
            let witnesses = payload.witnesses
            unsafe rows.forEach(offset) { address, _ in unsafe witnesses.storeOptionalTag(0, address) }
        }
    }

    /// Makes uninitialised memory `nil`.
    @unsafe
    package func storeNil(at address: UnsafeMutableRawPointer) {
        unsafe payload.witnesses.storeOptionalTag(1, address)
    }

    /// Makes an Optional of the payload that is at the address.
    @unsafe
    package func storeSome(at address: UnsafeMutableRawPointer) {
        switch test {
        case .zeroWord: return
        case .byte(let byte, let none):
            if none == 1 { unsafe address.storeBytes(of: 0, toByteOffset: byte, as: UInt8.self) }
        case .witness: unsafe payload.witnesses.storeOptionalTag(0, address)
        }
    }
}

extension ValueWitnesses {
    /// The number that is `nil` in an Optional of this type, whose values are one byte, as is the Optional.
    ///
    /// - Returns: `nil` if values are larger, or `nil` has a byte of its own.
    func byteOfNone(in optional: Any.Type) -> UInt8? {
        guard size == 1, isTrivial, ValueWitnesses(optional).size == 1 else { return nil }
        return unsafe withScratch(for: self) { memory in
            unsafe storeOptionalTag(1, memory)
            let none = unsafe memory.load(as: UInt8.self)
            return none > 1 ? none : nil
        }
    }
}
