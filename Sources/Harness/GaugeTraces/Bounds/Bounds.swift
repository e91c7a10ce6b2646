import Dispatch

/// How much better than a replay any cache could have done, knowing the future.
package struct Bounds: Hashable, Sendable {
    /// What the bounded caches may hold.
    package enum Capacity: Hashable, Sendable {
        /// So many objects, of whatever size.
        case entries(Int)
        /// So many bytes of bodies, no overhead counted.
        case bytes(Int)
    }

    /// What the bounded caches may hold.
    package let capacity: Capacity
    /// The most that any of them can have, exactly: Belady's MIN. `nil` where sizes differ, and count. Where responses
    /// expire it is an upper bound.
    package let optimum: HitSum?
    /// More than any of them can have: PFOO-L. `nil` where sizes do not count.
    package let footprint: HitSum?
    /// What an oracle that looks at sizes has: a heuristic. `nil` where sizes do not count.
    package let beladyBySize: HitSum?
    /// The most that a cache without limits can have.
    package let infinite: HitSum
    /// Whether responses of the trace expire; what is expired is no hit for any of them.
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
            // Of one size, what has the largest size × time is what is asked for latest: Belady by size is MIN.
            beladyBySize = oracle.capped(by: log.infinite)
            optimum = log.oneSize == .differ ? nil : beladyBySize
        }
    }

    /// What two functions return, computed side by side: each takes as long as up to a twentieth of a replay.
    private static func both(
        _ first: @Sendable () -> HitSum, _ second: @Sendable () -> HitSum
    ) -> (HitSum, HitSum) {
        // Each is written by one thread alone, and read when both have ended.
        nonisolated(unsafe) var (one, other) = (HitSum(), HitSum())
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            if number == 0 { one = first() } else { other = second() }
        }
        return (one, other)
    }
}

extension HitSum {
    /// The lesser of two bounds, which is one as well.
    fileprivate func capped(by other: HitSum) -> HitSum {
        HitSum(hits: min(hits, other.hits), bytes: min(bytes, other.bytes))
    }
}
