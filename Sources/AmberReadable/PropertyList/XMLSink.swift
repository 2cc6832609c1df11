// Room:   AmberReadable / PropertyList. XML property lists, written as they come.
// Takes:  the events of a value. Gives: UTF-8.
// Touches: nothing.

internal import AmberModel
internal import Foundation

/// Writes an XML property list.
struct XMLSink: ReadableSink, ~Copyable {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private var body: [UInt8] = []
    private var level = 0
    let traits = SinkTraits.xmlPropertyList

    var data: Data { Data(Array(Self.head.utf8) + body + Array("</plist>\n".utf8)) }

    private mutating func line(_ text: String) {
        for _ in 0..<level { body.append(UInt8(ascii: "\t")) }
        body += text.utf8
        body.append(UInt8(ascii: "\n"))
    }

    mutating func beginObject() {
        line("<dict>")
        level += 1
    }

    mutating func beginArray() {
        line("<array>")
        level += 1
    }

    mutating func endObject() {
        level -= 1
        line("</dict>")
    }

    mutating func endArray() {
        level -= 1
        line("</array>")
    }

    mutating func key(_ key: EncodedKey) { self.key(text: key.text) }

    mutating func key(text: String) {
        // A key that XML can't hold is told from all others by its form.
        line("<key>\(Self.escaped(text) ?? Marker.textKey(text))</key>")
    }

    mutating func element() {}
    mutating func null() { line("<string>$null</string>") }
    mutating func bool(_ value: Bool) { line(value ? "<true/>" : "<false/>") }
    mutating func integer(_ value: Int64) { line("<integer>\(value)</integer>") }
    mutating func integer(_ value: UInt64) { line("<integer>\(value)</integer>") }
    mutating func number(text: String) { line("<string>\(text)</string>") }
    mutating func double(_ value: Double) { line("<real>\(Self.text(value))</real>") }
    mutating func float(_ value: Float) {
        line("<real>\(value.isFinite ? value.description : Self.text(Double(value)))</real>")
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
        return value.description
    }

    mutating func string(_ value: String) {
        if let text = Self.escaped(value) { return line("<string>\(text)</string>") }
        // XML has no way to hold some characters.
        beginObject()
        key(text: Marker.text)
        data(Data(value.utf8))
        endObject()
    }

    mutating func data(_ value: Data) { line("<data>\(value.base64EncodedString())</data>") }
    mutating func date(_ seconds: Double) { line("<date>\(DateText.text(seconds) ?? "2001-01-01T00:00:00Z")</date>") }

    mutating func wrap(_ key: EncodedKey) {
        body = Array("<dict>\n<key>\(key.text)</key>\n".utf8) + body
        level = 1
    }

    /// The text with XML's own characters escaped; `nil` if it holds some that XML can't have.
    static func escaped(_ text: String) -> String? {
        var isPlain = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0x0d: isPlain = false
            case 0x09, 0x0a: break
            case 0..<0x20: return nil
            default: break
            }
        }
        if text.unicodeScalars.contains(where: { $0.value == 0xfffe || $0.value == 0xffff }) { return nil }
        if isPlain { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
