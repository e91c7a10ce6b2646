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
    /// - Parameter log: takes no more memory than it has if it is not used elsewhere.
    /// - Returns: `nil` when the trace was too long to be logged.
    package init?(_ log: consuming ReuseLog, capacity: Capacity) {
        guard !log.isOverfull else { return nil }
        self.capacity = capacity
        hasExpiry = log.hasExpiry
        infinite = log.infinite
        let oneSize = log.oneSize
        switch capacity {
        case .entries(let entries):
            optimum = log.turned().hitsOfMIN(entries: entries).capped(by: infinite)
            (footprint, beladyBySize) = (nil, nil)
        case .bytes(let bytes):
            footprint = log.footprintBound(capacity: bytes).capped(by: infinite)
            let requests = log.turned()
            // If all sizes are equal, the largest size × time is the latest request: Belady by size is MIN.
            let oracle =
                if case .all(let size) = oneSize {
                    requests.hitsOfMIN(entries: size == 0 ? requests.count : bytes / size)
                } else {
                    requests.hitsOfBeladyBySize(capacity: bytes)
                }
            beladyBySize = oracle.capped(by: infinite)
            optimum = oneSize == .differ ? nil : beladyBySize
        }
    }
}

extension HitSum {
    /// The smaller of two bounds, which is a bound too.
    func capped(by other: HitSum) -> HitSum {
        HitSum(hits: min(hits, other.hits), bytes: min(bytes, other.bytes))
    }
}
