import Platform

/// Runs tasks on the thread that calls `drain`, one after the other in the order in which they become ready: what happens
/// is the same every time, and when nothing is left to do everybody waits for something from outside.
///
/// `@unchecked Sendable`: the queue is touched under the lock alone.
public final class SteppedExecutor: TaskExecutor, @unchecked Sendable {
    private let lock = Lock()
    private var ready: [UnownedJob] = []

    /// An executor with nothing to do.
    public init() {}

    /// Called by the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { ready.append(job) }
    }

    /// Runs until no task is ready.
    public func drain() {
        while let job = lock.withLock({ ready.isEmpty ? nil : ready.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Begins an operation; nothing of it happens before `drain`.
    public func start<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> Started<Value> {
        let started = Started<Value>()
        started.task = Task(executorPreference: self) {
            do {
                started.finish(.success(try await operation()))
            } catch {
                started.finish(.failure(error))
            }
        }
        return started
    }
}

/// An operation under way.
///
/// `@unchecked Sendable`: `result` is touched under the lock alone, and `task` only by the thread that drains.
public final class Started<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var outcome: Result<Value, any Error>?
    fileprivate var task: Task<Void, Never>?

    /// How it ended; `nil` while it is under way.
    public var result: Result<Value, any Error>? { lock.withLock { outcome } }

    /// What it gave; `nil` while it is under way, and when it failed.
    public var value: Value? { try? result?.get() }

    /// Why it failed; `nil` while it is under way, and when it did not.
    public var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// Cancels the task.
    public func cancel() { task?.cancel() }

    fileprivate func finish(_ result: Result<Value, any Error>) { lock.withLock { outcome = result } }
}
