extension NextRequests {
    /// The most hits that any cache of `entries` objects can have: exact if sizes do not count.
    ///
    /// Belady's MIN ("A study of replacement algorithms for a virtual-storage computer", 1966) with bypassing: whenever
    /// one object too many is held, the one with the latest next request is evicted, even if it is the newest. Holding
    /// an object between two requests is an interval; this greedy rule chooses the largest number of intervals of which
    /// no more than `entries` overlap (Carlisle and Lloyd, "On the k-coloring of intervals", 1995).
    package func hitsOfMIN(entries: Int) -> HitSum {
        var sum = HitSum()
        // The requests that will be hits.
        var held = OrderedIndices(limit: count)
        for index in 0..<count {
            if held.contains(index) {
                held.remove(index)
                sum.add(sizes[index])
            }
            guard next[index] != 0 else { continue }
            held.insert(Int(next[index]))
            if held.count > entries, let latest = held.largest { held.remove(latest) }
        }
        return sum
    }
}
