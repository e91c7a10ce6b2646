/// How the requests of a workload or trace were answered.
@usableFromInline package struct HitCounts: Hashable, Sendable {
    /// Requests answered from memory.
    @usableFromInline package var memoryHits = 0
    /// Requests answered from disk, with promotion or without.
    @usableFromInline package var diskHits = 0
    /// Requests answered by a cache that doesn't say which tier answered.
    @usableFromInline package var unknownTierHits = 0
    /// Requests not answered.
    @usableFromInline package var misses = 0
    /// Requests answered wrongly, which aren't hits.
    @usableFromInline package var wrong = 0
    @usableFromInline package var requestedBytes = 0
    @usableFromInline package var hitBytes = 0

    @usableFromInline package init() {}

    @usableFromInline package var hits: Int { memoryHits + diskHits + unknownTierHits }

    @usableFromInline package var requests: Int { hits + misses + wrong }

    /// Hits divided by requests, from 0 to 1; 0 without requests.
    @usableFromInline package var hitRatio: Double { requests == 0 ? 0 : Double(hits) / Double(requests) }

    /// Bytes of hits divided by requested bytes, from 0 to 1; 0 without requests.
    @usableFromInline package var byteHitRatio: Double {
        requestedBytes == 0 ? 0 : Double(hitBytes) / Double(requestedBytes)
    }

    /// Counts one request.
    ///
    /// - Parameter bytes: the requested body's length. Sums that don't fit into 63 bits stay at the largest value.
    @usableFromInline package mutating func count(_ answer: CheckedAnswer, bytes: Int) {
        requestedBytes = requestedBytes.addingClamped(bytes)
        switch answer {
        case .hit(let outcome):
            hitBytes = hitBytes.addingClamped(bytes)
            switch outcome {
            case .memoryHit: memoryHits += 1
            case .hit: unknownTierHits += 1
            default: diskHits += 1
            }
        case .miss, .outdated: misses += 1
        case .wrong: wrong += 1
        }
    }

    /// Counts a request that wasn't given to the subject.
    @usableFromInline package mutating func countMiss(bytes: Int) {
        requestedBytes = requestedBytes.addingClamped(bytes)
        misses += 1
    }

    /// Hits by tier, with display names; those of an unknown tier are listed separately.
    package var tiers: [(name: String, count: Int)] {
        if unknownTierHits > 0, memoryHits + diskHits == 0 { return [(Self.unknownTier, unknownTierHits)] }
        let told = [("memory hits", memoryHits), ("disk hits", diskHits)]
        return unknownTierHits > 0 ? told + [(Self.unknownTier, unknownTierHits)] : told
    }

    private static let unknownTier = "hits of unknown tier"

    @usableFromInline package var figures: [Figure] {
        [
            Figure("requests", Double(requests)), Figure("hit ratio", hitRatio, .ratio),
            Figure("byte hit ratio", byteHitRatio, .ratio),
        ] + tiers.map { Figure($0.name, Double($0.count)) }
    }
}

/// The result of a checked lookup.
@usableFromInline package enum CheckedAnswer: Hashable, Sendable {
    /// The right body, from the tier that the outcome names.
    case hit(Outcome)
    /// Nothing.
    case miss
    /// An earlier version of the body, if the caller allowed that.
    case outdated
    /// A wrong answer or an error, which has been reported.
    case wrong
}
