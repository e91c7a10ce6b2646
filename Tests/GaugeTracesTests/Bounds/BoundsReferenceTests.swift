import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

/// The bounds against slow second implementations, on random traces of objects with different sizes.
@Suite("Bounds against a second implementation") struct BoundsReferenceTests {
    private struct Trace {
        var objects: [Int]
        var sizes: [Int]

        init(_ random: inout SplitMix64, sizes: [Int]) {
            let count = 20 + Int(random.next() % 40)
            let popular = 2 + random.next() % 12
            objects = (0..<count).map { _ in Int(random.next() % (1 + random.next() % popular)) }
            let table = (0..<popular).map { _ in sizes[Int(random.next() % UInt64(sizes.count))] }
            self.sizes = objects.map { table[$0] }
        }

        var log: ReuseLog {
            var log = ReuseLog()
            var pasts: [Int: ReuseLog.Past] = [:]
            for (object, size) in zip(objects, sizes) {
                log.note(&pasts[object, default: ReuseLog.Past()], object: object, size: size)
            }
            return log
        }

        /// The place of the next request for the same object after `place`.
        func next(after place: Int) -> Int? { objects[(place + 1)...].firstIndex(of: objects[place]) }
    }

    /// Belady's MIN by its definition: evict the object whose next request is farthest. Objects that are never
    /// requested again are not kept.
    private func minimum(_ trace: Trace, entries: Int) -> Int {
        var held: Set<Int> = []
        var hits = 0
        for (place, object) in trace.objects.enumerated() {
            if held.remove(object) != nil { hits += 1 }
            guard trace.next(after: place) != nil else { continue }
            held.insert(object)
            func distance(_ object: Int) -> Int { trace.objects[(place + 1)...].firstIndex(of: object) ?? .max }
            if held.count > entries, let victim = held.max(by: { distance($0) < distance($1) }) {
                held.remove(victim)
            }
        }
        return hits
    }

    @Test("MIN evicts the object whose next request is farthest", arguments: 1...4)
    func min(entries: Int) {
        var random = SplitMix64(seed: UInt64(41 + entries))
        for _ in 0..<250 {
            let trace = Trace(&random, sizes: [1])
            let hits = trace.log.turned().hitsOfMIN(entries: entries).hits
            #expect(hits == minimum(trace, entries: entries), "\(trace.objects)")
        }
    }

    @Test("PFOO-L takes the smallest footprints of different sizes for hits, and the shortest for bytes")
    func footprint() {
        var random = SplitMix64(seed: 47)
        for _ in 0..<nightly(1_000, else: 250) {
            let trace = Trace(&random, sizes: [1, 2, 5, 17])
            let capacity = Int(random.next() % 40)
            let intervals = trace.objects.indices.compactMap { place -> (size: Int, length: Int)? in
                guard let next = trace.next(after: place), trace.sizes[next] <= capacity else { return nil }
                return (trace.sizes[next], next - place)
            }
            var expected = HitSum()
            var left = capacity * (trace.objects.count - 1)
            for footprint in intervals.map({ $0.size * $0.length }).sorted() where footprint <= left {
                left -= footprint
                expected.hits += 1
            }
            left = capacity * (trace.objects.count - 1)
            // A byte costs its interval's length, so bytes are bought one by one, the cheapest first.
            for length in intervals.flatMap({ Array(repeating: $0.length, count: $0.size) }).sorted()
            where length <= left {
                left -= length
                expected.bytes += 1
            }
            #expect(trace.log.footprintBound(capacity: capacity) == expected, "\(capacity) \(trace)")
        }
    }

    @Test("PFOO-L is exact for bodies of a few bytes up to those of exabytes") func footprintOfLargeBodies() {
        var random = SplitMix64(seed: 59)
        let sizes = [3, 70_000, 1 << 32 - 1, 1 << 32, 5 << 40, 1 << 61]
        for round in 0..<400 {
            let trace = Trace(&random, sizes: Array(sizes[0...(round % sizes.count)]))
            let capacity = Int(random.next() >> (2 + random.next() % 60))
            let intervals = trace.objects.indices.compactMap { place -> (length: UInt128, size: UInt128)? in
                guard let next = trace.next(after: place), trace.sizes[next] <= capacity else { return nil }
                return (UInt128(next - place), UInt128(trace.sizes[next]))
            }
            let budget = UInt128(capacity) * UInt128(trace.objects.count - 1)
            // No footprint is counted as more than 64 bits hold.
            let footprints = intervals.map { Swift.min($0.length * $0.size, UInt128(UInt64.max)) }.sorted()
            var (left, hits) = (budget, 0)
            while hits < footprints.count, footprints[hits] <= left {
                left -= footprints[hits]
                hits += 1
            }
            var bytes: UInt128 = 0
            left = budget
            for (length, size) in intervals.sorted(by: { $0.length < $1.length }) {
                let bought = Swift.min(size, left / length)
                bytes += bought
                left -= bought * length
                guard bought == size else { break }
            }
            let expected = HitSum(hits: hits, bytes: Int(clamping: bytes))
            #expect(trace.log.footprintBound(capacity: capacity) == expected, "\(capacity) \(trace)")
        }
    }

    @Test("Belady by size evicts the largest size times distance, where the sizes are powers of two")
    func beladyBySize() {
        var random = SplitMix64(seed: 53)
        for _ in 0..<500 {
            let trace = Trace(&random, sizes: [4, 8, 64])
            let capacity = 8 + Int(random.next() % 160)
            // Where two products are equal, either may be evicted; such traces are left out.
            var isUnique = true
            var held: [Int: (size: Int, next: Int)] = [:]
            var expected = HitSum()
            for (place, object) in trace.objects.enumerated() {
                if let entry = held.removeValue(forKey: object) { expected.add(entry.size) }
                guard let next = trace.next(after: place), trace.sizes[place] <= capacity else { continue }
                held[object] = (trace.sizes[place], next)
                while held.values.reduce(0, { $0 + $1.size }) > capacity {
                    let products = held.mapValues { $0.size * ($0.next - place) }
                    let largest = products.values.max() ?? 0
                    isUnique = isUnique && products.values.filter { $0 == largest }.count == 1
                    if let victim = products.first(where: { $0.value == largest }) { held[victim.key] = nil }
                }
            }
            if isUnique { #expect(trace.log.turned().hitsOfBeladyBySize(capacity: capacity) == expected, "\(trace)") }
        }
    }
}
