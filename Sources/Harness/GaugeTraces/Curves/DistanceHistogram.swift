/// The number of requests at each stack distance: the hits of least recently used at every number of entries.
struct DistanceHistogram {
    private var distances = StackDistances()
    private var counts: [Int] = []

    mutating func add(_ object: Int) {
        guard let distance = distances.access(UInt64(object)) else { return }
        if distance >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: distance + 1 - counts.count))
        }
        counts[distance] += 1
    }

    /// - Complexity: linear in the number of entries.
    func hits(at entries: Int) -> Int { counts.prefix(max(0, entries)).reduce(0, +) }
}
