import GaugeSupport

/// What a miss-ratio curve advises somebody who has to choose a capacity.
package struct CacheAdvice: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package let capacity: Int
        /// Hits by policy, in the order of ``CacheAdvice/policies``.
        package let hits: [HitSum]
    }

    /// The policies; the first is the usual one.
    package let policies: [String]
    package let steps: [Step]
    package let requests: Int
    package let requestedBytes: Int

    /// The share of the most possible hits that is enough.
    private static let enough = 0.85
    /// The share beyond which more capacity isn't worth it.
    private static let all = 0.995

    /// - Parameter wanted: the capacities that fit the trace (``capacities(workingSet:largest:median:share:least:)``);
    ///   of a curve with more, as many up to the last of them are used.
    package init(_ curve: MissRatioCurve, wanted: [Int]? = nil) {
        policies = curve.policies
        (requests, requestedBytes) = (curve.requests, curve.requestedBytes)
        var capacities: [Int] = []
        var hits: [Int: [HitSum]] = [:]
        for point in curve.points {
            if hits[point.capacity] == nil { capacities.append(point.capacity) }
            hits[point.capacity, default: []].append(point.sum)
        }
        if let last = wanted?.last { capacities = capacities.filter { $0 <= last }.suffix(wanted?.count ?? 0) }
        steps = capacities.map { Step(capacity: $0, hits: hits[$0] ?? []) }
    }

    /// The most hits of the usual policy, at the largest capacity.
    package var most: Int { steps.map { hits($0, 0) }.max() ?? 0 }

    /// The smallest capacity that gets 85 % of the most possible hits; `nil` if none gets any.
    package var advised: Step? { smallest(Self.enough) }

    /// The capacity above which hardly anything is gained: 99.5 % of the most possible hits.
    package var full: Step? { smallest(Self.all) }

    /// The share of the most hits that a capacity gets with the usual policy.
    package func share(of step: Step) -> Double { Double(hits(step, 0)) / Double(max(1, most)) }

    /// What the usual policy needs for the hits that another policy has at the advised capacity already; `nil` if that
    /// isn't more, or the other policy has no more hits there.
    package func reach(of policy: Int) -> Int? {
        guard let advised, hits(advised, policy) > hits(advised, 0) else { return nil }
        let reached = steps.map { hits($0, 0) }.filter { $0 <= hits(advised, policy) }.max()
        let step = steps.first { hits($0, 0) == reached }
        return step.flatMap { $0.capacity > advised.capacity ? $0.capacity : nil }
    }

    private func smallest(_ share: Double) -> Step? {
        guard most > 0 else { return nil }
        return steps.first { Double(hits($0, 0)) >= share * Double(most) }
    }

    private func hits(_ step: Step, _ policy: Int) -> Int { policy < step.hits.count ? step.hits[policy].hits : 0 }

    /// Powers of two, from a thousandth of what holds everything, or 64 KiB, up to that.
    ///
    /// - Parameters:
    ///   - workingSet: the cost of all objects.
    ///   - largest: the cost of the largest one.
    ///   - median: the cost of one in the middle, which has to fit.
    ///   - share: an entry that costs more than the capacity divided by this number isn't kept.
    package static func capacities(workingSet: Int, largest: Int, median: Int = 0, share: Int, least: Int) -> [Int] {
        func room(_ cost: Int) -> Int { self.room(for: cost, share: share) }
        // A single huge object doesn't stretch the curve beyond what the others need.
        let wanted = max(least, workingSet, room(median), min(room(largest), workingSet.addingClamped(workingSet)))
        var capacities: [Int] = []
        var capacity = 1
        while capacity < wanted, capacity < PolicyKind.largestCapacity { capacity *= 2 }
        while capacity >= least, capacities.count < 11 {
            capacities.insert(capacity, at: 0)
            capacity /= 2
        }
        return capacities
    }

    /// The smallest capacity that keeps an entry.
    package static func room(for cost: Int, share: Int) -> Int {
        let (room, isTooLarge) = cost.multipliedReportingOverflow(by: share)
        return isTooLarge ? .max : room
    }
}
