// Room:   AmberReadable / Document. A document as a flat list of nodes over its bytes, whatever form it was read from.
// Takes:  nodes in document order. Gives: kinds, children, text by node number.
// Touches: the memory that it owns.
//
// Invariants
// 1. `text` is memory of `textCapacity` bytes of which `textCount` are initialised; `nodes` likewise. Both are the document's own,
//    and change only while it is being built.
// 2. Of a node, `offset + length` lies within the text (leaves), and `end` within the nodes: whoever adds a node sees to it.
// 3. Node numbers that are handed in come from the document itself: from walks that end at `end`.

internal import AmberBytes
internal import AmberModel
internal import Foundation

/// What a node is.
enum NodeKind: UInt8 {
    case null, no, yes
    /// A number without fraction and exponent, as text.
    case integer
    /// Any other number, as text.
    case real
    /// Text as it is; or with JSON's escapes in it, checked.
    case string, escaped
    /// Children are keys and values by turns: `length` counts pairs.
    case object
    /// `length` counts elements.
    case array
    /// A Double's bits: seconds since 2001.
    case date
    case data
    /// A Double's or Float's bits.
    case double, float
    /// Stands for another node: `end` is its successor, `offset` the number of the other.
    case jump
    /// A Swift value that a migration gave: `offset` is its number.
    case value
}

/// One value or key of a document.
struct Node: BitwiseCopyable {
    var kind: NodeKind
    /// Whether an object has a key that begins with `$`.
    var hasMarker = false
    var offset: UInt32 = 0
    var length: UInt32 = 0
    /// The number of the node after this one and all that it holds.
    var end: UInt32 = 0
}

/// A document being built, then read.
@safe
final class Document {
    private(set) var nodes: UnsafeMutablePointer<Node>
    private var nodeCapacity: Int
    private(set) var count = 0
    private(set) var text: UnsafeMutablePointer<UInt8>
    private var textCapacity: Int
    private(set) var textCount: Int
    /// How many of the text's bytes are the source, whose lines and columns mean something.
    let sourceCount: Int
    var values: [Any] = []
    /// Where nodes stand in the source, if their text is no part of it.
    private var places: ContiguousArray<UInt32> = []

    /// A document without nodes over a copy of the bytes.
    init(copying source: Data) {
        let count = source.count
        textCount = count
        sourceCount = count
        // Sixteen bytes more, so that words can be loaded at the end.
        textCapacity = count + 16
        unsafe text = .allocate(capacity: textCapacity)
        unsafe source.copyBytes(to: text, count: count)
        unsafe (text + count).initialize(repeating: 0, count: 16)
        nodeCapacity = max(count / 6, 16)
        unsafe nodes = .allocate(capacity: nodeCapacity)
    }

    deinit {
        unsafe nodes.deallocate()
        unsafe text.deallocate()
    }

    /// Adds a node and gives its number; its end is the next one, until it is changed.
    @inline(__always)
    func add(_ kind: NodeKind, offset: Int = 0, length: Int = 0) -> Int {
        if count == nodeCapacity { growNodes() }
        let number = count
        unsafe (nodes + number).initialize(
            to: Node(
                kind: kind, offset: UInt32(truncatingIfNeeded: offset), length: UInt32(truncatingIfNeeded: length),
                end: UInt32(truncatingIfNeeded: number &+ 1)))
        count = number &+ 1
        return number
    }

    /// Ends a container whose children are all there.
    func close(_ number: Int, length: Int) {
        unsafe nodes[number].length = UInt32(truncatingIfNeeded: length)
        unsafe nodes[number].end = UInt32(truncatingIfNeeded: count)
    }

    /// Notes where the nodes that were added last stand in the source.
    func note(place: Int) {
        while places.count < count { places.append(UInt32(truncatingIfNeeded: place)) }
    }

    func mark(_ number: Int) { unsafe nodes[number].hasMarker = true }

    /// Adds bytes to the text and gives their offset.
    func append(text bytes: UnsafeRawBufferPointer) -> Int {
        if textCapacity - textCount - 16 < bytes.count {
            let capacity = max(textCapacity * 2, textCount + bytes.count + 16)
            let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            unsafe grown.initialize(from: text, count: textCount)
            unsafe text.deallocate()
            unsafe text = grown
            textCapacity = capacity
        }
        let offset = textCount
        if let base = bytes.baseAddress {
            unsafe UnsafeMutableRawPointer(text + offset).copyMemory(from: base, byteCount: bytes.count)
        }
        textCount += bytes.count
        unsafe (text + textCount).initialize(repeating: 0, count: 16)
        return offset
    }

