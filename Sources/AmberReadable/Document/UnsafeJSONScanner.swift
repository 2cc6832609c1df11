// Room:   AmberReadable / Document. JSON text to nodes: RFC 8259, strictly, without recursion.
// Takes:  a document with its text. Gives: its nodes; or a failure with the byte at which the text is no JSON.
// Touches: the document's text, read only; its nodes, appended.
//
// Invariants
// 1. The text ends with sixteen zero bytes beyond `count`, which are no part of any token: reading one byte or word at
//    `position < count` and finding the end there needs no other check.
// 2. Every string and number added was checked here, so that whoever reads it needn't.

internal import AmberBytes
internal import AmberModel

/// Why a text is no JSON, and where.
struct SyntaxError: Error {
    var offset: Int
    var reason: String
    var isTruncation = false
    var isLimit = false
}

/// One pass over a JSON text.
@safe
struct JSONScanner {
    private let document: Document
    private let text: UnsafePointer<UInt8>
    private let count: Int
    private var position = 0
    /// How many nodes may be made.
    private let nodeLimit: Int
    /// Open containers, and how many children they have so far.
    private var open: ContiguousArray<(node: Int, count: Int)> = []

    init(_ document: Document, nodeLimit: Int) {
        self.document = document
        unsafe text = UnsafePointer(document.text)
        count = document.sourceCount
        self.nodeLimit = nodeLimit
    }

    /// Makes the nodes of the whole text.
    mutating func scan() throws(SyntaxError) {
        guard unsafe isValidUTF8(UnsafeRawBufferPointer(start: text, count: count)) else {
            throw SyntaxError(offset: firstInvalidByte(), reason: "The text is not UTF-8.")
        }
        if count >= 3, unsafe text[0] == 0xef, unsafe text[1] == 0xbb, unsafe text[2] == 0xbf { position = 3 }
        skipSpace()
        while true {
            // A value begins here.
            if document.count > nodeLimit {
                throw SyntaxError(offset: position, reason: "The document has too many values.", isLimit: true)
            }
            let byte = unsafe text[position]
            switch byte {
            case UInt8(ascii: "\""): try scanString()
            case UInt8(ascii: "{"):
                let node = document.add(.object, offset: position)
                position &+= 1
                skipSpace()
                if unsafe text[position] == UInt8(ascii: "}"), position < count {
                    position &+= 1
                    break
                }
                open.append((node, 0))
                try scanKey()
                continue
            case UInt8(ascii: "["):
                let node = document.add(.array, offset: position)
                position &+= 1
                skipSpace()
                if unsafe text[position] == UInt8(ascii: "]"), position < count {
                    position &+= 1
                    break
                }
                open.append((node, 0))
                continue
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
            case UInt8(ascii: "t"): try scanWord("true", .yes)
            case UInt8(ascii: "f"): try scanWord("false", .no)
            case UInt8(ascii: "n"): try scanWord("null", .null)
            default: throw unexpected("a value")
            }
            if try !finishValue() { return }
        }
    }

