// Invariant of the pointers: `starts`, `ends`, `uses` and `bodies` have `threads` initialised values and are never
// freed, since a team lives as long as its process.

import Foundation
import Platform
import Synchronization

/// Persistent threads, so that their caches (arenas, thread-locals) stay warm between batches. Each has its own
/// processor if there are enough. Between batches they sleep.
///
/// `@unchecked Sendable`: one thread at a time calls `run` and reads `use` (a worker answers one request after the
/// other). It writes `operations` before it signals `go`, and reads the arrays after it has waited for `done` of every
/// thread; thread i writes into them at its own index, between the two. The semaphores order these accesses. All other
/// state is constant or atomic.
package final class ThreadTeam: @unchecked Sendable {
    private let threads: Int
    private let body: @Sendable (_ thread: Int, _ operations: Int) -> Void
    private let go: [DispatchSemaphore]
    private let done = DispatchSemaphore(value: 0)
    private let arrived = Atomic<Int>(0)
    private let starts: UnsafeMutablePointer<UInt64>
    private let ends: UnsafeMutablePointer<UInt64>
    /// What each thread had used after its last batch, and what of it in the body alone. The rest is waking up and
    /// waiting for the others.
    private let uses: UnsafeMutablePointer<ThreadUse>
    private let bodies: UnsafeMutablePointer<ThreadUse>
    private let readUse: @Sendable () -> ThreadUse
    private var operations = 0

    /// Starts the threads, which live as long as the process: a worker makes one team.
    ///
    /// - Parameter use: reads what the calling thread has used so far.
    package init(
        threads: Int, use: @escaping @Sendable () -> ThreadUse = ThreadUse.now,
        body: @escaping @Sendable (_ thread: Int, _ operations: Int) -> Void
    ) {
        self.threads = threads
        self.body = body
        readUse = use
        go = (0..<threads).map { _ in DispatchSemaphore(value: 0) }
        starts = .allocate(capacity: threads)
        starts.initialize(repeating: 0, count: threads)
        ends = .allocate(capacity: threads)
        ends.initialize(repeating: 0, count: threads)
        uses = .allocate(capacity: threads)
        uses.initialize(repeating: ThreadUse(), count: threads)
        bodies = .allocate(capacity: threads)
        bodies.initialize(repeating: ThreadUse(), count: threads)
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

    /// What all threads have used up to the end of the last batch, and what of it in the body.
    package var use: (all: ThreadUse, body: ThreadUse) {
        func sum(_ values: UnsafeMutablePointer<ThreadUse>) -> ThreadUse {
            UnsafeBufferPointer(start: values, count: threads).reduce(ThreadUse(), +)
        }
        return (sum(uses), sum(bodies))
    }

    private func work(_ number: Int) {
        while true {
            go[number].wait()
            // All threads must be awake before any begins: waking takes longer than many batches.
            arrived.add(1, ordering: .acquiringAndReleasing)
            while arrived.load(ordering: .acquiring) < threads { sched_yield() }
            let before = readUse()
            starts[number] = LatencyRecorder.now()
            body(number, operations)
            ends[number] = LatencyRecorder.now()
            uses[number] = readUse()
            bodies[number] = bodies[number] + (uses[number] - before)
            done.signal()
        }
    }
}
