import Platform

/// Wakes the one task that waits, or the next one that will. To be waited for by one task at a time.
///
/// `@unchecked Sendable`: both variables are touched under the lock alone.
final class Signal: @unchecked Sendable {
    private let lock = Lock()
    private var isRaised = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// Wakes.
    func raise() {
        let waiting = lock.withLock {
            isRaised = self.waiting == nil
            return self.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns once the signal has been raised since the last return, or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRaised = lock.withLock {
                    if self.isRaised {
                        self.isRaised = false
                        return true
                    }
                    waiting = continuation
                    return false
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }
}
