import Platform

/// One value that one task waits for and another passes on, once; what is passed later is dropped.
///
/// `@unchecked Sendable`: both variables are touched under the lock alone.
final class Baton<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var value: Value?
    private var continuation: CheckedContinuation<Value, Never>?

    func pass(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = lock.withLock {
            guard self.value == nil else { return nil }
            self.value = value
            return continuation.take()
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the value; to be called once. When the waiting task is cancelled the value is `cancelled`.
    func wait(cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value: Value? = lock.withLock {
                    if self.value == nil { self.continuation = continuation }
                    return self.value
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            pass(cancelled)
        }
    }
}
