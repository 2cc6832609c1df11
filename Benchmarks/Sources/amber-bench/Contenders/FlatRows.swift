// Room:   amber-bench / Contenders. Lets Foundation's Codable coders carry a graph.
// Takes:  a graph. Gives: Codable rows that name other rows by index, and the graph again.
// Touches: the contender it wraps.

import Foundation

/// A Codable coder behind a hand-written flattening: these coders have no references of their own.
///
/// The flattening and the linking are timed: without them there is no graph.
struct FlatRowsContender<Inner: Contender, Graph>: Contender {
    let inner: Inner
    let flatten: (Graph) -> Inner.Value
    let link: (Inner.Value) -> Graph

    var name: String { inner.name }

    func encode(_ value: Graph, into buffer: inout Data) throws {
        try inner.encode(flatten(value), into: &buffer)
    }

    func decode(_ archive: Data) throws -> Graph {
        link(try inner.decode(archive))
    }
}
