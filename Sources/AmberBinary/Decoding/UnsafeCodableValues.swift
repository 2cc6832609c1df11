// Room:   AmberBinary / Decoding. The leaves of Codable values, into arrays; and the values made of them, into rows.
// Takes:  counts that were paid for; slots. Gives: arrays; values in uninitialised rows, or an error and none.
// Touches: arrays' memory; rows; ByteReader.
//
// Invariants
// 1. An array's memory is counted as initialised only when a column has filled all of it.
// 2. Rows are uninitialised memory with room for the type; a function that throws has left nothing initialised in them.

internal import AmberBytes
internal import AmberModel
internal import Foundation

extension GraphReader {
    /// Reads rows of a Codable type.
    mutating func readCodables(
        into rows: Rows, _ offset: Int, _ access: CodableAccess, _ target: ValuePlan
    ) throws(DecodingFailure) {
        let place = input.position
        let reader = try readCodables(rows.count)
        for index in 0..<rows.count {
            do {
                try unsafe access.decode(index, of: reader, at: rows.address(index, offset))
            } catch {
                rows.slice(0..<index).destroy(offset, target.witnesses)
                let failure = DecodingFailure(codable: error, offset: place)
                throw rows.count == 1 ? failure : failure.within(.index(index))
            }
        }
    }

    mutating func readStrings(_ count: Int) throws(DecodingFailure) -> [String] {
        guard count >= version.rowLimit else {
            var strings: [String] = []
            for _ in 0..<count { strings.append(try readRowString()) }
            return strings
        }
        var failure: ByteError?
        let strings = unsafe [String](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let base = buffer.baseAddress else { return }
            let rows = unsafe Rows(
                base: UnsafeMutableRawPointer(base), stride: MemoryLayout<String>.stride, count: count)
            do throws(ByteError) {
                try StringColumn.read(into: rows, 0, &scratch.u64, from: &input)
                filled = count
            } catch {
                failure = error
            }
        }
        if let failure { throw DecodingFailure(failure) }
        return strings
    }

    mutating func readData(_ count: Int) throws(DecodingFailure) -> [Data] {
        try lifting { () throws(ByteError) in
            var data: [Data] = []
            guard count >= version.rowLimit else {
                for _ in 0..<count {
                    let size = try input.readCount()
                    data.append(try unsafe Data(input.readBytes(size)))
                }
                return data
            }
            scratch.u64.resize(to: count)
            let bytes = try unsafe StringColumn.readBlocks(&scratch.u64, from: &input)
            var next = 0
            for size in scratch.u64 {
                data.append(unsafe Data(UnsafeRawBufferPointer(rebasing: bytes[next..<next + Int(size)])))
                next += Int(size)
            }
            return data
        }
    }

    /// Reads floats of four or eight bytes, each into a word.
    mutating func readWords(_ count: Int, _ size: Int) throws(DecodingFailure) -> [UInt64] {
        let bytes = try readWide(count, size, isDecimal: false)
        return unsafe bytes.withUnsafeBytes { bytes in
            (0..<count).map { index in
                size == 4
                    ? UInt64(unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                    : unsafe bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            }
        }
    }

    /// Reads numbers of `size` bytes, side by side.
    mutating func readWide(_ count: Int, _ size: Int, isDecimal: Bool) throws(DecodingFailure) -> [UInt8] {
        let bytes = try lifting { () throws(ByteError) in
            let (total, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow else { throw ByteError(.truncated(needed: Int.max), at: input.position) }
            guard count >= version.rowLimit else { return try input.readArray(total) }
            let values = try RawColumn.read(count: count, size: size, &scratch.u64, from: &input)
            return unsafe values.withAddress { unsafe Array(UnsafeRawBufferPointer(start: $0, count: total)) } ?? []
        }
        guard isDecimal else { return bytes }
        // Decimals lie in archives the same on every platform.
        var restored = [UInt8](repeating: 0, count: bytes.count)
        let areSound = unsafe bytes.withUnsafeBytes { source in
            unsafe restored.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return true }
                return (0..<count).allSatisfy { unsafe DecimalBytes.restore(from + $0 * size, to: to + $0 * size) }
            }
        }
        guard areSound else { throw fault(.inconsistent) }
        return restored
    }
}
