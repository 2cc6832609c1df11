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
    /// How many threads wait for work.
    private var waiting = 0

    /// Batches of fewer values than this stay on one thread.
    let smallestBatch: Int
    /// Smaller batches are quicker on one thread: handing a job over takes microseconds.
    package static let usualBatch = 2048

    private final class Task {
        /// Higher than that of every older task.
        let serial: Int
        /// The jobs that are known so far.
        var count = 0
        var next = 0
        var finished = 0
        let body: @Sendable (Int) -> Void

        init(_ serial: Int, _ body: @escaping @Sendable (Int) -> Void) {
            self.serial = serial
            self.body = body
        }
    }

    /// A crew of the calling thread and `threads - 1` others, or none if that is one thread.
    static func hire(_ threads: Int, _ smallestBatch: Int) -> Crew? {
        // The system is asked only if it matters.
        guard threads > 1 else { return nil }
        let helpers = min(threads, ProcessInfo.processInfo.activeProcessorCount) - 1
        return helpers > 0 ? Crew(helpers: helpers, smallestBatch) : nil
    }

    private init(helpers: Int, _ smallestBatch: Int) {
        self.helpers = helpers
        self.smallestBatch = smallestBatch
    }

    /// Whether some thread has nothing to do: only then it pays to make jobs of a job.
    var isIdle: Bool { condition.withLock { helpers > 0 || waiting > 0 } }

    /// Lets the helpers go. Nothing may be run afterwards.
    func dismiss() {
        condition.withLock {
            isDismissed = true
            condition.broadcast()
        }
    }

    /// Calls `body` with 0 to `count` - 1, in any order and from several threads; returns when all calls are over.
    func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
        run(count, preparing: { _ in }, body)
    }

    /// Calls `prepare` with 0 to `count` - 1 one after the other, and `body` with each number that is prepared, in any order
    /// and from several threads, while the next are being prepared. Returns when all calls are over; if `prepare` throws,
    /// the numbers before are finished.
    func run<E: Error>(
        _ count: Int, preparing prepare: (Int) throws(E) -> Void, _ body: @Sendable (Int) -> Void
    ) throws(E) {
        if count == 0 { return }
        let result: Result<Void, E> = withoutActuallyEscaping(body) { body in
            let task = begin(body)
            defer { finish(task) }
            for number in 0..<count {
                do throws(E) { try prepare(number) } catch { return .failure(error) }
                condition.withLock {
                    task.count += 1
                    if waiting > 0 { condition.signal() }
                }
            }
            return .success(())
        }
        try result.get()
    }

    private func begin(_ body: @escaping @Sendable (Int) -> Void) -> Task {
        condition.withLock {
            callHelpers()
            serial += 1
            let task = Task(serial, body)
            tasks.append(task)
            return task
        }
    }

    private func finish(_ task: Task) {
        condition.lock()
        while task.finished < task.count { workOrWait(from: task.serial) }
        tasks.removeAll { $0 === task }
        condition.unlock()
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
            waiting += 1
            condition.wait()
            waiting -= 1
            return
        }
        let number = task.next
        task.next += 1
        condition.unlock()
        task.body(number)
        condition.lock()
        task.finished += 1
        if task.finished == task.count { condition.broadcast() }
    }
}
