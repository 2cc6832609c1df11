// Room:   AmberReadable / Text. JSON written as it comes: digits, escapes and indentation straight into one buffer.
// Takes:  the events of a value. Gives: UTF-8.
// Touches: the buffer that it owns.
//
// Invariants
// 1. Each function reserves what it stores: 20 digits of a number, six bytes for each of a string's that is escaped.

internal import AmberBytes
internal import AmberModel
internal import Foundation

/// Writes JSON.
@safe
struct JSONSink: ReadableSink, ~Copyable {
    private var out: ByteWriter
    private let isPretty: Bool
    private var level = 0
    /// Whether something stands before the next element or key in its container.
    private var needsComma = false

    init(isPretty: Bool, capacity: Int = 256) {
        out = ByteWriter(capacity: capacity)
        self.isPretty = isPretty
    }

    var traits: SinkTraits { SinkTraits() }

    var count: Int { out.count }
    var bytes: [UInt8] { unsafe out.withBytes { unsafe Array($0) } }

    mutating func take() -> Data {
        let memory = unsafe out.take()
        guard let base = memory.baseAddress else { return Data() }
        return unsafe Data(bytesNoCopy: base, count: memory.count, deallocator: .free)
    }

    /// Puts bytes before everything written so far.
    mutating func prepend(_ bytes: [UInt8]) {
        let old = self.bytes
        out.truncate(to: 0)
        out.write(bytes: bytes)
        out.write(bytes: old)
    }

    /// Puts everything written so far into an object, which is open afterwards.
    mutating func wrap(_ key: EncodedKey) {
        prepend([UInt8(ascii: "{")] + key.json + (isPretty ? [UInt8(ascii: " ")] : []))
        level += 1
        needsComma = true
    }

    mutating func newLineAtEnd() { out.write(byte: UInt8(ascii: "\n")) }

    // MARK: Containers

    @inline(__always)
    mutating func beginObject() { begin(UInt8(ascii: "{")) }
    @inline(__always)
    mutating func endObject() { end(UInt8(ascii: "}")) }
    @inline(__always)
    mutating func beginArray() { begin(UInt8(ascii: "[")) }
    @inline(__always)
    mutating func endArray() { end(UInt8(ascii: "]")) }

    @inline(__always)
    private mutating func begin(_ byte: UInt8) {
        out.write(byte: byte)
        level &+= 1
        needsComma = false
    }

    @inline(__always)
    private mutating func end(_ byte: UInt8) {
        level &-= 1
        if isPretty, needsComma { newLine() }
        out.write(byte: byte)
        needsComma = true
    }

    @inline(never)
    private mutating func newLine() {
        out.reserve(level * 2 + 1)
        out.write(byte: UInt8(ascii: "\n"))
        for _ in 0..<level {
            out.write(byte: UInt8(ascii: " "))
            out.write(byte: UInt8(ascii: " "))
        }
    }

    @inline(__always)
    mutating func element() {
        if needsComma { out.write(byte: UInt8(ascii: ",")) }
        if isPretty { newLine() }
        needsComma = true
    }

    @inline(__always)
    mutating func key(_ key: EncodedKey) {
        element()
        unsafe key.json.withUnsafeBytes { unsafe out.write(bytes: $0) }
        if isPretty { out.write(byte: UInt8(ascii: " ")) }
    }

    mutating func key(text: String) {
        element()
        string(text)
        out.write(byte: UInt8(ascii: ":"))
        if isPretty { out.write(byte: UInt8(ascii: " ")) }
    }

    // MARK: Leaves

    mutating func null() { write("null") }
    @inline(__always)
    mutating func bool(_ value: Bool) { write(value ? "true" : "false") }

    @inline(__always)
    private mutating func write(_ text: StaticString) {
        unsafe out.write(bytes: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        needsComma = true
    }

    @inline(__always)
    mutating func integer(_ value: Int64) {
        out.reserve(20)
        if value < 0 { out.write(byte: UInt8(ascii: "-")) }
        digits(value.magnitude)
    }

    @inline(__always)
    mutating func integer(_ value: UInt64) {
        out.reserve(20)
        digits(value)
    }

    @inline(__always)
    private mutating func digits(_ value: UInt64) {
        needsComma = true
        if value < 10 { return out.write(byte: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
        var count = 2
        var limit: UInt64 = 100
        while count < 20, value >= limit {
            count &+= 1
            // The last comparison is with 10^19, the largest power that fits.
            if count < 20 { limit = limit &* 10 }
        }
        unsafe out.appendUninitialized(count) { base in
            var rest = value
            var index = count
            while index > 0 {
                index &-= 1
                let quotient = rest / 10
                unsafe base.storeBytes(
                    of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- quotient &* 10), toByteOffset: index,
                    as: UInt8.self)
                rest = quotient
            }
        }
    }

    mutating func number(text: String) {
        var text = text
        text.withUTF8 { unsafe out.write(bytes: UnsafeRawBufferPointer($0)) }
        needsComma = true
    }

    mutating func double(_ value: Double) {
        value.isFinite
            ? number(text: value.description) : string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
    }
    mutating func float(_ value: Float) { value.isFinite ? number(text: value.description) : double(Double(value)) }

    @inline(__always)
    mutating func string(_ value: String) {
        needsComma = true
        let isDone: Void? = unsafe value.utf8.withContiguousStorageIfAvailable { unsafe quote($0) }
        if isDone == nil {
            var copy = value
            copy.withUTF8 { unsafe quote($0) }
        }
    }

    @inline(__always)
    private mutating func quote(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = bytes.count
        out.reserve(count &+ 10)
        out.write(byte: UInt8(ascii: "\""))
        guard let base = bytes.baseAddress else { return out.write(byte: UInt8(ascii: "\"")) }
        var done = 0
        let source = unsafe UnsafeRawPointer(base)
        while done &+ 8 <= count {
            let word = unsafe source.loadUnaligned(fromByteOffset: done, as: UInt64.self)
            if specialBytes(word) != 0 { break }
            unsafe out.base.storeBytes(of: word, toByteOffset: out.count, as: UInt64.self)
            out.count &+= 8
            done &+= 8
        }
        while done < count {
            let byte = unsafe base[done]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return unsafe quoteSlowly(bytes, from: done)
            }
            unsafe out.base.storeBytes(of: byte, toByteOffset: out.count, as: UInt8.self)
            out.count &+= 1
            done &+= 1
        }
        out.write(byte: UInt8(ascii: "\""))
    }

    @inline(never)
    private mutating func quoteSlowly(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        for index in start..<bytes.count {
            let byte = unsafe bytes[index]
            switch byte {
            case UInt8(ascii: "\""): write("\\\"")
            case UInt8(ascii: "\\"): write("\\\\")
            case 0x0a: write("\\n")
            case 0x0d: write("\\r")
            case 0x09: write("\\t")
            case 0..<0x20:
                write(byte < 0x10 ? "\\u000" : "\\u001")
                out.write(byte: Array("0123456789abcdef".utf8)[Int(byte & 15)])
            default: out.write(byte: byte)
            }
        }
        out.write(byte: UInt8(ascii: "\""))
    }

    mutating func data(_ value: Data) { string(value.base64EncodedString()) }
    mutating func date(_ seconds: Double) {
        if let text = DateText.text(seconds) { string(text) } else { double(seconds) }
    }
}
