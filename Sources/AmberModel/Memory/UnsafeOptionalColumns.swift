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
                    unsafe flags[index] = address.load(as: UInt8.self) == none ? 0 : 1
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

    /// Makes rows optionals with the payload that is in them.
    package func storeSome(_ rows: Rows, _ offset: Int) {
        switch test {
        case .zeroWord: return
        case .byte(let byte, let none):
            // A Bool's third pattern is its nil; every other scalar has a byte of its own for it.
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
