import HTTPCache
import Platform

extension ResponseCache {
    /// How many answers of origins the sessions on this cache did not store, by `NotStoredReason.word`. Since the cache
    /// was made.
    public var notStoredCounts: [String: Int] { refusals.counts }
}

/// Counts of answers that were not stored.
final class NotStoredCounts: Sendable {
    private let state = ForkSafe<[String: Int]>([:])

    var counts: [String: Int] { state.withLock { $0 } }

    func note(_ reason: NotStoredReason) { state.withLock { $0[reason.word, default: 0] += 1 } }
}
