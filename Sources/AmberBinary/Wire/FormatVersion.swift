// Room:   AmberBinary / Wire. The versions of the format, and what each can do, as named questions.
// Takes:  nothing. Gives: answers.
// Touches: nothing.

/// A version of the binary format. Documentation/BinaryFormat.md describes each.
enum FormatVersion: UInt8 {
    case v1 = 1

    static let current = FormatVersion.v1

    /// Batches of fewer values than this are written as rows, all others as columns.
    var rowLimit: Int { 8 }

    /// Strings of at least so many bytes in rows are numbered, so that later ones can refer to them.
    var shortestNumberedString: Int { 3 }
}
