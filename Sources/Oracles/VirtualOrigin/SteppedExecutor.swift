import Platform

/// Runs tasks on the thread that calls `drain`, one after the other, in the order they become ready. Every run is the
/// same, and if no task is ready, all of them wait for something outside the executor.
package final class SteppedExecutor: TaskExecutor {
    private let ready = Locked([UnownedJob]())

    package init() {}

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
    package func start<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) -> Started<Value> {
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

package final class Started<Value: Sendable>: Sendable {
    private struct State {
        var outcome: Result<Value, any Error>?
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    package var result: Result<Value, any Error>? { state.withLock { $0.outcome } }

    package var value: Value? { try? result?.get() }

    package var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    package func cancel() { state.withLock { $0.task }?.cancel() }

    fileprivate func hold(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

    fileprivate func finish(_ result: Result<Value, any Error>) { state.withLock { $0.outcome = result } }
}
