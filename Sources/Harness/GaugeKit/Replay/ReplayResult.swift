import GaugeTraces

package struct ReplayResult: Sendable {
    package internal(set) var counts = HitCounts()
    /// Hits on a body whose size the trace has changed since; part of `counts.misses`.
    package internal(set) var outdated = 0
    /// Requests for bodies too large to give to the subject; part of `counts.misses`.
    package internal(set) var tooLarge = 0
    /// Requests whose URL the subject accepts no key from; part of `counts.misses`.
    package internal(set) var refused = 0
    /// Hits that came before the head of the response and share its fetch; part of `counts.hits`.
    package internal(set) var shared = 0
    /// Requests whose object had another size than at the request before: misses, whether the subject held it or not.
    package internal(set) var changes = ChangedSizes()
    /// Sizes treated as those of an unchanged object.
    package internal(set) var settled = SettledSizesSummary()
    /// Hits on a body that wasn't fresh anymore; part of `counts.misses`.
    package internal(set) var expired = 0
    /// Requests that had to reach the origin because of their header fields, and whose response was stored; part of
    /// `counts.misses`.
    package internal(set) var unanswerable = 0
    /// Misses whose response may not be stored; part of `counts.misses`.
    package internal(set) var unstorable = 0
    /// Requests that no cache answers or stores, such as POST; part of `counts.misses`.
    package internal(set) var passed = 0
    /// What the requests cost that no cache with these rules answers, whatever it holds.
    package internal(set) var uncached = UncachedRequests()
    /// Requests for which the trace states no length of the body.
    package internal(set) var unsized = 0
    /// Requests without a length that ask for no body: HEAD.
    package internal(set) var bodiless = 0
    /// Damaged requests that were skipped. No other figure includes them.
    package internal(set) var skipped = 0
    package internal(set) var firstSkipped: TraceError?
    /// How much better any cache could have done; `nil` if not requested, or if the trace was too long.
    package internal(set) var bounds: Bounds?
    package internal(set) var latency: [Outcome: Histogram] = [:]
    /// Times of requests sent when due: the time in the cache (service), and the time since each was due (response).
    /// `nil` in a closed loop.
    package internal(set) var openLoop: (service: Histogram, response: Histogram)?
    /// The trace's pauses that were cut, if requests were sent at its times.
    package internal(set) var cutPauses = CutPauses()
    /// Identifies the trace; `nil` if it wasn't read to its end.
    package internal(set) var digest: TraceDigest?
    /// Whether it was stopped before the end of the trace.
    package internal(set) var isStopped = false
}

extension ReplayResult {
    /// The result of a simulation: hits and misses, without reasons, latencies and bounds.
    ///
    /// - Parameters:
    ///   - curve: one capacity: the memory tier alone, and then both tiers, if there are two.
    ///   - unsized: the requests for which the trace states no size, and those of them that need none.
    package init(
        simulated curve: MissRatioCurve, _ reader: TraceReader, _ rules: AccessRules,
        unsized: (requests: Int, bodiless: Int), isStopped: Bool
    ) {
        self.init()
        let all = curve.points.last?.sum ?? HitSum()
        counts.memoryHits = min(curve.points.first?.sum.hits ?? 0, all.hits)
        counts.diskHits = all.hits - counts.memoryHits
        counts.misses = curve.requests - all.hits
        (counts.requestedBytes, counts.hitBytes) = (curve.requestedBytes, all.bytes)
        shared = curve.shared
        changes = rules.changes
        uncached = rules.uncached
        settled = reader.settledSizes
        (self.unsized, bodiless) = unsized
        (skipped, firstSkipped, digest) = (reader.skipped, reader.firstSkipped, reader.digest)
        self.isStopped = isStopped
    }
}
