extension NextRequests {
    /// The hits of an oracle that evicts the object with the largest size × time to its next request. This is a
    /// heuristic that a cache could follow if it knew the future, and not a bound: another choice may be better.
    ///
    /// Of the objects whose sizes differ by less than a quarter of an octave, only the one with the latest next request
    /// is compared.
    ///
    /// - Complexity: O(n (c + log n)), where c is the number of size classes, about 60 for web bodies.
    package func hitsOfBeladyBySize(capacity: Int) -> HitSum {
        var sum = HitSum()
        var held = OrderedIndices(limit: count)
        var classes = SizeClasses()
        var used = 0
        for index in 0..<count {
            if held.contains(index) {
                held.remove(index)
                used -= footprints[index]
                sum.add(sizes[index])
            }
            let end = Int(next[index])
            guard end != 0, footprints[end] <= capacity else { continue }
            held.insert(end)
            used += footprints[end]
            classes.insert(end, size: footprints[end], at: index, sizes: footprints)
            while used > capacity, let victim = classes.removeWorst(at: index, sizes: footprints) {
                held.remove(victim)
                used -= footprints[victim]
            }
        }
        return sum
    }
}
