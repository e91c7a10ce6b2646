/// How the requests of a workload or trace were answered.
public struct HitCounts: Hashable, Sendable {
    /// Requests answered from memory.
    public var memoryHits = 0
    /// Requests answered from disk, with promotion or without.
    public var diskHits = 0
    /// Requests answered by a cache that does not tell from which of its tiers.
    public var untoldHits = 0
    /// Requests not answered.
    public var misses = 0
    /// Requests answered wrongly: no hits.
    public var wrong = 0
    /// Bytes of all bodies asked for.
    public var requestedBytes = 0
    /// Bytes of the bodies of hits.
    public var hitBytes = 0

    /// No requests yet.
    public init() {}

    /// Requests that were answered rightly.
    public var hits: Int { memoryHits + diskHits + untoldHits }

    /// All requests.
    public var requests: Int { hits + misses + wrong }

    /// Hits by requests, from 0 to 1; 0 of none.
    public var hitRatio: Double { requests == 0 ? 0 : Double(hits) / Double(requests) }

    /// Bytes of hits by bytes asked for, from 0 to 1; 0 of none.
    public var byteHitRatio: Double { requestedBytes == 0 ? 0 : Double(hitBytes) / Double(requestedBytes) }

    /// Counts one request.
    ///
    /// - Parameter bytes: the length of the body asked for; sums that do not fit into 63 bits stay at the largest.
    public mutating func count(_ answer: CheckedAnswer, bytes: Int) {
        requestedBytes = requestedBytes.addingClamped(bytes)
        switch answer {
        case .hit(let outcome):
            hitBytes = hitBytes.addingClamped(bytes)
            switch outcome {
            case .memoryHit: memoryHits += 1
            case .hit: untoldHits += 1
            default: diskHits += 1
            }
        case .miss, .outdated: misses += 1
        case .wrong: wrong += 1
        }
    }

    /// Counts one request that was not given to the subject.
    public mutating func countMiss(bytes: Int) {
        requestedBytes = requestedBytes.addingClamped(bytes)
        misses += 1
    }

    /// Hits by the tier that they came from, with names for people. What is not told apart stands alone.
    var tiers: [(name: String, count: Int)] {
        if untoldHits > 0, memoryHits + diskHits == 0 { return [(Self.untold, untoldHits)] }
        let told = [("memory hits", memoryHits), ("disk hits", diskHits)]
        return untoldHits > 0 ? told + [(Self.untold, untoldHits)] : told
    }

    private static let untold = "hits, tier not told"

    /// The counts as figures of a benchmark.
    public var figures: [Figure] {
        [
            Figure("requests", Double(requests)), Figure("hit ratio", hitRatio, .ratio),
            Figure("byte hit ratio", byteHitRatio, .ratio),
        ] + tiers.map { Figure($0.name, Double($0.count)) }
    }
}

extension Int {
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflowed) = addingReportingOverflow(other)
        return overflowed ? .max : sum
    }
}
