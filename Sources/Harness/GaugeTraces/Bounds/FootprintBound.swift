extension ReuseLog {
    /// More hits, and more bytes of hits, than any cache of `capacity` bytes can have: an upper bound that is not
    /// always reached.
    ///
    /// To answer request j with the response of request i, a cache has to hold `size` bytes from i to j: a footprint of
    /// size × (j − i). The footprints of a cache's hits add up to at most capacity × (requests − 1), since between two
    /// requests it holds no more than its capacity. If only that sum is required, and not where in the trace the
    /// footprints lie, then taking the smallest footprints first gives the most hits, and taking the most bytes per
    /// footprint first gives the most bytes: the shortest intervals, the last of them in part. This holds for every
    /// cache, so also for the best one. It is PFOO-L of Berger, Beckmann and Harchol-Balter, "Practical bounds on
    /// optimal caching with variable object sizes" (POMACS 2018): L because it bounds misses from below; their PFOO-U
    /// bounds misses from above.
    ///
    /// - Complexity: O(n log n) time, 8 bytes per request beside the log; O(n) and 4 bytes if all bodies have one size.
    package func footprintBound(capacity: Int) -> HitSum {
        let budget = UInt128(max(0, capacity)) * UInt128(max(0, count - 1))
        if case .all(let size) = oneSize { return mostOfOneSize(size, within: budget, capacity: capacity) }
        return HitSum(
            hits: mostHits(within: budget, capacity: capacity), bytes: mostBytes(within: budget, capacity: capacity))
    }

    /// The most hits and the most bytes at once: the intervals are counted by length, which sorts them.
    private func mostOfOneSize(_ size: Int, within budget: UInt128, capacity: Int) -> HitSum {
        var counts = [UInt32](repeating: 0, count: count)
        forEachInterval(capacity: capacity) { length, _ in counts[length] += 1 }
        var left = budget
        var sum = HitSum()
        for (length, count) in counts.enumerated() where count > 0 {
            let footprint = UInt128(size) * UInt128(length)
            let taken = footprint == 0 ? Int(count) : Int(min(UInt128(count), left / footprint))
            left -= UInt128(taken) * footprint
            sum.add(size, times: taken)
            guard taken == count else {
                sum.bytes = sum.bytes.addingClamped(Int(left / UInt128(length)))
                break
            }
        }
        return sum
    }

    private func mostHits(within budget: UInt128, capacity: Int) -> Int {
        var footprints: [UInt64] = []
        forEachInterval(capacity: capacity) { length, end in
            let (product, isTooLarge) = UInt64(sizes[end]).multipliedReportingOverflow(by: UInt64(length))
            footprints.append(isTooLarge ? .max : product)
        }
        footprints.sort()
        var left = budget
        var hits = 0
        for footprint in footprints {
            guard left >= footprint else { break }
            left -= UInt128(footprint)
            hits += 1
        }
        return hits
    }

    private func mostBytes(within budget: UInt128, capacity: Int) -> Int {
        // Length in the high bits, end in the low bits: sorted, the shortest come first.
        var intervals: [UInt64] = []
        forEachInterval(capacity: capacity) { length, end in intervals.append(UInt64(length) << 32 | UInt64(end)) }
        intervals.sort()
        var left = budget
        var bytes = 0
        for interval in intervals {
            let size = sizes[Int(interval & 0xFFFF_FFFF)]
            let footprint = UInt128(size) * UInt128(interval >> 32)
            guard left >= footprint else { return bytes.addingClamped(Int(left / UInt128(interval >> 32))) }
            left -= footprint
            bytes = bytes.addingClamped(size)
        }
        return bytes
    }

    private func forEachInterval(capacity: Int, _ body: (_ length: Int, _ end: Int) -> Void) {
        for (end, previous) in previous.enumerated() where previous != 0 && sizes[end] <= capacity {
            body(end + 1 - Int(previous), end)
        }
    }
}
