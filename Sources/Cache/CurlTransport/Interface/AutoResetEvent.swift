import Platform

/// Wakes the one task that waits, or the next one that will. One task at a time may wait.
package final class AutoResetEvent: Sendable {
    private struct State {
        var isSet = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    /// Not set.
    package init() {}

    /// Wakes.
    package func set() {
        let waiting = state.withLock { state in
            state.isSet = state.waiting == nil
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns once the event has been set since the last return, or the task is cancelled.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSet = state.withLock { state in
                    defer { state.isSet = false }
                    if !state.isSet { state.waiting = continuation }
                    return state.isSet
                }
                if isSet { continuation.resume() }
            }
        } onCancel: {
            set()
        }
    }
}
