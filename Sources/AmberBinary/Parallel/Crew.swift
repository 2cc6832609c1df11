// Room:   AmberBinary / Parallel. Threads that share the columns of one archive among themselves.
// Takes:  numbered jobs. Gives: all of them done, by the caller and its helpers.
// Touches: threads, which end when the crew is dismissed.

internal import Foundation
internal import Synchronization

/// A few threads that work on one archive.
///
/// Jobs may have jobs of their own: who waits for those lends a hand with them, so that no thread is idle while there is
/// work, and no more threads run than were asked for.
package final class Crew: @unchecked Sendable {
    // All state is read and written while the condition is locked.
    private let condition = NSCondition()
    private var tasks: [Task] = []
    private var serial = 0
    private var isDismissed = false
    private var helpers: Int

    /// Batches of fewer values than this stay on one thread.
    let smallestBatch: Int
    /// Smaller batches are quicker on one thread: handing a job over takes microseconds.
    package static let usualBatch = 2048

    private final class Task {
        /// Higher than that of every older task.
        let serial: Int
        let count: Int
        var next = 0
        var finished = 0
        let body: @Sendable (Int) -> Void

        init(_ serial: Int, _ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
            self.serial = serial
            self.count = count
            self.body = body
        }
    }

    /// A crew of the calling thread and `threads - 1` others, or none if that is one thread.
    static func hire(_ threads: Int, _ smallestBatch: Int) -> Crew? {
        let threads = min(threads, ProcessInfo.processInfo.activeProcessorCount)
        return threads > 1 ? Crew(helpers: threads - 1, smallestBatch) : nil
    }

    private init(helpers: Int, _ smallestBatch: Int) {
        self.helpers = helpers
        self.smallestBatch = smallestBatch
    }

    /// Lets the helpers go. Nothing may be run afterwards.
    func dismiss() {
        condition.withLock {
            isDismissed = true
            condition.broadcast()
        }
    }

    /// Calls `body` with 0 to `count` - 1, in any order and from several threads; returns when all calls are over.
    func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
        if count == 0 { return }
        withoutActuallyEscaping(body) { body in
            condition.lock()
            callHelpers()
            serial += 1
            let task = Task(serial, count, body)
            tasks.append(task)
            condition.broadcast()
            while task.finished < task.count { workOrWait(from: task.serial) }
            condition.unlock()
        }
    }

    /// Threads are made when there is work for the first time.
    private func callHelpers() {
        for _ in 0..<helpers {
            let thread = Thread { [self] in
                condition.lock()
                while !isDismissed { workOrWait(from: 0) }
                condition.unlock()
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
        helpers = 0
    }

    /// Does one job, of the newest task that has any: who waits for a task takes up none that is older, lest its stack grow.
    /// Waits if there is none.
    private func workOrWait(from serial: Int) {
        guard let task = tasks.last(where: { $0.serial >= serial && $0.next < $0.count }) else {
            return condition.wait()
        }
        let number = task.next
        task.next += 1
        condition.unlock()
        task.body(number)
        condition.lock()
        task.finished += 1
        if task.finished == task.count {
            tasks.removeAll { $0 === task }
            condition.broadcast()
        }
    }
}
