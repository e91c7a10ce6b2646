/// A request that waits for a shared fetch. It leaves when it is released.
final class FetchWaiter: Sendable {
    let fetch: SharedFetch
    /// It began the fetch, so that the answer is to its request, whatever the answer is.
    let isOwner: Bool
    /// It came after the outcome.
    let isLate: Bool
    /// Set when the outcome has come, or when there is something to read.
    let event = AutoResetEvent()

    /// To be called by `SharedFetch.addWaiter` alone, which counts the waiters.
    init(_ fetch: SharedFetch, isOwner: Bool, isLate: Bool) {
        self.fetch = fetch
        self.isOwner = isOwner
        self.isLate = isLate
    }

    /// The seconds that a request waits for each byte of the answer; `nil` where the transport keeps the time.
    func timeout(of request: CacheRequest) -> Double? { fetch.keepsTime ? request.timeout : nil }

    deinit { fetch.removeWaiter() }

    /// Waits for the outcome; a cancelled task gets `cancelled`.
    nonisolated(nonsending) func outcome(_ deadlines: Deadlines, timeout: Double?) async -> FetchOutcome {
        // Kept to the end of the wait, or the fetch may lose its last waiter meanwhile.
        defer { withExtendedLifetime(self) {} }
        return await fetch.waitForOutcome(event, deadlines, timeout: timeout)
    }
}
