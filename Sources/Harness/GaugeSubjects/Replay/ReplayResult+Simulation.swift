import GaugeTraces

extension ReplayResult {
    /// The result of a simulation: hits and misses, without their reasons, latencies and bounds.
    ///
    /// - Parameters:
    ///   - curve: of one capacity: the memory tier alone, and then both tiers, if there are two.
    ///   - unsized: the requests for which the trace states no size.
    package init(
        simulated curve: MissRatioCurve, _ reader: TraceReader, changes: ChangedSizes, unsized: Int, isStopped: Bool
    ) {
        self.init()
        let all = curve.points.last?.sum ?? HitSum()
        counts.memoryHits = min(curve.points.first?.sum.hits ?? 0, all.hits)
        counts.diskHits = all.hits - counts.memoryHits
        counts.misses = curve.requests - all.hits
        (counts.requestedBytes, counts.hitBytes) = (curve.requestedBytes, all.bytes)
        shared = curve.shared
        self.changes = changes
        settled = reader.settledSizes
        self.unsized = unsized
        (skipped, firstSkipped, digest) = (reader.skipped, reader.firstSkipped, reader.digest)
        self.isStopped = isStopped
    }
}