    /// Goes on after a value; `false` at the end of the text.
    @inline(__always)
    private mutating func finishValue() throws(SyntaxError) -> Bool {
        while true {
            skipSpace()
            guard let last = open.indices.last else {
                if position < count { throw unexpected("the end") }
                return false
            }
            open[last].count &+= 1
            let isObject = document.kind(open[last].node) == .object
            let byte = unsafe text[position]
            if byte == UInt8(ascii: ",") {
                position &+= 1
                skipSpace()
                if isObject { try scanKey() }
                return true
            }
            guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")), position < count else {
                throw unexpected(isObject ? "`,` or `}`" : "`,` or `]`")
            }
            position &+= 1
            document.close(open[last].node, length: open[last].count)
            open.removeLast()
        }
    }

    @inline(__always)
    private mutating func scanKey() throws(SyntaxError) {
        guard unsafe text[position] == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        let isMarker = unsafe text[position &+ 1] == UInt8(ascii: "$") || text[position &+ 1] == UInt8(ascii: "\\")
        if isMarker, let last = open.last { document.mark(last.node) }
        try scanString()
        skipSpace()
        guard unsafe text[position] == UInt8(ascii: ":") else { throw unexpected("`:` after a key") }
        position &+= 1
        skipSpace()
    }

    @inline(__always)
    private mutating func skipSpace() {
        while true {
            let byte = unsafe text[position]
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
            position &+= 1
        }
    }

    @inline(__always)
    private mutating func scanString() throws(SyntaxError) {
        let start = position &+ 1
        var index = start
        var kind = NodeKind.string
        while true {
            // Eight bytes at once: whether one is a quote, a backslash or a control character.
            let word = unsafe UnsafeRawPointer(text + index).loadUnaligned(as: UInt64.self).littleEndian
            let special = specialBytes(word)
            if special == 0 {
                index &+= 8
                continue
            }
            index &+= special.trailingZeroBitCount &>> 3
            let byte = unsafe text[index]
            if byte == UInt8(ascii: "\"") { break }
            if index >= count {
                throw SyntaxError(offset: count, reason: "The text ends within a string.", isTruncation: true)
            }
            guard byte == UInt8(ascii: "\\") else {
                throw SyntaxError(
                    offset: index, reason: "A control character stands in a string. Write it as an escape.")
            }
            kind = .escaped
            index = try checkEscape(index)
        }
        position = index &+ 1
        _ = document.add(kind, offset: start, length: index &- start)
    }

    /// The index after an escape.
    private func checkEscape(_ index: Int) throws(SyntaxError) -> Int {
        switch unsafe text[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index + 2
        case UInt8(ascii: "u"):
            guard let unit = hexadecimal(index + 2) else { break }
            if unit & 0xf800 != 0xd800 { return index + 6 }
            guard unit < 0xdc00, unsafe text[index + 6] == UInt8(ascii: "\\"),
                unsafe text[index + 7] == UInt8(ascii: "u"), let low = hexadecimal(index + 8), low & 0xfc00 == 0xdc00
            else { throw SyntaxError(offset: index, reason: "Half of a surrogate pair stands alone.") }
            return index + 12
        default: break
        }
        if index + 2 > count {
            throw SyntaxError(offset: count, reason: "The text ends within a string.", isTruncation: true)
        }
        throw SyntaxError(offset: index, reason: "A string has an escape that JSON doesn't know.")
    }

    private func hexadecimal(_ index: Int) -> UInt32? {
        guard index + 4 <= count else { return nil }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = unsafe hexadecimalDigit(text[index + offset]) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    @inline(__always)
    private mutating func scanNumber() throws(SyntaxError) {
        let start = position
        var index = position
        if unsafe text[index] == UInt8(ascii: "-") { index &+= 1 }
        let first = index
        while unsafe text[index] &- 0x30 < 10 { index &+= 1 }
        if index == first {
            position = index
            throw unexpected("a digit")
        }
        if index &- first > 1, unsafe text[first] == UInt8(ascii: "0") {
            throw SyntaxError(offset: start, reason: "A number begins with a zero that stands for nothing.")
        }
        var kind = NodeKind.integer
        if unsafe text[index] == UInt8(ascii: ".") {
            kind = .real
            index &+= 1
            if unsafe text[index] &- 0x30 >= 10 {
                position = index
                throw unexpected("a digit")
            }
            while unsafe text[index] &- 0x30 < 10 { index &+= 1 }
        }
        if unsafe text[index] | 0x20 == UInt8(ascii: "e") {
            kind = .real
            index &+= 1
            if unsafe text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index &+= 1 }
            if unsafe text[index] &- 0x30 >= 10 {
                position = index
                throw unexpected("a digit")
            }
            while unsafe text[index] &- 0x30 < 10 { index &+= 1 }
        }
        position = index
        _ = document.add(kind, offset: start, length: index &- start)
    }

    private mutating func scanWord(_ word: StaticString, _ kind: NodeKind) throws(SyntaxError) {
        let length = word.utf8CodeUnitCount
        for offset in 0..<length where unsafe text[position + offset] != word.utf8Start[offset] {
            position += offset
            throw unexpected("`\(word)`")
        }
        _ = document.add(kind, offset: position, length: length)
        position &+= length
    }

    // MARK: Failures

    private func unexpected(_ wanted: String) -> SyntaxError {
        if position >= count {
            return SyntaxError(
                offset: count, reason: "The text ends where \(wanted) is expected.", isTruncation: true)
        }
        let byte = unsafe text[position]
        let found = byte >= 0x20 && byte < 0x7f ? "`\(Character(UnicodeScalar(byte)))`" : "another character"
        return SyntaxError(offset: position, reason: "\(found) stands where \(wanted) is expected.")
    }

    private func firstInvalidByte() -> Int {
        var low = 0
        var high = count
        // The longest valid beginning, but for a sequence that is cut off.
        while low < high {
            let middle = (low + high + 1) / 2
            if unsafe isValidUTF8(UnsafeRawBufferPointer(start: text, count: trimmed(middle))) {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return trimmed(low)
    }

    /// The count without the beginning of a sequence at the end.
    private func trimmed(_ count: Int) -> Int {
        var end = count
        while end > 0, count - end < 3, unsafe text[end - 1] & 0xc0 == 0x80 { end -= 1 }
        return end > 0 && count - end < 4 && (unsafe text[end - 1] >= 0xc0) ? end - 1 : count
    }
}

/// The bytes of a word that end a run of plain characters in a string, marked in their top bit (the lowest such exactly).
@inline(__always)
func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let slash = word ^ (ones &* 0x5c)
    let control = (word &- ones &* 0x20) & ~word
    return (control | ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)) & tops
}

@inline(__always)
func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
}
