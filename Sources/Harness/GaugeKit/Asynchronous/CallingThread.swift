import Dispatch
import Platform
import Synchronization

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
    /// Specialised in the caller's module: metadata of generic types, looked up at run time, would be counted as its.
    ///
    /// - Throws: the error of the operation.
    @inlinable
    package func run<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = TaskResult<Value>()
        runToEnd {
            do { result.value = .success(try await operation()) } catch { result.value = .failure(error) }
        }
        return try result.get()
    }

    @usableFromInline
    func runToEnd(_ operation: @escaping @Sendable () async -> Void) {
        let end = End()
        work.withLock { $0.isRunning = true }
        Task(executorPreference: self) {
            await operation()
            end.isReached.store(true, ordering: .releasing)
        }
        while true {
            let job = work.withLock { work -> UnownedJob? in
                let job = work.jobs.popLast()
                let isOver = end.isReached.load(ordering: .acquiring)
                work.isWaiting = job == nil && !isOver
                if job == nil, isOver { work.isRunning = false }
                return job
            }
            if let job {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if end.isReached.load(ordering: .acquiring) {
                return
            } else {
                hasJobs.wait()
            }
        }
    }

    /// The task ends on this executor: nobody waits for a job when it does.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }
}

/// Where a task leaves its result.
///
/// `@unchecked Sendable`: ``CallingThread/run(_:)`` makes one for each call and gives it to nobody else. Its task writes `value`
/// once, before `runToEnd` stores `isReached` releasing; the caller reads it after `runToEnd` has loaded that acquiring.
@usableFromInline
final class TaskResult<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var value: Result<Value, any Error>?

    @inlinable init() {}

    @inlinable
    func get() throws -> Value {
        guard let value else { throw CancellationError() }
        return try value.get()
    }
}
