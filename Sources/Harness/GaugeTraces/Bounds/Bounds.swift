import Dispatch

/// The best results that any cache could have had in a replay, knowing the future.
package struct Bounds: Hashable, Sendable {
    /// The capacity of the bounded caches.
    package enum Capacity: Hashable, Sendable {
        /// So many objects, of whatever size.
        case entries(Int)
        /// So many bytes of bodies, no overhead counted.
        case bytes(Int)
    }

    /// The capacity of the bounded caches.
    package let capacity: Capacity
    /// The exact maximum of any such cache: Belady's MIN. `nil` when the capacity counts bytes and sizes differ. An
    /// upper bound if responses expire.
    package let optimum: HitSum?
    /// An upper bound for any such cache: PFOO-L. `nil` when sizes do not count.
    package let footprint: HitSum?
    /// The hits of an oracle that considers sizes: a heuristic. `nil` when sizes do not count.
    package let beladyBySize: HitSum?
    /// The maximum of a cache without limits.
    package let infinite: HitSum
    /// Whether responses of the trace expire; an expired response is not a hit for any of these caches.
    package let hasExpiry: Bool

    /// Computes the bounds of a trace.
    ///
    /// - Returns: `nil` when the trace was too long to be logged.
    package init?(_ log: ReuseLog, capacity: Capacity) {
        guard !log.isOverfull else { return nil }
        self.capacity = capacity
        hasExpiry = log.hasExpiry
        infinite = log.infinite
        switch capacity {
        case .entries(let entries):
            optimum = log.hitsOfMIN(entries: entries).capped(by: log.infinite)
            (footprint, beladyBySize) = (nil, nil)
        case .bytes(let bytes):
            let (footprint, oracle) = Self.both(
                { log.footprintBound(capacity: bytes) },
                {
                    guard case .all(let size) = log.oneSize else { return log.hitsOfBeladyBySize(capacity: bytes) }
                    return log.hitsOfMIN(entries: size == 0 ? log.count : bytes / size)
                })
            self.footprint = footprint.capped(by: log.infinite)
            // If all sizes are equal, the largest size × time is the latest request: Belady by size is MIN.
            beladyBySize = oracle.capped(by: log.infinite)
            optimum = log.oneSize == .differ ? nil : beladyBySize
        }
    }

    /// The results of two functions, computed in parallel: each takes up to a twentieth of the time of a replay.
    private static func both(
        _ first: @Sendable () -> HitSum, _ second: @Sendable () -> HitSum
    ) -> (HitSum, HitSum) {
        // Each variable is written by one thread only, and read when both have ended.
        nonisolated(unsafe) var (one, other) = (HitSum(), HitSum())
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            if number == 0 { one = first() } else { other = second() }
        }
        return (one, other)
    }
}

extension HitSum {
    /// The smaller of two bounds, which is a bound too.
    func capped(by other: HitSum) -> HitSum {
        HitSum(hits: min(hits, other.hits), bytes: min(bytes, other.bytes))
    }
}
