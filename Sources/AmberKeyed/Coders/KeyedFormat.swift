// Room:   AmberKeyed / Coders. The two forms of a keyed archive.
// Takes:  nothing. Gives: the choice.
// Touches: nothing.

/// The forms of a keyed archive.
public enum KeyedFormat: Sendable {
    /// A binary property list: small and fast, what Foundation writes.
    case binary
    /// An XML property list: readable text, several times as large.
    case xml
}
