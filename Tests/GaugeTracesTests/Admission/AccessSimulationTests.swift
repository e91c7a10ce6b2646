import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Simulation of accesses") struct AccessSimulationTests {
    /// A cache as a list, the most recent first: obvious, and slow.
    private struct SlowCache {
        let capacity: Int
        let changes: SizeChanges
        var entries: [(id: UInt64, size: Int)] = []
        var sum = HitSum()

        mutating func request(_ id: UInt64, _ size: Int) {
            if let at = entries.firstIndex(where: { $0.id == id }) {
                var entry = entries.remove(at: at)
                if [.ignore, .update].contains(changes) || entry.size == size {
                    sum.add(size)
                    if changes == .update { entry.size = size }
                    return insert(entry)
                }
            }
            insert((id, size))
        }

        private mutating func insert(_ entry: (id: UInt64, size: Int)) {
            guard entry.size <= capacity else { return }
            entries.insert(entry, at: 0)
            while entries.reduce(0, { $0 + $1.size }) > capacity { entries.removeLast() }
        }
    }

    @Test(
        "with any admission, LRU by bytes is that of a slow list, whatever a changed size means",
        arguments: SizeChanges.allCases)
    func lists(changes: SizeChanges) {
        var random = SplitMix64(seed: 6)
        var keys = ZipfKeys(objects: 60, exponent: 0.7, seed: 6)
        let requests = keys.draw(3000).map { ($0, Int($0 % 13) * 20 + (random.next() % 5 == 0 ? 33 : 0)) }
        for capacity in [0, 100, 700, 3000, 100_000] {
            var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
            rules.sizeChanges = changes
            var slow = SlowCache(capacity: capacity, changes: changes)
            var maker = MissRatioCurveMaker(unit: .bytes, capacities: [capacity])
            for (id, size) in requests {
                maker.add(rules.access(TraceRequest(id: id, size: size)))
                slow.request(id, size)
            }
            #expect(maker.curve().points.map(\.sum) == [slow.sum], "\(capacity) bytes")
        }
    }
}
