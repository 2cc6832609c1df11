// Room:   AmberModel / Memory. Which hooks a type turned out to have.
// Takes:  nothing. Gives: two flags that are only ever cleared.
// Touches: nothing.

internal import Synchronization

/// Two flags that start set and are only ever cleared, from any thread.
final class HookFlags: Sendable {
    private let encode = Atomic<Bool>(true)
    private let decode = Atomic<Bool>(true)

    var willEncode: Bool { encode.load(ordering: .relaxed) }
    var didDecode: Bool { decode.load(ordering: .relaxed) }

    func clearWillEncode() { encode.store(false, ordering: .relaxed) }
    func clearDidDecode() { decode.store(false, ordering: .relaxed) }
}
