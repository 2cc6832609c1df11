// Room:   AmberModel / Foreign. Initializers within initializers, deeper than one stack can hold.
// Takes:  a call and how deep it stands. Gives: its result, made on a fresh stack every so many levels.
// Touches: one thread at a time: the caller waits for it.

internal import Foundation

/// Calls that nest as deep as the archive does.
///
/// An object's `init(coder:)` decodes the objects below it before it returns; a linked list of objects nests one call
/// in another for each link. Every ``levels`` of them the next runs on a thread of its own, whose stack is empty, while
/// this one waits: the depth is bounded by the limits and not by the caller's stack.
package enum DeepCalls {
    package static let levels = 100
    static let stackSize = 8 << 20

    package static func call(depth: Int, _ body: () -> AnyObject?) -> AnyObject? {
        depth % levels == 0 ? onFreshStack(body) : body()
    }

    /// Runs `body` on a thread of its own.
    package static func onFreshStack(_ body: () -> AnyObject?) -> AnyObject? {
        withoutActuallyEscaping(body) { escaping in
            let work = Work(body: escaping)
            let thread = Thread { work.run() }
            thread.stackSize = stackSize
            thread.start()
            return work.wait()
        }
    }

    /// One call for one thread. Only that thread runs `body` and sets `result`; the other reads it after the signal.
    private final class Work: @unchecked Sendable {
        private var body: (() -> AnyObject?)?
        private var result: AnyObject?
        private let done = DispatchSemaphore(value: 0)

        init(body: @escaping () -> AnyObject?) {
            self.body = body
        }

        func run() {
            result = body?()
            // The closure must not outlive the caller's frame, which goes on with the signal.
            body = nil
            done.signal()
        }

        func wait() -> AnyObject? {
            done.wait()
            // The other thread may outlive this call by a moment: it must not be the one that lets go of the object.
            defer { result = nil }
            return result
        }
    }
}
