extension ReuseLog {
    /// More hits, and more bytes of hits, than any cache of `capacity` bytes can have: an upper bound that isn't always
    /// reached.
    ///
    /// To answer request j with the response of request i, a cache holds `size` bytes from i to j: a footprint of size
    /// × (j − i). The footprints of a cache's hits add up to at most capacity × (requests − 1). If you require only
    /// that sum, and ignore where in the trace the footprints lie, the smallest footprints give the most hits, and the
    /// most bytes per footprint (the shortest intervals) the most bytes; the last one counts in part. Every cache obeys
    /// that sum, so also the best one. This is PFOO-L of Berger, Beckmann and Harchol-Balter, "Practical bounds on
    /// optimal caching with variable object sizes" (POMACS 2018): L because it bounds misses from below; their PFOO-U
    /// bounds them from above.
    ///
    /// Where a changed size is no other version, an entry may be smaller or larger than the body it answers with. It
    /// counts with the least size that its object had before.
    ///
    /// - Complexity: O(n) time, 2 MiB beside the log.
    package func footprintBound(capacity: Int) -> HitSum {
        let budget = UInt128(max(0, capacity)) * UInt128(max(0, count - 1))
        let hits = mostUnits(within: budget, capacity: capacity) { length, footprint, _ in
            let (product, isTooLarge) = UInt64(footprint).multipliedReportingOverflow(by: UInt64(length))
            return (isTooLarge ? .max : product, 1)
        }
        return HitSum(hits: hits, bytes: isResized ? bytesOfResized(budget, capacity) : bytes(budget, capacity))
    }

    private func bytes(_ budget: UInt128, _ capacity: Int) -> Int {
        mostUnits(within: budget, capacity: capacity) { length, _, size in (UInt64(length), UInt64(size)) }
    }

    /// A byte of a body larger than its entry may have a price below 1, so prices are in 4096ths, rounded down: the
    /// result stays a bound.
    private func bytesOfResized(_ budget: UInt128, _ capacity: Int) -> Int {
        mostUnits(within: budget << 12, capacity: capacity) { length, footprint, size in
            let price = (UInt128(length) * UInt128(footprint)) << 12 / UInt128(max(1, size))
            return (UInt64(clamping: price), UInt64(size))
        }
    }

    /// The most units that a budget buys, if each interval sells some at a price: the cheapest first, the last in part.
    ///
    /// Instead of sorting the intervals, each of four passes over the log finds 16 more bits of the price at which the
    /// budget is spent.
    @inline(__always)
    private func mostUnits(
        within budget: UInt128, capacity: Int,
        _ offer: (_ length: Int, _ footprint: Int, _ size: Int) -> (price: UInt64, units: UInt64)
    ) -> Int {
        var left = budget
        var bought: UInt128 = 0
        var price: UInt64 = 0
        for shift in [48, 32, 16, 0] as [UInt64] {
            var units = [UInt128](repeating: 0, count: 1 << 16)
            var costs = units
            forEachInterval(capacity: capacity) { length, footprint, size in
                let offer = offer(length, footprint, size)
                // A shift by 64 bits, in the first pass, gives 0.
                guard offer.price >> (shift + 16) == price else { return }
                let digit = Int(offer.price >> shift & 0xFFFF)
                units[digit] += UInt128(offer.units)
                costs[digit] += UInt128(offer.price) * UInt128(offer.units)
            }
            var digit = 0
            while digit < costs.count, costs[digit] <= left {
                left -= costs[digit]
                bought += units[digit]
                digit += 1
            }
            guard digit < costs.count else { return Int(clamping: bought) }
            price = price << 16 | UInt64(digit)
        }
        return Int(clamping: bought + left / UInt128(price))
    }

    @inline(__always)
    private func forEachInterval(capacity: Int, _ body: (_ length: Int, _ footprint: Int, _ size: Int) -> Void) {
        let footprints = footprints
        for (end, previous) in previous.enumerated() where previous != 0 {
            let footprint = footprints[end]
            if footprint <= capacity { body(end + 1 - Int(previous), footprint, sizes[end]) }
        }
    }
}
