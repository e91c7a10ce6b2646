import DiskSimulation
import TestSupport
import Testing

@testable import CacheTiers

@Suite("Greedy Dual Size with Frequency on disk") struct GreedyDualReclaimTests {
    @Test(
        "the hits are at most 2 points fewer than the exact policy's, for at most four times the bytes",
        arguments: nightly([20, 5], else: [20]))
    func hitsOfTheSimulation(part: Int) throws {
        let workload = PolicyWorkload(seed: 1, objects: 2_000, count: 20_000)
        let keys = workload.sizes.indices.map { TestKey("https://example.com/objects/\($0)") }
        let tier = try Self.tier(workload.sizes.reduce(0, +) / part)
        var hits = 0
        for number in workload.requests {
            if tier.holds(keys[number]) {
                hits += 1
            } else {
                _ = try tier.store(keys[number].entry(bodyCount: workload.sizes[number]))
            }
        }
        let expected = workload.simulatedHits(.greedyDualSizeFrequency, capacity: tier.capacity) {
            RecordHeader.byteCount + keys[$0].key.bytes.count + workload.sizes[$0]
        }
        let points = 100 * Double(expected - hits) / Double(workload.requests.count)
        #expect(points <= 2, "\(hits) hits, the simulation \(expected)")
        let statistics = tier.statistics
        #expect(statistics.bytesWritten <= 4 * (statistics.bytesWritten - statistics.carriedBytes))
        #expect(statistics.carriedBytes > 0)
    }

    @Test("small entries that are used outlast any number of large ones, and those of few uses go first")
    func order() throws {
        let tier = try Self.tier(1 << 20)
        let small = (0..<200).map { TestKey("small \($0)") }
        for key in small { _ = try tier.store(key.entry(bodyCount: 500)) }
        for key in small[..<100] {
            for _ in 0..<9 { #expect(tier.holds(key)) }
        }
        for number in 0..<3_000 { _ = try tier.store(TestKey("large \(number)").entry(bodyCount: 30_000)) }
        let kept = (small[..<100].count { tier.holds($0) }, small[100...].count { tier.holds($0) })
        #expect(kept.0 == 100)
        #expect(kept.1 < 100)
    }

    @Test("an entry that is not worth writing is refused, and the version before it is gone")
    func notWorthwhile() throws {
        let tier = try Self.tier(1 << 20)
        let key = TestKey("k")
        var refused = false
        for number in 0..<2_000 {
            _ = try tier.store(TestKey("\(number)").entry(bodyCount: 2_000))
            _ = try tier.store(key.entry(bodyCount: 100, storedAt: 1))
            _ = try tier.remove(key.key.hash)
            _ = try tier.store(key.entry(bodyCount: 100, storedAt: 2))
            guard try tier.store(key.entry(bodyCount: 45_000)) == .refused(.notWorthwhile) else { continue }
            refused = true
            #expect(!tier.holds(key))
        }
        #expect(refused)
    }

    @Test("a new log takes everything, until it has been full") func takesAllWhileThereIsRoom() throws {
        let tier = try Self.tier(1 << 20)
        for number in 0..<20 {
            let result = try tier.store(TestKey("\(number)").entry(bodyCount: 45_000))
            #expect(result == .stored(evictions: 0))
        }
    }

    @Test("entries stored under one policy are found under the other", arguments: EvictionPolicy.allCases)
    func reopening(policy: EvictionPolicy) throws {
        let storage = MemoryStorage()
        let keys = (0..<50).map { TestKey("\($0)") }
        for policy in [policy] + EvictionPolicy.allCases {
            let tier = try DiskTier(storage, capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 3, policy: policy)
            for key in keys where tier.startReason != nil { _ = try tier.store(key.entry(bodyCount: 100)) }
            #expect(keys.allSatisfy { tier.holds($0) })
            tier.close()
        }
    }

    @Test("no store copies more than four times its own bytes and 256 KiB") func boundedWork() throws {
        let tier = try Self.tier(16 << 20)
        var random = SplitMix64(state: 5)
        var carried: UInt64 = 0
        for number in 0..<3_000 {
            let size = number % 50 == 49 ? 600_000 : 3_000
            _ = try tier.store(TestKey("\(number)").entry(bodyCount: size))
            _ = tier.holds(TestKey("\(Int(random.next() % UInt64(number + 1)))"))
            let now = tier.statistics.carriedBytes
            #expect(now - carried <= 4 * UInt64(size + 200) + 256 << 10)
            carried = now
        }
        #expect(carried > 0)
    }

    @Test("the notes of uses follow their keys while keys come and go") func notes() {
        var index = DiskIndex(forCapacity: 64 << 20, hasNotes: true)
        var model: [Fingerprint: UInt32] = [:]
        var random = SplitMix64(state: 9)
        for step in 1...20_000 {
            let key = Fingerprint(scrambled(random.next() % 1_500))
            if random.next() % 4 == 0 {
                if let slot = index.find(key) { index.remove(slot) }
                model[key] = nil
                continue
            }
            _ = index.put(key, place: UInt32(step), length: 64)
            guard let slot = index.find(key), let note = index.note(of: slot) else {
                Issue.record("\(key) has no note")
                return
            }
            #expect(note.pointee.uses == model[key] ?? 0)
            note.pointee.uses += 1
            model[key, default: 0] += 1
        }
        for (key, uses) in model {
            let found = index.find(key).flatMap { index.note(of: $0)?.pointee.uses }
            #expect(found == uses)
        }
    }

    @Test(
        "a use is worth 1 over the bytes, in units of 2^-26, and all uses together at most 16",
        arguments: [
            (1, 1, 1 << 26), (1, 64, 1 << 20), (3, 64, 3 << 20), (2, 1 << 26, 2), (1, 1 << 27, 0), (0, 64, 0),
            (15, 1, 15 << 26), (16, 1, 16 << 26), (17, 1, 16 << 26), (.max, 1, 16 << 26), (1, 0, 1 << 26),
        ] as [(UInt32, Int, Int)])
    func worth(uses: UInt32, length: Int, units: Int) {
        #expect(AgedValue.worth(uses: uses, length: length) == units)
    }

    @Test("values are compared correctly after they have wrapped round") func wrapping() {
        var value = AgedValue()
        for _ in 0..<1_000 {
            let later = value.advanced(by: AgedValue.worth(uses: 5, length: 64))
            #expect(later.distance(from: value) > 0 && value.distance(from: later) < 0)
            value = later.advanced(by: AgedValue.worth(uses: .max, length: 1))
        }
    }

    private static func tier(_ capacity: Int) throws -> DiskTier {
        try DiskTier(
            MemoryStorage(), capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3, policy: .greedyDualSizeFrequency)
    }
}

extension DiskTier {
    fileprivate func holds(_ key: TestKey) -> Bool {
        key.key.withBytes { lookup($0, hash: key.key.hash) } != nil
    }
}
