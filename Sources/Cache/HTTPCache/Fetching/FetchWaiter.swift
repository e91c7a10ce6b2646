/// A request that waits for a shared fetch. It leaves when it is released.
final class FetchWaiter: Sendable {
    let fetch: SharedFetch
    /// It began the fetch, so that the answer is to its request, whatever the answer is.
    let isOwner: Bool

    /// To be called by `SharedFetch.addWaiter` alone, which counts the waiters.
    init(_ fetch: SharedFetch, isOwner: Bool) {
        self.fetch = fetch
        self.isOwner = isOwner
    }

    deinit { fetch.removeWaiter() }

    /// Waits for the outcome; a cancelled task gets `cancelled`.
    func outcome() async -> FetchOutcome {
        // Kept to the end of the wait, or the fetch may lose its last waiter meanwhile.
        defer { withExtendedLifetime(self) {} }
        return await fetch.waitForOutcome()
    }
}
