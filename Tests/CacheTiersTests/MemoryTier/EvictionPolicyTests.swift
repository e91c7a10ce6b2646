import CacheTiers
import TestSupport
import Testing

@Suite("Eviction policies") struct EvictionPolicyTests {
    @Test(
        "the hits are those of a simulation of the rule, within 0.3 points, on requests by Zipf and lognormal sizes",
        arguments: EvictionPolicy.allCases, nightly([1, 2], else: [1]) as [UInt64])
    func hitsOfTheSimulation(policy: EvictionPolicy, seed: UInt64) throws {
        let workload = PolicyWorkload(seed: seed)
        let tier = try MemoryTier(capacity: workload.sizes.reduce(0, +) / 20, policy: policy)
        let keys = workload.sizes.indices.map { TestKey("https://example.com/objects/\($0)") }
        var (hits, highest) = (0, 0)
        for number in workload.requests {
            if tier.lookup(keys[number].key) != nil {
                hits += 1
            } else {
                _ = tier.store(keys[number].entry(bodyCount: workload.sizes[number]))
            }
            highest = max(highest, tier.usage)
        }
        #expect(highest <= tier.capacity)
        let expected = EvictionPolicy.allCases.map { policy in
            workload.simulatedHits(policy, capacity: tier.capacity) {
                keys[$0].key.bytes.count + workload.sizes[$0] + StoredEntry.overhead
            }
        }
        let (lru, gdsf) = (expected[0], expected[1])
        let simulated = policy == .leastRecentlyUsed ? lru : gdsf
        let points = 100 * Double(abs(hits - simulated)) / Double(workload.requests.count)
        #expect(points < 0.3, "\(hits) hits, the simulation \(simulated)")
        // Belady by size is farther from LRU than GDSF is, so its share of that distance is nearer still.
        if policy == .greedyDualSizeFrequency { #expect(100 * (gdsf - hits) < 2 * (gdsf - lru)) }
    }

    @Test("GDSF finds more than LRU where sizes differ") func moreHits() {
        let workload = PolicyWorkload(seed: 3)
        let hits = EvictionPolicy.allCases.map { policy in
            workload.simulatedHits(policy, capacity: workload.sizes.reduce(0, +) / 20) {
                workload.sizes[$0] + StoredEntry.overhead
            }
        }
        #expect(hits[1] > hits[0] + workload.requests.count / 50, "\(hits)")
    }

    @Test("GDSF evicts a large entry before a small one, and a used one after both") func order() throws {
        let tier = try MemoryTier(capacity: 1 << 20, policy: .greedyDualSizeFrequency)
        for (name, size) in [("used", 5_000), ("small", 1_000), ("large", 4_000)] {
            _ = tier.store(TestKey(name).entry(bodyCount: size))
        }
        for _ in 0..<9 { _ = tier.lookup(TestKey("used").key) }
        let order = tier.entries().map { $0.withKey { String(decoding: $0, as: UTF8.self) } }
        #expect(order == ["large", "small", "used"])
    }

    @Test("an entry that GDSF replaces keeps its uses, and is not evicted for its successor") func replacing() throws {
        let tier = try MemoryTier(capacity: 100_000, policy: .greedyDualSizeFrequency)
        _ = tier.store(TestKey("k").entry(bodyCount: 1_000))
        for _ in 0..<5 { _ = tier.lookup(TestKey("k").key) }
        var number = 0
        while tier.usage + 1_200 < tier.capacity {
            number += 1
            _ = tier.store(TestKey("\(number)").entry(bodyCount: 1_000))
        }
        #expect(tier.store(TestKey("k").entry(bodyCount: 4_500)) == StoreResult(.stored, evictions: 3))
        #expect(tier.lookup(TestKey("k").key)?.bodyCount == 4_500)
        #expect(tier.usage <= tier.capacity)
        // Seven uses of 4.6 kB, and an eighth, are worth more than one of 1.1 kB.
        #expect(tier.entries().last?.bodyCount == 4_500)
    }

    @Test("an order that shrinks and grows again keeps its entries", arguments: EvictionPolicy.allCases)
    func resizing(policy: EvictionPolicy) throws {
        let tier = try MemoryTier(capacity: 2_000, unit: .entries, policy: policy)
        for round in 0..<3 {
            for number in 0..<2_000 { _ = tier.store(TestKey("\(round) \(number)").entry(bodyCount: 1)) }
            #expect(tier.entries().count == 2_000)
            try tier.setCapacity(30)
            let kept = tier.entries().map { $0.withKey { String(decoding: $0, as: UTF8.self) } }
            #expect(kept == (1_970..<2_000).map { "\(round) \($0)" })
            try tier.setCapacity(2_000)
        }
    }
}
