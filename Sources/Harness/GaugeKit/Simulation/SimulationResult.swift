/// What a simulation came to. Nothing in it depends on the machine or the moment.
struct SimulationResult {
    /// Visits: pages, or single requests.
    var visits = 0
    /// Reads, those sent twice counted twice.
    var requests = 0
    /// Reads by where their answer came from.
    var sources: [SimulatedAnswer.Source: Int] = [:]
    /// New versions PUT at the origin.
    var puts = 0
    /// Removals by the application.
    var removals = 0
    /// Answers that were fresh by their header although the origin had a newer version by then.
    var outdated = 0
    /// Bytes of all bodies that were answered.
    var answeredBytes = 0
    /// What the origin saw.
    var origin = SimulatedOrigin.Totals()
    /// Modelled waiting of each visit, seconds.
    var waits: [Double] = []
    /// The same without a cache, summed.
    var waitWithoutCache = 0.0
    /// Whether it was stopped before its end.
    var isStopped = false

    func count(of source: SimulatedAnswer.Source) -> Int { sources[source] ?? 0 }

    /// A share of the reads.
    func share(_ count: Int) -> Double { requests == 0 ? 0 : Double(count) / Double(requests) }

    /// Bytes that were answered and did not come from the origin for it; negative when more came than was asked for.
    var savedBytes: Int { answeredBytes - origin.bodyBytes }

    var meanWait: Double { waits.isEmpty ? 0 : waits.reduce(0, +) / Double(waits.count) }

    /// Modelled waiting that a part of the visits does not exceed.
    func wait(quantile: Double) -> Double {
        guard !waits.isEmpty else { return 0 }
        let sorted = waits.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * quantile))]
    }
}
