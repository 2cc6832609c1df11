// Room:   AmberBinary / Decoding. Values made of what stands for them in archives.
// Takes:  surrogates. Gives: values in rows, at once or when all objects are filled.
// Touches: rows of uninitialised memory; temporaries.
//
// Invariants: those of UnsafeDynamicReader.swift.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Makes values of surrogates: at once, or when all objects are filled if the surrogates refer to some.
    mutating func bridge(
        _ copies: TemporaryValues, into rows: Rows, _ offset: Int, _ bridged: BridgedPlan, _ target: ValuePlan
    ) throws(DecodingFailure) {
        let place = input.position
        func failure(_ error: any Error, _ index: Int) -> DecodingFailure {
            let path = rows.count == 1 ? CodingPath() : CodingPath([.index(index)])
            if let failure = error as? DecodingFailure { return failure }
            return DecodingFailure(
                error is BridgeError ? .corrupt : .rejectedByHook, at: path, offset: place, "\(error)")
        }
        // What is only looked at is a value of the same type: it stands there meanwhile as far as it is made.
        let isChecked = bridged.reason == .checked
        guard bridged.waits || (isChecked && waits(bridged.surrogate)) else {
            for index in 0..<rows.count {
                do {
                    try unsafe bridged.access.makeValue(
                        from: copies.address(index), at: rows.address(index, offset))
                } catch {
                    rows.slice(0..<index).destroy(offset, target.witnesses)
                    throw failure(error, index)
                }
            }
            return
        }
        let size = target.size
        unsafe rows.forEach(offset) { address, index in
            if isChecked {
                unsafe target.witnesses.copy(to: address, from: copies.address(index))
            } else {
                unsafe clear(address, size)
            }
        }
        waiting.append {
            for index in 0..<rows.count {
                do {
                    if isChecked {
                        try unsafe bridged.access.replaceValue(
                            from: copies.address(index), at: rows.address(index, offset))
                        continue
                    }
                    try unsafe bridged.access.makeValue(
                        from: copies.address(index), at: rows.address(index, offset))
                } catch {
                    let failure = failure(error, index)
                    throw bridged.property.map { failure.within(.property($0)) } ?? failure
                }
            }
        }
    }
}

private func clear(_ address: UnsafeMutableRawPointer, _ size: Int) {
    unsafe UnsafeMutableRawBufferPointer(start: address, count: size).initializeMemory(as: UInt8.self, repeating: 0)
}
