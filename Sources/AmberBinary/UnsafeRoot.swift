// Room:   AmberBinary. The root value as one row, and the archive as Data.
// Takes:  a value; finished bytes. Gives: rows to walk; Data without a copy.
// Touches: the root value; memory of a ByteWriter.
//
// Invariants
// 1. The row is valid inside the closure only, while the root is borrowed.
// 2. A writer that borrows the memory of Data does so inside the closure that lends it.
// 3. Memory taken from a writer comes from malloc and is freed by the Data, once.

internal import AmberBytes
internal import AmberModel
internal import Foundation

/// Gives `body` the value as a batch of one row.
func withRows<Root, R, E: Error>(of root: borrowing Root, _ body: (Rows) throws(E) -> R) throws(E) -> R {
    if MemoryLayout<Root>.size == 0 {
        // A value without memory may have no address; nothing is ever read from this one.
        var nothing: UInt64 = 0
        return try unsafe withUnsafeMutablePointer(to: &nothing) { pointer throws(E) in
            try unsafe body(Rows(base: UnsafeMutableRawPointer(pointer), stride: 1, count: 1))
        }
    }
    return try unsafe withUnsafePointer(to: root) { pointer throws(E) in
        let base = unsafe UnsafeMutableRawPointer(mutating: pointer)
        return try unsafe body(Rows(base: base, stride: MemoryLayout<Root>.stride, count: 1))
    }
}

extension Data {
    /// The bytes of a writer, which is empty afterwards.
    init(taking writer: inout ByteWriter) {
        let memory = unsafe writer.take()
        guard let base = memory.baseAddress else {
            self.init()
            return
        }
        unsafe self.init(bytesNoCopy: base, count: memory.count, deallocator: .free)
    }
}

extension Data {
    /// Replaces the bytes by what `write` writes: into the memory that is there, as long as it suffices.
    ///
    /// - Parameters:
    ///   - room: Bytes to have room for.
    ///   - write: Writes the new bytes.
    /// - Throws: What `write` throws; there are no bytes then.
    mutating func rewrite<E: Error>(room: Int, _ write: (inout ByteWriter) throws(E) -> Void) throws(E) {
        if count < room { count = room }
        // What didn't fit, or how many bytes did.
        let result = unsafe withUnsafeMutableBytes { memory -> Result<(Data?, Int), E> in
            var writer = unsafe ByteWriter(borrowing: memory)
            do throws(E) { try write(&writer) } catch { return .failure(error) }
            if writer.isBorrowed { return .success((nil, writer.count)) }
            return .success((Data(taking: &writer), 0))
        }
        switch result {
        case .success((let data?, _)): self = data
        case .success((nil, let size)): if count != size { count = size }
        case .failure(let error):
            removeAll(keepingCapacity: true)
            throw error
        }
    }
}

extension ByteWriter {
    /// A copy of the bytes written so far.
    var contents: [UInt8] {
        unsafe withBytes { unsafe Array($0) }
    }

    /// Appends a copy of what another writer holds.
    mutating func write(contentsOf other: borrowing ByteWriter) {
        unsafe other.withBytes { unsafe write(bytes: $0) }
    }
}

extension Data {
    /// Gives `body` the bytes, with a typed error.
    func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try unsafe bytes.withUnsafeBytes(body)
    }
}

/// Gives `fill` memory for one value as a row, and returns the value that it puts there.
func makeRoot<Root, E: Error>(_ type: Root.Type, _ fill: (Rows) throws(E) -> Void) throws(E) -> Root {
    let memory = UnsafeMutablePointer<Root>.allocate(capacity: 1)
    defer { unsafe memory.deallocate() }
    try unsafe fill(Rows(base: UnsafeMutableRawPointer(memory), stride: MemoryLayout<Root>.stride, count: 1))
    return unsafe memory.move()
}
