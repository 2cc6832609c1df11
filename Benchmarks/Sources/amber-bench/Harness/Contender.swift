// Room:   amber-bench / Harness. What a coder must offer to take part.
// Takes:  values and archives of one type. Gives: the other. Touches: nothing.

import Foundation

/// One coder for one type of value.
protocol Contender {
    associatedtype Value

    /// The coder's name, one of ``CoderName``.
    var name: String { get }

    /// Whether the buffer of the call before is offered again, with its capacity.
    var keepsBuffer: Bool { get }

    /// Replaces the contents of the buffer by the archive of the value.
    func encode(_ value: Value, into buffer: inout Data) throws

    /// Returns the value of an archive.
    func decode(_ archive: Data) throws -> Value
}

extension Contender {
    var keepsBuffer: Bool { false }
}

/// A workload for one contender: the value, and how to compare and release what comes back.
struct Trial<C: Contender> {
    let contender: C
    let value: C.Value
    let count: Int
    /// Calls in one sample; figures are for one call.
    var calls = 1
    /// What was taken away from the workload for this coder, and why.
    var cut: String?
    let isEqual: (C.Value, C.Value) -> Bool
    /// Takes long chains apart, so that releasing them needs no deep recursion.
    var takeApart: (C.Value) -> Void = { _ in }
}
