import Dispatch
import Platform

/// Runs tasks on the thread that waits for them, so that a call of an asynchronous function takes place there: an actor
/// that is not in use is entered without a change of threads. What the function leaves to other threads runs there.
///
/// One thread at a time calls ``run(_:)``. Jobs that come while none does, such as those of a task that outlives the call,
/// run on a thread of Dispatch's.
@usableFromInline
package final class CallingThread: TaskExecutor {
    private struct Work {
        /// In the order in which they are run, the last one first.
        var jobs: [UnownedJob] = []
        var isRunning = false
        var isWaiting = false
    }

    private let work = Locked(Work())
    private let hasJobs = DispatchSemaphore(value: 0)

    @usableFromInline package init() {}

    @usableFromInline package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isTaken, wakes) = work.withLock { work in
            guard work.isRunning else { return (false, false) }
            work.jobs.insert(job, at: 0)
            defer { work.isWaiting = false }
            return (true, work.isWaiting)
        }
        if wakes { hasJobs.signal() }
        if !isTaken {
            DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Runs an operation in a task, and waits for its end.
    ///
    /// - Throws: the error of the operation.
    @usableFromInline
    package func run<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) throws -> Value {
        let end = End<Value>()
        work.withLock { $0.isRunning = true }
        Task(executorPreference: self) {
            do { end.set(.success(try await operation())) } catch { end.set(.failure(error)) }
        }
        while true {
            let job = work.withLock { work -> UnownedJob? in
                let job = work.jobs.popLast()
                work.isWaiting = job == nil && !end.isReached
                if job == nil, end.isReached { work.isRunning = false }
                return job
            }
            if let job {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let result = end.result {
                return try result.get()
            } else {
                hasJobs.wait()
            }
        }
    }

    /// The result of the task, which ends on this executor: nobody waits for a job when it comes.
    private final class End<Value: Sendable>: Sendable {
        private let reached = Locked<Result<Value, any Error>?>(nil)

        var isReached: Bool { result != nil }
        var result: Result<Value, any Error>? { reached.withLock { $0 } }
        func set(_ result: Result<Value, any Error>) { reached.withLock { $0 = result } }
    }
}
