/// The best results that any cache could have had in a replay if it knew the future.
package struct Bounds: Hashable, Sendable {
    package enum Capacity: Hashable, Sendable {
        /// Objects, of whatever size.
        case entries(Int)
        /// Bytes of bodies, without overhead.
        case bytes(Int)
    }

    package let capacity: Capacity
    /// The exact maximum of such a cache: Belady's MIN. `nil` if the capacity counts bytes and sizes differ. Only an
    /// upper bound if responses expire.
    package let optimum: HitSum?
    /// An upper bound for such a cache: PFOO-L. `nil` if sizes don't count.
    package let footprint: HitSum?
    /// The hits of an oracle that considers sizes: a heuristic. `nil` if sizes don't count.
    package let beladyBySize: HitSum?
    package let infinite: HitSum
    /// Whether responses of the trace expire; an expired response is a miss for all of these caches.
    package let hasExpiry: Bool

    /// Computes the bounds of a trace.
    ///
    /// - Parameter log: its memory is reused, unless it is used elsewhere.
    /// - Returns: `nil` if the trace was too long to log.
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
            // If all sizes are equal, Belady by size is MIN: the largest size × time is the latest request.
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
    func capped(by other: HitSum) -> HitSum { HitSum(hits: min(hits, other.hits), bytes: min(bytes, other.bytes)) }
}
