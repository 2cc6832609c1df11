// Room:   AmberKeyed / Foundation. A search result from its ranges.
// Takes:  ranges and the expression that found them. Gives: the result.
// Touches: the ranges, for the length of the call.
//
// Invariants
// 1. Foundation copies the ranges during the call; the address is that of a local array of `count` of them.

import Foundation

enum TextCheckingResults {
    /// The result of `expression` with the whole match's range first; `ranges` is not empty.
    static func result(_ ranges: [NSRange], _ expression: NSRegularExpression) -> NSTextCheckingResult {
        var ranges = ranges
        let count = ranges.count
        return unsafe NSTextCheckingResult.regularExpressionCheckingResult(
            ranges: &ranges, count: count, regularExpression: expression)
    }
}
