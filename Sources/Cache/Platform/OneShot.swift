/// A value that one task waits for and another provides once. Later values are dropped.
package final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: CheckedContinuation<Value, Never>?
    }

    private let state = Locked(State())

    package init() {}

    package func provide(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            return state.waiting.take()
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the value; call it only once. If the waiting task is cancelled first, returns `cancelled`.
    package func wait(cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    if state.value == nil { state.waiting = continuation }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            provide(cancelled)
        }
    }
}
