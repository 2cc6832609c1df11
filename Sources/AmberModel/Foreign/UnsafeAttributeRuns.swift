// Room:   AmberModel / Foreign. The runs of an attributed string.
// Takes:  an attributed string. Gives: lengths and attributes, in order.
// Touches: the string, through its public methods.
//
// Invariants
// 1. The address given to `attributes(at:effectiveRange:)` is of a local variable, for the length of the call.
// 2. Each step goes forward by at least one: the loop ends.

package import Foundation

package enum AttributeRuns {
    /// The runs of `string`; nil if it reports one that does not go forward.
    package static func runs(of string: NSAttributedString) -> [(length: Int, attributes: NSDictionary)]? {
        var runs: [(length: Int, attributes: NSDictionary)] = []
        var position = 0
        while position < string.length {
            var range = NSRange(location: position, length: 0)
            let attributes = unsafe string.attributes(at: position, effectiveRange: &range)
            let length = range.location + range.length - position
            guard length > 0 else { return nil }
            let pairs = attributes.map { ($0.key.rawValue as NSString, $0.value) }
            runs.append((length, NSDictionary(objects: pairs.map(\.1), forKeys: pairs.map(\.0))))
            position += length
        }
        return runs
    }
}
