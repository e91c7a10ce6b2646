import Dispatch
import Platform
import Synchronization

/// Runs tasks on the thread that waits for them, so that an asynchronous call takes place there: an idle actor is
/// entered without a thread change. Work that the function hands to other threads runs there.
///
/// One thread at a time calls ``run(_:)``. Jobs that arrive while none does, e.g. from a task that outlives the call,
/// run on a thread of Dispatch.
@usableFromInline
package final class CallingThread: TaskExecutor {
    private struct Work {
        /// In reverse order: the last one runs first.
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
        if !isTaken { DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    }

    /// Runs an operation in a task, and waits for its end.
    ///
    /// Specialised in the caller's module: looking up metadata of generic types at run time would be counted as the
    /// caller's.
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

    /// The task's end runs on this executor, when nobody waits for a job.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }
}

/// Where a task leaves its result.
///
/// `@unchecked Sendable`: ``CallingThread/run(_:)`` makes one per call and shares it with nobody else. Its task writes
/// `value` once, before `runToEnd` stores `isReached` releasing; the caller reads it after `runToEnd` has loaded that
/// acquiring.
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
