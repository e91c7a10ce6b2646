/// What a replay came to.
public struct ReplayResult: Sendable {
    /// How the requests were answered.
    public internal(set) var counts = HitCounts()
    /// Hits on a body whose size the trace has changed since: misses, and part of `counts.misses`.
    public internal(set) var outdated = 0
    /// Requests for bodies too large to be given to the subject: misses, and part of `counts.misses`.
    public internal(set) var tooLarge = 0
    /// Requests whose URL the subject takes no key from: misses, and part of `counts.misses`.
    public internal(set) var refused = 0
    /// How long the operations took, by outcome.
    public internal(set) var latency: [Outcome: Histogram] = [:]
    /// Whether it was stopped before the end of the trace.
    public internal(set) var isStopped = false
}
