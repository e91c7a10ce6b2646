// Invariant of the pointers: `starts` and `ends` have `threads` initialised words and are never freed, since a team
// lives as long as its process.

import Foundation
import Platform
import Synchronization

/// Persistent threads, so that their caches (arenas, thread-locals) stay warm between batches. Each has its own
/// processor if there are enough. Between batches they sleep.
///
/// `@unchecked Sendable`: the caller of `run` writes `starts`, `ends` and `operations` before it signals `go`, and
/// thread i writes at its own index before it signals `done`; the semaphores order these accesses. All other state is
/// constant or atomic.
package final class ThreadTeam: @unchecked Sendable {
    private let threads: Int
    private let body: @Sendable (_ thread: Int, _ operations: Int) -> Void
    private let go: [DispatchSemaphore]
    private let done = DispatchSemaphore(value: 0)
    private let arrived = Atomic<Int>(0)
    private let starts: UnsafeMutablePointer<UInt64>
    private let ends: UnsafeMutablePointer<UInt64>
    private var operations = 0

    /// Starts the threads, which live as long as the process: a worker makes one team.
    package init(threads: Int, body: @escaping @Sendable (_ thread: Int, _ operations: Int) -> Void) {
        self.threads = threads
        self.body = body
        go = (0..<threads).map { _ in DispatchSemaphore(value: 0) }
        starts = .allocate(capacity: threads)
        starts.initialize(repeating: 0, count: threads)
        ends = .allocate(capacity: threads)
        ends.initialize(repeating: 0, count: threads)
        let processors = ProcessorBinding.allowed
        for number in 0..<threads {
            // The system often lets two freshly woken threads share a processor for a while, which would distort the
            // measurement.
            let processor = threads <= processors.count ? processors[number] : nil
            let thread = Thread { ProcessorBinding.bound(to: processor) { self.work(number) } }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Runs `operations` on each thread at once.
    package func run(operations: Int) -> BatchTime {
        self.operations = operations
        arrived.store(0, ordering: .relaxed)
        for semaphore in go { semaphore.signal() }
        for _ in 0..<threads { done.wait() }
        return BatchTime(
            UnsafeBufferPointer(start: starts, count: threads), UnsafeBufferPointer(start: ends, count: threads))
    }

    private func work(_ number: Int) {
        while true {
            go[number].wait()
            // All threads must be awake before any begins: waking takes longer than many batches.
            arrived.add(1, ordering: .acquiringAndReleasing)
            while arrived.load(ordering: .acquiring) < threads { sched_yield() }
            starts[number] = LatencyRecorder.now()
            body(number, operations)
            ends[number] = LatencyRecorder.now()
            done.signal()
        }
    }
}
