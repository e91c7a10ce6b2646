import GaugeSupport

extension MissRatioCurve {
    /// The curve of two disjoint samples of the keys of one trace: the mean of both estimates, weighted by the rates.
    ///
    /// - Throws: `GaugeError` if the samples overlap, or are not of the same trace and the same caches.
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
        // Each sample estimates the bytes of requests that do not state a size.
        let difference = Double(other.requestedBytes - requestedBytes) * (1 - share)
        let bytes = requestedBytes.addingClamped(Int(max(-0x1p62, min(0x1p62, difference.rounded()))))
        var points: [Point] = []
        for (left, right) in zip(self.points, other.points) {
            guard let mine = left.estimate, let others = right.estimate else {
                throw GaugeError("a result lacks its estimates; write it again with this version")
            }
            let estimate = mine.mean(with: others, share: share)
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
    /// The mean with the estimate of an independent sample; its error is smaller than those of both.
    fileprivate func mean(with other: SampleEstimate, share: Double) -> SampleEstimate {
        func mean(_ one: Double, _ two: Double) -> Double { share * one + (1 - share) * two }
        func error(_ one: Double, _ two: Double) -> Double {
            (share * share * one * one + (1 - share) * (1 - share) * two * two).squareRoot()
        }
        return SampleEstimate(
            misses: mean(misses, other.misses), missedBytes: mean(missedBytes, other.missedBytes),
            error: error(self.error, other.error), byteError: error(byteError, other.byteError))
    }
}
