import Platform

/// Runs tasks on the thread that calls `drain`, one after the other, in the order in which they become ready. A run is
/// the same every time, and when no task is ready, every task waits for an event outside the executor.
package final class SteppedExecutor: TaskExecutor {
    private let ready = Locked([UnownedJob]())

    /// An executor without tasks.
    package init() {}

    /// Called by the concurrency runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.withLock { $0.append(job) }
    }

    /// Runs until no task is ready.
    package func drain() {
        while let job = ready.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Starts an operation, which runs from the next `drain` on.
    package func start<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> Started<Value> {
        let started = Started<Value>()
        started.hold(
            Task(executorPreference: self) {
                do {
                    started.finish(.success(try await operation()))
                } catch {
                    started.finish(.failure(error))
                }
            })
        return started
    }
}

/// An operation that a `SteppedExecutor` runs.
package final class Started<Value: Sendable>: Sendable {
    private struct State {
        var outcome: Result<Value, any Error>?
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// How it ended; `nil` while it is under way.
    package var result: Result<Value, any Error>? { state.withLock { $0.outcome } }

    /// Its value; `nil` while it is under way, or if it failed.
    package var value: Value? { try? result?.get() }

    /// Its error; `nil` while it is under way, or if it succeeded.
    package var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// Cancels the task.
    package func cancel() { state.withLock { $0.task }?.cancel() }

    fileprivate func hold(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

    fileprivate func finish(_ result: Result<Value, any Error>) { state.withLock { $0.outcome = result } }
}
