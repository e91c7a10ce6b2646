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
    /// Hits on a body that was no longer fresh: misses, and part of `counts.misses`.
    public internal(set) var expired = 0
    /// Requests that by their header fields had to reach the origin, and whose response was stored: misses, and part of
    /// `counts.misses`.
    public internal(set) var unanswerable = 0
    /// Requests missed whose response may not be stored, part of `counts.misses`.
    public internal(set) var unstorable = 0
    /// Requests that no cache answers or stores, as with POST: misses, and part of `counts.misses`.
    public internal(set) var passed = 0
    /// Damaged requests of the trace that were passed over, and are in no other figure.
    public internal(set) var skipped = 0
    /// The first of them.
    public internal(set) var firstSkipped: TraceError?
    /// How much better any cache could have done; `nil` when it was not asked for, or the trace was too long.
    public internal(set) var bounds: Bounds?
    /// How long the operations took, by outcome.
    public internal(set) var latency: [Outcome: Histogram] = [:]
    /// How long requests took that were sent when they were due: the cache for each (service), and each from when it was
    /// due (response). `nil` in a closed loop.
    public internal(set) var openLoop: (service: Histogram, response: Histogram)?
    /// What tells the trace from others; `nil` when it was not read to its end.
    public internal(set) var digest: TraceDigest?
    /// Whether it was stopped before the end of the trace.
    public internal(set) var isStopped = false
}
