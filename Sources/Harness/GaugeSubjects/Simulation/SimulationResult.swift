/// The result of a simulation. It depends neither on the machine nor on the time of day.
package struct SimulationResult {
    /// Visits: pages, or single requests if the workload has no pages.
    package var visits = 0
    /// Reads; those sent twice count twice.
    package var requests = 0
    /// Reads by the source of their answer.
    package var sources: [SimulatedAnswer.Source: Int] = [:]
    /// New versions PUT at the origin.
    package var puts = 0
    /// Removals by the application.
    package var removals = 0
    /// Answers that were fresh by their header fields although the origin already had a newer version.
    package var outdated = 0
    /// Bytes of all bodies in answers.
    package var answeredBytes = 0
    /// The counts of the origin.
    package var origin = SimulatedOrigin.Totals()
    /// Modelled waiting time of each visit, seconds.
    package var waits: [Double] = []
    /// The sum of the waiting times without a cache, seconds.
    package var waitWithoutCache = 0.0
    /// Whether the simulation was stopped before its end.
    package var isStopped = false

    package func count(of source: SimulatedAnswer.Source) -> Int { sources[source] ?? 0 }

    /// A count as a share of the reads, from 0 to 1.
    package func share(_ count: Int) -> Double { requests == 0 ? 0 : Double(count) / Double(requests) }

    /// Bytes of answers that the origin did not have to send; negative when it sent more than was requested.
    package var savedBytes: Int { answeredBytes - origin.bodyBytes }

    package var meanWait: Double { waits.isEmpty ? 0 : waits.reduce(0, +) / Double(waits.count) }

    /// The modelled waiting time that the given part of the visits does not exceed, seconds.
    package func wait(quantile: Double) -> Double {
        guard !waits.isEmpty else { return 0 }
        let sorted = waits.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * quantile))]
    }
}
