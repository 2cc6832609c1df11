// Room:   AmberKeyed / Plist. The door of the folder: a property list of either form.
// Takes:  bytes or a tree. Gives: a tree or bytes.
// Touches: nothing.

import AmberModel
import Foundation

enum Plist {
    /// Reads a binary or an XML property list, whichever `data` is.
    static func read(_ data: Data, limits: DecodingLimits) throws(KeyedFailure) -> PlistValue {
        BinaryPlistReader.recognises(data)
            ? try BinaryPlistReader.read(data, limits: limits)
            : try XMLPlistReader.read(data, limits: limits)
    }
}
