import GaugeSupport

/// The hits of caches of several policies and capacities on one trace.
package struct MissRatioCurve: Sendable {
    package struct Point: Hashable, Sendable {
        package let policy: String
        package let capacity: Int
        /// The hits, estimated if the trace was sampled.
        package var sum: HitSum
        /// The estimate of a sample; `nil` without one.
        package var estimate: SampleEstimate?

        package init(policy: String, capacity: Int, sum: HitSum, estimate: SampleEstimate? = nil) {
            (self.policy, self.capacity, self.sum, self.estimate) = (policy, capacity, sum, estimate)
        }
    }

    package enum Unit: String, CaseIterable, Sendable {
        /// Objects, of whatever size.
        case entries
        /// Bytes, as the admission rule counts them.
        case bytes
    }

    package let unit: Unit
    /// The capacity of the disk tier behind the policies whose names end in a ``TierArrangement``; `nil` without one.
    package let disk: Int?
    /// The points, policy by policy, each in the given order of capacities.
    package let points: [Point]
    package let requests: Int
    package let requestedBytes: Int
    /// The number of requested objects (in the sample, if there is one).
    package let objects: Int
    /// Whether stack distances gave the hits of all capacities at once.
    package let isOfDistances: Bool
    /// The sampled keys; `nil` if every key was simulated.
    package let sample: SampleSummary?
    /// At most so many hits came while the response was under way and shared its fetch; 0 with a sample.
    package var shared = 0

    package init(
        unit: Unit, disk: Int? = nil, points: [Point], requests: Int, requestedBytes: Int, objects: Int,
        isOfDistances: Bool = false,
        sample: SampleSummary? = nil
    ) {
        (self.unit, self.disk, self.points, self.requests) = (unit, disk, points, requests)
        (self.requestedBytes, self.objects) = (requestedBytes, objects)
        (self.isOfDistances, self.sample) = (isOfDistances, sample)
    }

    package var policies: [String] {
        var policies: [String] = []
        for point in points where policies.last != point.policy { policies.append(point.policy) }
        return policies
    }
}

extension MissRatioCurve {
    /// The curve from two disjoint samples of one trace's keys: the mean of both estimates, weighted by rate.
    ///
    /// - Throws: `GaugeError` if the samples overlap, or aren't of the same trace and the same caches.
    package func merged(with other: MissRatioCurve) throws(GaugeError) -> MissRatioCurve {
        guard let (one, two) = sample.flatMap({ one in other.sample.map { (one, $0) } }) else {
            throw GaugeError("only samples can be merged; make each result with --shard I/N")
        }
        guard one.seed == two.seed, one.shardCount == two.shardCount else {
            throw GaugeError("the samples were drawn differently; use one --seed and one N in --shard I/N")
        }
        if let shard = one.shards.first(where: two.shards.contains) {
            throw GaugeError("both results hold shard \(shard + 1)/\(one.shardCount); pass each shard once")
        }
        guard requests == other.requests else {
            throw GaugeError(
                "one result counts \(requests) requests and the other \(other.requests); every shard reads the whole "
                    + "trace, and pieces cut by time cannot be merged")
        }
        guard unit == other.unit, disk == other.disk, points.map(\.name) == other.points.map(\.name) else {
            throw GaugeError(
                "the results are of different caches; use the same --by, --policy, --capacities and --two-tier")
        }
        let share = one.rate / (one.rate + two.rate)
        // Each sample estimates the bytes of requests that state no size.
        let difference = Double(other.requestedBytes - requestedBytes) * (1 - share)
        let bytes = requestedBytes.addingClamped(Int(max(-0x1p62, min(0x1p62, difference.rounded()))))
        var points: [Point] = []
        for (left, right) in zip(self.points, other.points) {
            guard let mine = left.estimate, let others = right.estimate else {
                throw GaugeError("a result lacks its estimates; write it again with this version")
            }
            let estimate = mine.mean(with: others, rates: (one.rate, two.rate))
            points.append(
                Point(
                    policy: left.policy, capacity: left.capacity,
                    sum: estimate.hits(of: requests, bytes: bytes), estimate: estimate))
        }
        return MissRatioCurve(
            unit: unit, disk: disk, points: points, requests: requests, requestedBytes: bytes,
            objects: objects.addingClamped(other.objects),
            sample: SampleSummary(
                rate: one.rate + two.rate, seed: one.seed, shards: one.shards + two.shards, of: one.shardCount))
    }
}

extension MissRatioCurve.Point {
    fileprivate var name: String { "\(policy) \(capacity)" }
}

extension SampleEstimate {
    /// The mean with the estimate from other keys.
    ///
    /// - Parameter rates: the part of all keys in each sample. The choice of keys makes no error once both hold all.
    fileprivate func mean(with other: SampleEstimate, rates: (Double, Double)) -> SampleEstimate {
        let share = rates.0 / (rates.0 + rates.1)
        func mean(_ value: (SampleEstimate) -> Double) -> Double { share * value(self) + (1 - share) * value(other) }
        func error(_ all: (SampleEstimate) -> Double, _ scale: (SampleEstimate) -> Double) -> Double {
            func variance(_ one: SampleEstimate, _ share: Double, _ rate: Double) -> Double {
                let reach = share * (all(one) - scale(one))
                return reach * reach / max(1 - rate, 1e-9)
            }
            let sum = variance(self, share, rates.0) + variance(other, 1 - share, rates.1)
            return (sum * max(0, 1 - rates.0 - rates.1)).squareRoot() + mean(scale)
        }
        return SampleEstimate(
            misses: mean(\.misses), missedBytes: mean(\.missedBytes), error: error(\.error, \.scaleError),
            byteError: error(\.byteError, \.byteScaleError), scaleError: mean(\.scaleError),
            byteScaleError: mean(\.byteScaleError))
    }
}

package struct SampleSummary: Hashable, Sendable {
    /// The share of all keys; the final one, if it fell.
    package let rate: Double
    /// Chose the keys.
    package let seed: UInt64
    /// The sampled shards, in ascending order.
    package let shards: [Int]
    /// How many shards the keys are divided into.
    package let shardCount: Int

    package init(rate: Double, seed: UInt64, shards: [Int], of shardCount: Int) {
        (self.rate, self.seed, self.shards, self.shardCount) = (rate, seed, shards.sorted(), shardCount)
    }

    init(_ sample: KeySample) {
        self.init(rate: sample.rate, seed: sample.seed, shards: [sample.shard], of: sample.shards)
    }
}
