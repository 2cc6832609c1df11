// Room:   AmberReadable / Writing. Numbers, dates and data, as each form has them.
// Takes:  values. Gives: events to a sink; marked where the form has no such value.
// Touches: nothing.

internal import AmberModel
internal import Foundation

extension ValueWriter where Sink: ~Copyable {
    mutating func write(double value: Double) throws(EncodingFailure) {
        if value.isFinite || traits.hasNonFinite { sink.double(value) } else { try write(nonFinite: value) }
    }

    @inline(never)
    mutating func write(uuid value: UUID) throws(EncodingFailure) {
        guard rules.namesTypes else { return sink.string(value.uuidString) }
        try beginTyped("UUID")
        sink.string(value.uuidString)
        try endMarked()
    }

    /// Writes a number of four bytes with its type.
    @inline(never)
    mutating func write(named value: Float) throws(EncodingFailure) {
        try beginTyped("Float")
        if value.isFinite || traits.hasNonFinite { sink.float(value) } else { try write(nonFinite: Double(value)) }
        try endMarked()
    }

    /// Writes a decimal number with its type.
    mutating func write(named value: Decimal) throws(EncodingFailure) {
        try beginTyped("Decimal")
        try write(decimal: value)
        try endMarked()
    }

    mutating func write(nonFinite value: Double) throws(EncodingFailure) {
        guard rules.nonFinite == .text else {
            throw EncodingFailure(
                .notRepresentable, "\(value) is no number of JSON. Write it as text: `nonFinite = .text`.")
        }
        sink.string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
    }

    mutating func write<T: FixedWidthInteger>(long value: T) {
        if let short = Int64(exactly: value) {
            sink.integer(short)
        } else if let short = UInt64(exactly: value) {
            sink.integer(short)
        } else if traits.hasLongNumbers {
            sink.number(text: value.description)
        } else {
            sink.string(value.description)
        }
    }

    mutating func write(decimal value: Decimal) throws(EncodingFailure) {
        if value.isNaN { return try write(nonFinite: .nan) }
        if traits.hasLongNumbers { sink.number(text: value.description) } else { sink.string(value.description) }
    }

    mutating func writeData(_ value: Data) {
        if traits.hasData { return sink.data(value) }
        if !rules.isReadable { return sink.string(value.base64EncodedString()) }
        sink.beginObject()
        sink.key(Marker.dataKey)
        sink.string(value.base64EncodedString())
        sink.endObject()
    }

    /// Writes a time in seconds since 2001; marked where a reader won't expect one.
    mutating func write(date seconds: Double, isMarked: Bool) throws(EncodingFailure) {
        guard seconds.isFinite else {
            throw EncodingFailure(.notRepresentable, "A Date of \(seconds) seconds has no place in a document.")
        }
        if !rules.isReadable { return try write(date: seconds, rules.dates) }
        if traits.hasDates, traits.datesHaveFractions || DateText.isWhole(seconds), isMarked || !traits.hasNull {
            return sink.date(seconds)
        }
        if isMarked {
            sink.beginObject()
            sink.key(Marker.dateKey)
        }
        if let text = DateText.text(seconds) { sink.string(text) } else { sink.double(seconds) }
        if isMarked { sink.endObject() }
    }

    /// Writes a time as a strategy says.
    mutating func write(date seconds: Double, _ strategy: MappedDateStrategy) throws(EncodingFailure) {
        try strategy.write(seconds, to: &sink)
    }
}
