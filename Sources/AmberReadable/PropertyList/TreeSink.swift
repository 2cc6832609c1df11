// Room:   AmberReadable / PropertyList. A document as a tree of values.
// Takes:  the events of a value. Gives: a ReadableValue.
// Touches: nothing.

internal import Foundation

/// Builds a tree.
struct TreeSink: ReadableSink, ~Copyable {
    private enum Open {
        case object([(key: String, value: ReadableValue)])
        case array([ReadableValue])
    }

    let traits: SinkTraits
    private var open: [Open] = []
    private var keys: [String] = []
    private(set) var root = ReadableValue.null

    init(_ traits: SinkTraits) { self.traits = traits }

    private mutating func put(_ value: ReadableValue) {
        guard let last = open.indices.last else {
            root = value
            return
        }
        switch open[last] {
        case .object(var pairs):
            open[last] = .array([])
            pairs.append((keys.removeLast(), value))
            open[last] = .object(pairs)
        case .array(var elements):
            open[last] = .array([])
            elements.append(value)
            open[last] = .array(elements)
        }
    }

    mutating func beginObject() { open.append(.object([])) }
    mutating func beginArray() { open.append(.array([])) }
    mutating func endObject() { end() }
    mutating func endArray() { end() }

    private mutating func end() {
        switch open.removeLast() {
        case .object(let pairs): put(.object(pairs))
        case .array(let elements): put(.array(elements))
        }
    }

    mutating func key(_ key: EncodedKey) { keys.append(key.text) }
    mutating func key(text: String) { keys.append(text) }
    mutating func element() {}
    mutating func null() { put(.null) }
    mutating func bool(_ value: Bool) { put(.bool(value)) }
    mutating func integer(_ value: Int64) { put(.integer(value)) }
    mutating func integer(_ value: UInt64) { put(Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)) }
    mutating func number(text: String) { put(.number(text)) }
    mutating func double(_ value: Double) { put(.double(value)) }
    mutating func float(_ value: Float) { put(.float(value)) }
    mutating func string(_ value: String) { put(.string(value)) }
    mutating func data(_ value: Data) { put(.data(value)) }
    mutating func date(_ seconds: Double) { put(.date(Date(timeIntervalSinceReferenceDate: seconds))) }

    mutating func wrap(_ key: EncodedKey) {
        keys.append(key.text)
        open.append(.object([]))
        put(root)
    }
}

extension SinkTraits {
    /// What property lists have.
    static let propertyList = SinkTraits(
        hasNull: false, hasDates: true, hasData: true, datesHaveFractions: true, hasLongNumbers: false,
        hasNonFinite: true)
    /// XML property lists keep whole seconds alone.
    static let xmlPropertyList = SinkTraits(
        hasNull: false, hasDates: true, hasData: true, datesHaveFractions: false, hasLongNumbers: false,
        hasNonFinite: true)
}

extension ReadableValue {
    /// Hands the tree to another sink.
    func replay<Sink: ReadableSink & ~Copyable>(into sink: inout Sink) {
        switch self {
        case .null: sink.null()
        case .bool(let value): sink.bool(value)
        case .integer(let value): sink.integer(value)
        case .unsigned(let value): sink.integer(value)
        case .number(let text): sink.number(text: text)
        case .double(let value): sink.double(value)
        case .float(let value): sink.float(value)
        case .string(let text): sink.string(text)
        case .data(let data): sink.data(data)
        case .date(let date): sink.date(date.timeIntervalSinceReferenceDate)
        case .array(let elements):
            sink.beginArray()
            for element in elements {
                sink.element()
                element.replay(into: &sink)
            }
            sink.endArray()
        case .object(let pairs):
            sink.beginObject()
            for (key, value) in pairs {
                sink.key(text: key)
                value.replay(into: &sink)
            }
            sink.endObject()
        }
    }
}
