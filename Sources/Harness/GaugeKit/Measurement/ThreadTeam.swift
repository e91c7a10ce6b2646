import Foundation
import Platform
import Synchronization

/// Threads that stay, so that what they cache between batches (arenas, thread-locals of the cache) stays warm, each on a
/// processor of its own if there are enough. Between batches they sleep.
///
/// `@unchecked Sendable`: `starts`, `ends` and `operations` are written by the caller of `run` before `go` is signalled
/// and by thread i at its own index before `done` is; the semaphores order these. Everything else is constant or atomic.
final class ThreadTeam: @unchecked Sendable {
    private let threads: Int
    private let body: @Sendable (_ thread: Int, _ operations: Int) -> Void
    private let go: [DispatchSemaphore]
    private let done = DispatchSemaphore(value: 0)
    private let arrived = Atomic<Int>(0)
    private let starts: UnsafeMutablePointer<UInt64>
    private let ends: UnsafeMutablePointer<UInt64>
    private var operations = 0

    /// Starts the threads. They live as long as the process: a team is made once in a worker.
    init(threads: Int, body: @escaping @Sendable (_ thread: Int, _ operations: Int) -> Void) {
        self.threads = threads
        self.body = body
        go = (0..<threads).map { _ in DispatchSemaphore(value: 0) }
        starts = .allocate(capacity: threads)
        starts.initialize(repeating: 0, count: threads)
        ends = .allocate(capacity: threads)
        ends.initialize(repeating: 0, count: threads)
        let processors = ProcessorBinding.allowed
        for number in 0..<threads {
            // The system often lets two threads that it has just woken share a processor for a while, which would be measured.
            let processor = threads <= processors.count ? processors[number] : nil
            let thread = Thread { ProcessorBinding.bound(to: processor) { self.work(number) } }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Runs `operations` on each thread at once.
    func run(operations: Int) -> BatchTime {
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
            // All have to be awake before one may begin: waking takes longer than many a batch.
            arrived.add(1, ordering: .acquiringAndReleasing)
            while arrived.load(ordering: .acquiring) < threads { sched_yield() }
            starts[number] = LatencyRecorder.now()
            body(number, operations)
            ends[number] = LatencyRecorder.now()
            done.signal()
        }
    }
}
