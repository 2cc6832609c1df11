// Room:   AmberTestSupport. Code on a thread with as little stack as a secondary thread has on Apple systems.
// Takes:  a function. Gives: what it returns.
// Touches: one thread of its own.

private import Foundation
private import Synchronization

/// Runs `body` on a thread with a stack of 512 KiB.
package func onSmallStack<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
    let result = Mutex<R?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let value = body()
        result.withLock { $0 = value }
        done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    guard let value = result.withLock({ $0 }) else { fatalError("The thread ended without a result.") }
    return value
}
