// Room:   amber-bench / Harness. The two ways out to a person.
// Takes:  text. Gives: results on standard output, progress and faults on standard error.
// Touches: both streams.

import Foundation

/// Writes to the terminal.
enum Console {
    /// Results: nothing else goes to standard output.
    static func print(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Progress and faults.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