    func append(bytes: [UInt8]) -> Int { unsafe bytes.withUnsafeBytes { unsafe append(text: $0) } }

    func append(text string: String) -> (offset: Int, length: Int) {
        var string = string
        return string.withUTF8 { unsafe (append(text: UnsafeRawBufferPointer($0)), $0.count) }
    }

    private func growNodes() {
        nodeCapacity *= 2
        let grown = UnsafeMutablePointer<Node>.allocate(capacity: nodeCapacity)
        unsafe grown.moveInitialize(from: nodes, count: count)
        unsafe nodes.deallocate()
        unsafe nodes = grown
    }

    // MARK: Reading

    @inline(__always) subscript(_ number: Int) -> Node { unsafe nodes[number] }
    @inline(__always) func kind(_ number: Int) -> NodeKind { unsafe nodes[number].kind }
    /// The node after this one and all that it holds.
    @inline(__always) func end(_ number: Int) -> Int { unsafe Int(nodes[number].end) }
    /// The number of a container's pairs or elements.
    @inline(__always) func length(_ number: Int) -> Int { unsafe Int(nodes[number].length) }

    /// The bytes of a leaf, as they stand in the document.
    @unsafe
    @inline(__always)
    func bytes(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        let node = unsafe nodes[number]
        return unsafe UnsafeBufferPointer(start: text + Int(node.offset), count: Int(node.length))
    }

    /// The text of a string or number.
    @inline(__always)
    func string(_ number: Int) -> String {
        // Only these kinds are text that a scanner checked, or that came from a String.
        switch kind(number) {
        case .string, .integer, .real:
            let raw = unsafe UnsafeRawBufferPointer(bytes(number))
            return unsafe uncheckedString(raw, isASCII: isASCII(raw))
        case .escaped: return unsafe unescaped(bytes(number))
        case .double: return Double(bitPattern: bits(number)).description
        case .float: return Float(bitPattern: UInt32(truncatingIfNeeded: bits(number))).description
        default: return ""
        }
    }

    /// The bits of a number of eight or four bytes.
    func bits(_ number: Int) -> UInt64 {
        let node = unsafe nodes[number]
        let place = unsafe UnsafeRawPointer(text + Int(node.offset))
        if node.length == 4 { return unsafe UInt64(place.loadUnaligned(as: UInt32.self)) }
        return unsafe place.loadUnaligned(as: UInt64.self)
    }

    /// Whether a key or string without escapes is this text.
    func equals(_ number: Int, _ wanted: String.UTF8View) -> Bool {
        guard length(number) == wanted.count else { return false }
        return unsafe bytes(number).elementsEqual(wanted)
    }

    /// Whether a key or string is this text.
    @inline(__always)
    func equals(_ number: Int, _ wanted: StaticString) -> Bool {
        let bytes = unsafe bytes(number)
        if kind(number) == .escaped { return string(number) == wanted.description }
        guard bytes.count == wanted.utf8CodeUnitCount else { return false }
        return unsafe equalBytes(UnsafeRawBufferPointer(bytes), wanted.utf8Start)
    }

    /// The line and column of a byte of the source.
    func position(of offset: Int) -> DecodingFailure.TextPosition? {
        guard sourceCount > 0, offset <= sourceCount else { return nil }
        var line = 1
        var start = 0
        for index in 0..<offset where unsafe text[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        // Columns are counted in characters as editors show them: continuation bytes don't count.
        let column = (start..<offset).count { unsafe text[$0] & 0xc0 != 0x80 }
        return .init(line: line, column: column + 1)
    }

    /// The place of a node in the source, if it is from there.
    func sourceOffset(_ number: Int) -> Int? {
        if number < places.count { return Int(places[number]) }
        let node = self[number]
        switch node.kind {
        case .jump: return sourceOffset(Int(node.offset))
        case .value: return nil
        case .string, .escaped: return Int(node.offset) <= sourceCount && sourceCount > 0 ? Int(node.offset) - 1 : nil
        default: return Int(node.offset) < sourceCount ? Int(node.offset) : nil
        }
    }

    /// The bytes of a leaf.
    func data(_ number: Int) -> Data { unsafe Data(bytes(number)) }
}
