// Room:   AmberReadable / Text. Where a writer's values go: a text, or a tree.
// Takes:  containers begun and ended, keys, leaves. Gives: nothing; see the sinks.
// Touches: nothing.

internal import Foundation

/// A key as it is written, its `$` escaped, and as JSON has it, with quotes and colon.
final class EncodedKey: Sendable {
    let text: String
    let json: ContiguousArray<UInt8>

    init(_ name: String) { (text, json) = Self.encoded(Marker.escaped(name)) }

    init(marker: String) { (text, json) = Self.encoded(marker) }

    private static func encoded(_ text: String) -> (String, ContiguousArray<UInt8>) {
        var sink = JSONSink(isPretty: false)
        sink.string(text)
        return (text, ContiguousArray(sink.bytes + [UInt8(ascii: ":")]))
    }
}

/// What a form of documents has of its own.
struct SinkTraits {
    /// Whether there is a null, so that nothing stands for it.
    var hasNull = true
    /// Whether dates and data are values of the form.
    var hasDates = false
    var hasData = false
    /// Whether a date may have a fraction of a second.
    var datesHaveFractions = false
    /// Whether numbers may have any digits; otherwise those beyond 64 bits are written as strings.
    var hasLongNumbers = true
    /// Whether NaN and the infinities are numbers of the form.
    var hasNonFinite = false
}

/// Takes the events of a value that is written.
protocol ReadableSink: ~Copyable {
    var traits: SinkTraits { get }
    mutating func beginObject()
    mutating func endObject()
    mutating func beginArray()
    mutating func endArray()
    /// The key of the next value.
    mutating func key(_ key: EncodedKey)
    /// The same for a key that is known only now, `$` escaped already.
    mutating func key(text: String)
    /// Announces an element of an array.
    mutating func element()
    mutating func null()
    mutating func bool(_ value: Bool)
    mutating func integer(_ value: Int64)
    mutating func integer(_ value: UInt64)
    mutating func number(text: String)
    mutating func double(_ value: Double)
    mutating func float(_ value: Float)
    mutating func string(_ value: String)
    mutating func data(_ value: Data)
    mutating func date(_ seconds: Double)
    /// Makes what was written so far the first member of an object, which is open afterwards.
    mutating func wrap(_ key: EncodedKey)
}

/// The keys that are not a user's.
enum Marker {
    static let type = "$class"
    static let alias = "$alias"
    static let version = "$version"
    static let value = "$value"
    static let pairs = "$pairs"
    static let data = "$data"
    static let date = "$date"
    static let some = "$some"
    static let root = "$root"
    static let objects = "$objects"
    static let structure = "$struct"
    static let item = "$case"
    static let raw = "$raw"
    static let text = "$text"

    /// All of them.
    static let all: Set<String> = [
        type, alias, version, value, pairs, data, date, some, root, objects, structure, item, raw, text,
    ]

    static let typeKey = EncodedKey(marker: type)
    static let aliasKey = EncodedKey(marker: alias)
    static let versionKey = EncodedKey(marker: version)
    static let valueKey = EncodedKey(marker: value)
    static let pairsKey = EncodedKey(marker: pairs)
    static let dataKey = EncodedKey(marker: data)
    static let dateKey = EncodedKey(marker: date)
    static let someKey = EncodedKey(marker: some)
    static let objectsKey = EncodedKey(marker: objects)
    static let rootKey = EncodedKey(marker: root)
    static let structureKey = EncodedKey(marker: structure)
    static let itemKey = EncodedKey(marker: item)
    static let rawKey = EncodedKey(marker: raw)

    /// A key that XML can't hold, as base64 behind a marker.
    static func textKey(_ key: String) -> String { "$text:" + Data(key.utf8).base64EncodedString() }

    static func key(ofText text: String) -> String? {
        guard text.hasPrefix("$text:"), let data = Data(base64Encoded: String(text.dropFirst(6))) else { return nil }
        return String(data: data, encoding: .utf8)
    }

    /// A user's key as documents have it: one that begins with `$` has one more.
    static func escaped(_ key: String) -> String { key.utf8.first == UInt8(ascii: "$") ? "$" + key : key }

    /// The name of a property as documents have it: the names of values without a key, `$0`, `$1` and so on, stay as they are.
    static func escaped(property name: String) -> String {
        let digits = name.utf8.dropFirst()
        let isNumbered = name.utf8.first == UInt8(ascii: "$") && !digits.isEmpty && digits.allSatisfy { 48...57 ~= $0 }
        return isNumbered ? name : escaped(name)
    }

    /// A user's key again; `nil` for a marker.
    static func unescaped(_ key: String) -> String? {
        guard key.utf8.first == UInt8(ascii: "$") else { return key }
        return key.utf8.dropFirst().first == UInt8(ascii: "$") ? String(key.dropFirst()) : nil
    }
}
