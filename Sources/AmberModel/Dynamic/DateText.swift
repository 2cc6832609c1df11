// Room:   AmberModel / Dynamic. Dates as ISO 8601, with as many digits as tell a Double from its neighbours.
// Takes:  seconds since 2001-01-01T00:00:00Z; a text. Gives: the other, to the bit.
// Touches: nothing.

/// ISO 8601 as people and APIs write it.
package enum DateText {
    /// Seconds from year 1 to the end of year 9999.
    private static let range = -63_113_904_000.0..<252_423_993_600.0
    private static let secondsPerDay: Int64 = 86_400
    /// Days from 1970-01-01 to 2001-01-01.
    private static let daysToReference: Int64 = 11_323

    /// Whether a time has a text without digits after the second.
    package static func isWhole(_ seconds: Double) -> Bool {
        range.contains(seconds) && seconds == seconds.rounded() && !(seconds == 0 && seconds.sign == .minus)
    }

    /// The text of a time, or `nil` if it has none that reads back to the same bits.
    package static func text(_ seconds: Double) -> String? {
        guard range.contains(seconds), !(seconds == 0 && seconds.sign == .minus) else { return nil }
        var whole = Int64(seconds.rounded(.down))
        var fraction: [UInt8] = []
        if Double(whole) != seconds {
            guard let digits = decimals(of: abs(seconds)) else { return nil }
            // Times before the reference count backwards; clocks don't.
            fraction = seconds < 0 ? complement(digits) : digits
            if fraction.isEmpty { whole += 1 }
        }
        var text: [UInt8] = []
        text.reserveCapacity(32)
        let day = floorDivision(whole, secondsPerDay)
        let second = whole - day * secondsPerDay
        let (year, month, date) = civil(day + daysToReference)
        put(year, 4, &text)
        text.append(UInt8(ascii: "-"))
        put(month, 2, &text)
        text.append(UInt8(ascii: "-"))
        put(date, 2, &text)
        text.append(UInt8(ascii: "T"))
        put(second / 3600, 2, &text)
        text.append(UInt8(ascii: ":"))
        put(second / 60 % 60, 2, &text)
        text.append(UInt8(ascii: ":"))
        put(second % 60, 2, &text)
        if !fraction.isEmpty {
            text.append(UInt8(ascii: "."))
            text += fraction
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// The time of a text: a date, or a date and a time of day with or without fraction and offset.
    ///
    /// A `T`, `t` or space stands between date and time; the offset is `Z`, `z`, `±hh`, `±hhmm` or `±hh:mm`, with or without a
    /// space before it; without one the time is UTC.
    package static func seconds(_ text: String) -> Double? {
        var scanner = Scanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let date = scanner.digits(2), year > 0, (1...12).contains(month), date >= 1,
            date <= daysIn(month, year)
        else { return nil }
        var whole = (days(year, month, date) - daysToReference) * secondsPerDay
        if scanner.isAtEnd { return Double(whole) }
        guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "), let hour = scanner.digits(2),
            scanner.skip(":"), let minute = scanner.digits(2), hour < 24, minute < 60
        else { return nil }
        var second: Int64 = 0
        var fraction: [UInt8] = []
        if scanner.skip(":") {
            guard let given = scanner.digits(2), given <= 60 else { return nil }
            second = given
            if scanner.skip(".") || scanner.skip(",") {
                fraction = scanner.run()
                guard !fraction.isEmpty else { return nil }
            }
        }
        whole += hour * 3600 + minute * 60 + second
        _ = scanner.skip(" ")
        if !scanner.isAtEnd, !scanner.skip("Z"), !scanner.skip("z") {
            let isWest = scanner.skip("-")
            guard isWest || scanner.skip("+"), let hours = scanner.digits(2), hours < 24 else { return nil }
            _ = scanner.skip(":")
            let minutes = scanner.isAtEnd ? 0 : scanner.digits(2)
            guard let minutes, minutes < 60 else { return nil }
            whole -= (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
        guard scanner.isAtEnd else { return nil }
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        if fraction.isEmpty { return Double(whole) }
        guard fraction.count < 400 else { return nil }
        let digits = String(decoding: whole < 0 ? complement(fraction) : fraction, as: UTF8.self)
        return Double(whole < 0 ? "-\(-whole - 1).\(digits)" : "\(whole).\(digits)")
    }

    // MARK: Digits

    /// The digits after the point of a number that isn't whole.
    private static func decimals(of value: Double) -> [UInt8]? {
        let text = Array(value.description.utf8)
        guard let exponent = text.firstIndex(of: UInt8(ascii: "e")) else {
            return text.firstIndex(of: UInt8(ascii: ".")).map { Array(text[($0 + 1)...]) }
        }
        guard let power = Int(String(decoding: text[(exponent + 1)...], as: UTF8.self)), power < 0, power > -30 else {
            return nil
        }
        let digits = text[..<exponent].filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
        var result = [UInt8](repeating: UInt8(ascii: "0"), count: -power - 1) + digits
        while result.last == UInt8(ascii: "0") { result.removeLast() }
        return result
    }

    /// The digits of one less the fraction.
    private static func complement(_ digits: [UInt8]) -> [UInt8] {
        guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return [] }
        var result = digits[...last].map { UInt8(ascii: "9") - $0 + UInt8(ascii: "0") }
        result[last] += 1
        return result
    }

    private static func put(_ value: Int64, _ width: Int, _ text: inout [UInt8]) {
        var divisor: Int64 = width == 4 ? 1000 : 10
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }

    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = text[...].utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard let first = rest.first, UInt32(first) == character.value else { return false }
            rest.removeFirst()
            return true
        }

        mutating func digits(_ width: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<width {
                guard let digit = rest.first, digit >= 0x30, digit < 0x3a else { return nil }
                value = value * 10 + Int64(digit - 0x30)
                rest.removeFirst()
            }
            return value
        }

        mutating func run() -> [UInt8] {
            var digits: [UInt8] = []
            while let digit = rest.first, digit >= 0x30, digit < 0x3a {
                digits.append(digit)
                rest.removeFirst()
            }
            return digits
        }
    }

    // MARK: The calendar

    private static func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    private static func daysIn(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Days since 1970 of a date of the Gregorian calendar, reckoned in eras of 400 years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ date: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivision(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + date - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, date: Int64) {
        let shifted = days + 719_468
        let era = floorDivision(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, date)
    }
}
