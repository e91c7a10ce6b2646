/// A value that one task waits for and another provides once. Later values are dropped.
package final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: CheckedContinuation<Value, Never>?
    }

    private let state = Locked(State())

    package init() {}

    /// - Returns: whether it was the first value, and so is not dropped.
    @discardableResult
    package func provide(_ value: Value) -> Bool {
        let (isFirst, waiting): (Bool, CheckedContinuation<Value, Never>?) = state.withLock { state in
            guard state.value == nil else { return (false, nil) }
            state.value = value
            return (true, state.waiting.take())
        }
        waiting?.resume(returning: value)
        return isFirst
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
