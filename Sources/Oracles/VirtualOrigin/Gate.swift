import Platform

/// Holds one task back until it is opened.
///
/// `@unchecked Sendable`: the variables are touched under the lock alone.
final class Gate: @unchecked Sendable {
    private let lock = Lock()
    private var result: Bool?
    private var waiting: CheckedContinuation<Bool, Never>?

    func open() { end(with: true) }

    /// Waits until the gate is open.
    ///
    /// - Returns: whether it is, and the task was not cancelled instead.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = lock.withLock {
                    if self.result == nil { waiting = continuation }
                    return self.result
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            end(with: false)
        }
    }

    private func end(with result: Bool) {
        let waiting: CheckedContinuation<Bool, Never>? = lock.withLock {
            guard self.result == nil else { return nil }
            self.result = result
            return self.waiting.take()
        }
        waiting?.resume(returning: result)
    }
}
