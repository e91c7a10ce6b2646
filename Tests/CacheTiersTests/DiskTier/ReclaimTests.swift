import CacheTiers
import DiskSimulation
import Platform
import Testing

/// How near reclaiming comes to LRU, and at what price in bytes written.
@Suite struct ReclaimTests {
    /// Exact LRU over numbers, as the oracle.
    struct ExactLRU {
        private var order: [Int: Int] = [:]
        private var byTime: [Int] = []
        private var clock = 0
        private let capacity: Int
        private var oldest = 0

        init(capacity: Int) { self.capacity = capacity }

        /// Whether `key` was there; it is now.
        mutating func use(_ key: Int) -> Bool {
            let isHit = order[key] != nil
            if !isHit, order.count == capacity {
                while true {
                    let candidate = byTime[oldest]
                    oldest += 1
                    if order[candidate] == oldest - 1 {
                        order[candidate] = nil
                        break
                    }
                }
            }
            order[key] = clock
            byTime.append(key)
            clock += 1
            return isHit
        }
    }

    /// 4,000 objects of equal size, the capacity a quarter of them: the proportions of 20,000 objects of 4 KB in 20
    /// MiB.
    @Test("the hit ratio is within a point of exact LRU with little write amplification", arguments: [0.7, 1.0, 1.2])
    func theHitRatioIsWithinAPointOfExactLRUWithLittleWriteAmplification(exponent: Double) throws {
        let capacity = 4 << 20
        let objects = 4000
        let bodyCount = 4096 - 64 - Sample(number: 1000).key.count
        var weights: [Double] = []
        var sum = 0.0
        for rank in 1...objects {
            sum += 1 / pow(Double(rank), exponent)
            weights.append(sum)
        }
        let storage = MemoryStorage()
        let log = try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3)
        var oracle = ExactLRU(capacity: capacity / 4096)
        var state: UInt64 = 12345
        var hits = 0
        var exactHits = 0
        let body = [UInt8](repeating: 7, count: bodyCount)
        let warm = 10_000
        let requests = 40_000
        var atWarm = DiskStatistics()
        for request in 0..<requests {
            if request == warm { atWarm = log.statistics }
            state = scrambled(state)
            let point = Double(state >> 11) / Double(1 << 53) * sum
            var low = 0
            var high = objects - 1
            while low < high {
                let middle = (low + high) / 2
                if weights[middle] < point { low = middle + 1 } else { high = middle }
            }
            let sample = Sample(number: low)
            let key = sample.key
            let isHit = key.withUnsafeBytes { log.lookup($0, hash: sample.hash) } != nil
            if !isHit {
                let entry = StoredEntry(
                    key: ContiguousArray(key).span.bytes, hash: sample.hash, metadata: RawSpan(),
                    body: ContiguousArray(body).span.bytes,
                    storedAt: 0)
                if let entry { _ = try log.store(entry) }
            }
            let isExactHit = oracle.use(low)
            guard request >= warm else { continue }
            if isHit { hits += 1 }
            if isExactHit { exactHits += 1 }
        }
        let measured = Double(requests - warm) / 100
        let difference = Double(exactHits - hits) / measured
        #expect(difference < 1, "exact LRU has \(Double(exactHits) / measured) %, the log \(Double(hits) / measured) %")
        let statistics = log.statistics
        let stored = statistics.bytesWritten - statistics.carriedBytes - (atWarm.bytesWritten - atWarm.carriedBytes)
        let amplification = Double(statistics.bytesWritten - atWarm.bytesWritten) / Double(stored)
        #expect(amplification <= 1.7, "write amplification is \(amplification)")

    }

    @Test("no store pays for the reclaiming of a whole segment") func keepsPace() throws {
        let log = try DiskTier(MemoryStorage(), capacity: 256 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        var most: UInt64 = 0
        var carried: UInt64 = 0
        for number in 0..<4_000 {
            _ = try log.store(Sample(number: number, bodyCount: 20).entry())
            // One in ten of those that are still there is asked for again, so that four or five of a segment are
            // carried.
            if number % 10 == 0 {
                for earlier in stride(from: max(0, number - 1_500), to: number, by: 10) {
                    let sample = Sample(number: earlier, bodyCount: 20)
                    _ = sample.key.withUnsafeBytes { log.lookup($0, hash: sample.hash) }
                }
            }
            let now = log.statistics.carriedRecords
            most = max(most, now - carried)
            carried = now
        }
        #expect(carried > 100)
        #expect(most <= 2, "\(most) records were carried by one store")
    }
}
