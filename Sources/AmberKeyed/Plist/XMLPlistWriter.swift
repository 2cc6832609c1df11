// Room:   AmberKeyed / Plist. Values to an XML property list.
// Takes:  a tree. Gives: the text that Apple's writer gives, a reference as a dictionary with the one key CF$UID.
// Touches: ByteWriter. Never: an object, a class.

import AmberBytes
import Foundation

struct XMLPlistWriter: ~Copyable {
    private var writer = ByteWriter(capacity: 1024)

    private enum Step {
        case value(PlistValue, Int)
        case key(String, Int)
        case close(String, Int)
    }

    /// The document that holds `value`.
    ///
    /// - Throws: `.unsupportedType` when a string holds a character that no XML 1.0 document can hold.
    static func data(for value: PlistValue) throws(KeyedFailure) -> Data {
        var writer = XMLPlistWriter()
        writer.text(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """)
        // A stack of what is still to be written, in place of recursion over the tree's depth.
        var steps: [Step] = [.value(value, 0)]
        while let step = steps.popLast() {
            switch step {
            case .close(let name, let depth):
                writer.indent(depth)
                writer.text("</\(name)>\n")
            case .key(let key, let depth):
                writer.indent(depth)
                writer.text("<key>")
                try writer.escaped(key)
                writer.text("</key>\n")
            case .value(.array(let elements), let depth) where !elements.isEmpty:
                writer.indent(depth)
                writer.text("<array>\n")
                steps.append(.close("array", depth))
                for element in elements.reversed() { steps.append(.value(element, depth + 1)) }
            case .value(.dictionary(let dictionary), let depth) where !dictionary.entries.isEmpty:
                writer.indent(depth)
                writer.text("<dict>\n")
                steps.append(.close("dict", depth))
                for entry in dictionary.entries.reversed() {
                    steps.append(.value(entry.value, depth + 1))
                    steps.append(.key(entry.key, depth + 1))
                }
            case .value(let value, let depth):
                writer.indent(depth)
                try writer.scalar(value, depth)
            }
        }
        writer.text("</plist>\n")
        return writer.finish()
    }

    private consuming func finish() -> Data {
        plistData(from: writer)
    }

    private mutating func text(_ text: String) {
        writer.write(utf8: text)
    }

    private mutating func indent(_ depth: Int) {
        for _ in 0..<min(depth, 64) { writer.write(byte: UInt8(ascii: "\t")) }
    }

    private mutating func scalar(_ value: PlistValue, _ depth: Int) throws(KeyedFailure) {
        switch value {
        case .bool(let value): text(value ? "<true/>\n" : "<false/>\n")
        case .integer(let value): text("<integer>\(value)</integer>\n")
        case .unsigned(let value): text("<integer>\(value)</integer>\n")
        case .float(let value): text("<real>\(Self.real(Double(value), String(describing: value)))</real>\n")
        case .double(let value): text("<real>\(Self.real(value, String(describing: value)))</real>\n")
        case .date(let seconds):
            guard let date = XMLPlistDate.text(for: seconds) else {
                throw KeyedFailure(
                    .unsupportedType,
                    "XML holds whole seconds of the years 0 to 9999: \(seconds) since 2001 is none. Write the binary form."
                )
            }
            text("<date>\(date)</date>\n")
        case .data(let data): text("<data>\n\(data.base64EncodedString())\n</data>\n")
        case .string(let string):
            text("<string>")
            try escaped(string)
            text("</string>\n")
        case .reference(let number):
            text("<dict>\n")
            indent(depth + 1)
            text("<key>CF$UID</key>\n")
            indent(depth + 1)
            text("<integer>\(number)</integer>\n")
            indent(depth)
            text("</dict>\n")
        case .array: text("<array/>\n")
        case .dictionary: text("<dict/>\n")
        }
    }

    /// A real as text: the shortest that reads back the same, infinities and NaN as CoreFoundation spells them.
    private static func real(_ value: Double, _ text: String) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
        return text
    }

    private mutating func escaped(_ string: String) throws(KeyedFailure) {
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "<"): text("&lt;")
            case UInt8(ascii: ">"): text("&gt;")
            case UInt8(ascii: "&"): text("&amp;")
            // A bare carriage return would be read as a line feed.
            case 0x0d: text("&#13;")
            case 0x09, 0x0a: writer.write(byte: byte)
            case 0x00..<0x20:
                throw KeyedFailure(
                    .unsupportedType, "The control character \(byte) can't stand in XML. Write the binary form.")
            default: writer.write(byte: byte)
            }
        }
    }
}

/// The dates of XML property lists: UTC, whole seconds.
enum XMLPlistDate {
    /// Nil for what such a date can't say.
    static func text(for seconds: Double) -> String? {
        guard let whole = Int64(exactly: seconds), (-63_113_904_000...252_423_993_599).contains(whole) else {
            return nil
        }
        let day = whole.flooredQuotient(by: 86_400)
        let rest = whole - day * 86_400
        let (year, month, dayOfMonth) = civil(day + 11_323)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        return "\(date)T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
    }

    /// Seconds since 2001 of `YYYY-MM-DDThh:mm:ssZ`.
    static func seconds(from text: String) -> Double? {
        let fields = text.split(whereSeparator: { "-T:Z".contains($0) })
        guard fields.count == 6, text.hasSuffix("Z") else { return nil }
        let numbers = fields.compactMap { Int64($0) }
        guard numbers.count == 6, (0...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2]), (0...24).contains(numbers[3]), (0...59).contains(numbers[4]),
            (0...60).contains(numbers[5])
        else { return nil }
        let days = daysSince1970(numbers[0], numbers[1], numbers[2]) - 11_323
        return Double(days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    }

    // The proleptic Gregorian calendar in eras of 400 years, years counted from March; days count from 1970.

    private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
