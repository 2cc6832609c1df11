// Room:   AmberReadable / Mapping. Dates as outside JSON has them.
// Takes:  seconds since 2001. Gives: a text or number; and back.
// Touches: nothing.

internal import AmberModel
public import Foundation

/// How dates stand in mapped JSON.
public enum MappedDateStrategy: Sendable {
    /// As ISO 8601 with as many digits of a second as the date has: `2026-05-25T22:46:27.5Z`. All variants of it are read.
    case iso8601
    /// As seconds since 1970, a number.
    case seconds
    /// As milliseconds since 1970, a number.
    case milliseconds
    /// As seconds since 1970, a text.
    case secondsText
    /// As milliseconds since 1970, a text.
    case millisecondsText
    /// As a text in a format of `DateFormatter`, in UTC and the locale `en_US_POSIX`.
    case format(String)
    /// As what two functions make of it: a text.
    case custom(text: @Sendable (Date) -> String, date: @Sendable (String) -> Date?)

    /// Seconds from 1970 to 2001.
    static let reference = Date.timeIntervalBetween1970AndReferenceDate

    func write<Sink: ReadableSink & ~Copyable>(_ seconds: Double, to sink: inout Sink) throws(EncodingFailure) {
        switch self {
        case .iso8601:
            if let text = DateText.text(seconds) { return sink.string(text) }
            sink.double(seconds + Self.reference)
        case .seconds: Self.write(seconds + Self.reference, to: &sink)
        case .milliseconds: Self.write(Self.milliseconds(seconds), to: &sink)
        case .secondsText: sink.string(Self.text(seconds + Self.reference))
        case .millisecondsText: sink.string(Self.text(Self.milliseconds(seconds)))
        case .format(let format):
            sink.string(Self.formatter(format).string(from: Date(timeIntervalSinceReferenceDate: seconds)))
        case .custom(let text, _): sink.string(text(Date(timeIntervalSinceReferenceDate: seconds)))
        }
    }

    /// The time of a number or text, or `nil` if the strategy takes no such one.
    func seconds(_ value: ReadableValue) -> Double? {
        let result: Double?
        switch (self, value) {
        case (.iso8601, .string(let text)): result = DateText.seconds(text)
        case (.format(let format), .string(let text)):
            result = Self.formatter(format).date(from: text)?.timeIntervalSinceReferenceDate
        case (.custom(_, let date), .string(let text)): result = date(text)?.timeIntervalSinceReferenceDate
        case (.format, _), (.custom, _): result = nil
        default:
            let number: Double?
            if case .string(let text) = value { number = Double(text) } else { number = value.double }
            switch self {
            case .milliseconds, .millisecondsText: result = number.map { $0 / 1000 - Self.reference }
            default: result = number.map { $0 - Self.reference }
            }
        }
        return result.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whole milliseconds where the date was read from such; a Double can't hold all of their fractions.
    private static func milliseconds(_ seconds: Double) -> Double {
        let exact = (seconds + reference) * 1000
        let whole = exact.rounded()
        return whole / 1000 - reference == seconds ? whole : exact
    }

    private static func write<Sink: ReadableSink & ~Copyable>(_ value: Double, to sink: inout Sink) {
        if let whole = Int64(exactly: value) { sink.integer(whole) } else { sink.double(value) }
    }

    private static func text(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// The strategy in the words of an error.
    var words: String {
        switch self {
        case .iso8601: "ISO 8601"
        case .seconds: "seconds since 1970"
        case .milliseconds: "milliseconds since 1970"
        case .secondsText: "a text with seconds since 1970"
        case .millisecondsText: "a text with milliseconds since 1970"
        case .format(let format): "a text as \(format)"
        case .custom: "a text of its own"
        }
    }

    private static func formatter(_ format: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter
    }
}
