// Room:   AmberBinary / Encoding. The leaves of Codable values that lie in arrays: strings, data, numbers as bytes.
// Takes:  arrays. Gives: rows or a column, as for values in the fields of models.
// Touches: the arrays' memory, read only; ByteWriter.
//
// Invariants
// 1. Rows over an array are used inside the call that gives the array's memory.

internal import AmberBytes
internal import AmberModel
internal import Foundation

extension GraphWriter {
    /// Writes a key: as a string in a row.
    mutating func writeKey(_ key: String) {
        unsafe withUnsafePointer(to: key) { unsafe writeString(UnsafeRawPointer($0)) }
    }

    mutating func writeStrings(_ strings: [String]) {
        unsafe strings.withUnsafeBufferPointer { buffer in
            let rows = unsafe Rows(elements: buffer)
            guard rows.count >= version.rowLimit else {
                for index in 0..<rows.count { unsafe writeString(rows.address(index, 0)) }
                return
            }
            StringColumn.write(rows, 0, &scratch, to: &out)
        }
    }

    mutating func writeData(_ data: [Data]) {
        unsafe data.withUnsafeBufferPointer { buffer in
            let rows = unsafe Rows(elements: buffer)
            guard rows.count >= version.rowLimit else {
                for item in data {
                    out.write(count: item.count)
                    unsafe item.withUnsafeBytes { unsafe out.write(bytes: $0) }
                }
                return
            }
            DataColumn.write(rows, 0, &scratch.u64, to: &out)
        }
    }

    /// Writes numbers that are no integers of 64 bits.
    mutating func writeRaw(_ variant: CodableVariant) {
        let size = variant.kind.scalar?.size ?? 8
        if variant.kind.isWord {
            // The bytes of the number come first in its word.
            unsafe variant.words.withUnsafeBufferPointer { unsafe writeRaw(Rows(elements: $0), size) }
        } else {
            var archived = variant.bytes
            if variant.kind == .decimal {
                // Decimals lie in archives the same on every platform.
                unsafe variant.bytes.withUnsafeBytes { source in
                    unsafe archived.withUnsafeMutableBytes { target in
                        guard let from = source.baseAddress, let to = target.baseAddress else { return }
                        for start in stride(from: 0, to: source.count, by: size) {
                            unsafe DecimalBytes.archive(from + start, to: to + start)
                        }
                    }
                }
            }
            unsafe archived.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                writeRaw(
                    unsafe Rows(
                        base: UnsafeMutableRawPointer(mutating: base), stride: size, count: bytes.count / size), size)
            }
        }
    }

    private mutating func writeRaw(_ rows: Rows, _ size: Int) {
        guard rows.count >= version.rowLimit else {
            for index in 0..<rows.count {
                unsafe out.write(bytes: UnsafeRawBufferPointer(start: rows.address(index, 0), count: size))
            }
            return
        }
        RawColumn.write(rows, 0, size: size, &scratch.u64, to: &out)
    }
}

extension Rows {
    /// The elements of an array, for the time of a call.
    @unsafe
    fileprivate init<T>(elements: UnsafeBufferPointer<T>) {
        guard let base = elements.baseAddress else {
            unsafe self.init([])
            return
        }
        unsafe self.init(
            base: UnsafeMutableRawPointer(mutating: base), stride: MemoryLayout<T>.stride, count: elements.count)
    }
}
