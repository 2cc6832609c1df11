// Room:   AmberTestSupport. Objects that are counted while they live.
// Takes:  a tag type of the test's own. Gives: the number of living objects with that tag.
// Touches: a lock round the counts.

internal import AmberModel
private import Synchronization

private let counts = Mutex<[ObjectIdentifier: Int]>([:])

private func change(_ tag: Any.Type, by number: Int) {
    counts.withLock { $0[ObjectIdentifier(tag), default: 0] += number }
}

/// The number of living objects with a tag. Give each suite a tag of its own: suites run side by side.
package func livingObjects<Tag>(_ tag: Tag.Type) -> Int {
    counts.withLock { $0[ObjectIdentifier(tag), default: 0] }
}

/// A model with an `init()` that is counted while it lives.
package final class Tracked<Tag>: Model, Hashable {
    package var label = ""
    package var next: Tracked?
    package var others: [Tracked] = []
    package weak var owner: Tracked?
    package var inner: Set<String> = []

    package init() { change(Tag.self, by: 1) }

    package convenience init(_ label: String) {
        self.init()
        self.label = label
    }

    deinit { change(Tag.self, by: -1) }

    package static func == (left: Tracked, right: Tracked) -> Bool { left === right || left.label == right.label }
    package func hash(into hasher: inout Hasher) { hasher.combine(label) }
}
