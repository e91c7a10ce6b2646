import GaugeMeasurement

/// Two caches with the same entries at most: one sorts them and drops half when it is full, as many hand-written caches
/// do, and one keeps them in a list and drops the oldest at each store. An operation of the first is quicker but for
/// its bursts.
enum BurstCaches {
    /// A store of a new key in a full cache of 1,000 and of 100,000 entries.
    static let benchmarks = [("1k", 1_000), ("100k", 100_000)].flatMap { name, entries in
        [
            Benchmark(BenchmarkName("planted", "bursts-\(name)", "sorted"), reference: "listed", suites: ["large"]) {
                _ in
                let cache = Sorted(entries)
                return stores(of: entries) { cache.store($0) }
            },
            Benchmark(BenchmarkName("planted", "bursts-\(name)", "listed"), reference: "listed", suites: ["large"]) {
                _ in
                let cache = Listed(entries)
                return stores(of: entries) { cache.store($0) }
            },
        ]
    }

    private static func stores(of entries: Int, _ store: @escaping (UInt64) -> Void) -> PreparedBenchmark {
        var next: UInt64 = 0
        for _ in 0..<entries * 3 / 2 {
            next &+= 1
            store(next &* 0x9E37_79B9_7F4A_7C15)
        }
        return PreparedBenchmark(
            .batched { operations in
                for _ in 0..<operations {
                    next &+= 1
                    store(next &* 0x9E37_79B9_7F4A_7C15)
                }
            })
    }

    private final class Sorted {
        private let most: Int
        private var entries: [UInt64: (value: UInt64, used: Int)] = [:]
        private var time = 0

        init(_ most: Int) {
            self.most = most
            entries.reserveCapacity(most + 1)
        }

        func store(_ key: UInt64) {
            time += 1
            entries[key] = (key, time)
            guard entries.count > most else { return }
            let oldest = entries.sorted { $0.value.used < $1.value.used }
            for (key, _) in oldest.prefix(most / 2) { entries[key] = nil }
        }
    }

    private final class Listed {
        private struct Node {
            var key: UInt64 = 0
            var before = 0
            var after = 0
        }

        private let most: Int
        private var places: [UInt64: Int] = [:]
        /// A ring; node 0 stands between the newest and the oldest.
        private var nodes = [Node()]

        init(_ most: Int) {
            self.most = most
            places.reserveCapacity(most + 1)
        }

        func store(_ key: UInt64) {
            var place = nodes.count
            if places.count >= most {
                place = nodes[0].after
                places[nodes[place].key] = nil
                nodes[0].after = nodes[place].after
                nodes[nodes[place].after].before = 0
            } else {
                nodes.append(Node())
            }
            let last = nodes[0].before
            nodes[place] = Node(key: key, before: last, after: 0)
            nodes[last].after = place
            nodes[0].before = place
            places[key] = place
        }
    }
}
