import DiskSimulation
import TestSupport
import Testing

@testable import CacheTiers

/// Which entries the memory tier keeps, alone and before a disk tier: one thread's order is exactly that of the policy.
@Suite("Recorded decisions of the memory tier") struct RecordedMemoryTests {
    private static func sample(_ number: Int, version: Int) -> Sample {
        let sizes = [40, 900, 3_000, 120, 5_500, 0, 600, 2_000]
        return Sample(
            number: number, version: version, bodyCount: sizes[(number + version) % sizes.count],
            storedAt: Int64(1_000 + number))
    }

    /// Numbers of entries, a few of them more often than others.
    private static func draw(_ state: inout UInt64) -> Int {
        state = scrambled(state)
        let range = state % 3 == 0 ? 600 : 40
        return Int(state >> 20) % range
    }

    private static func numbers(_ entries: [StoredEntry]) -> [Int] { entries.map { Int($0.storedAt) - 1_000 } }

    @Test("stores, hits, promotions, removals and other capacities leave the entries that were recorded")
    func memory() throws {
        var text = ""
        for (policy, unit, capacity) in [
            (.leastRecentlyUsed, .bytes, 120_000), (.greedyDualSizeFrequency, .bytes, 120_000),
            (.leastRecentlyUsed, .entries, 50), (.greedyDualSizeFrequency, .entries, 50),
        ] as [(EvictionPolicy, MemoryTier.Unit, Int)] {
            let tier = try MemoryTier(capacity: capacity, unit: unit, stripes: 2, policy: policy)
            let transcript = Transcript()
            var state: UInt64 = 7
            for step in 1...4_000 {
                let number = Self.draw(&state)
                let sample = Self.sample(number, version: step % 5 == 0 ? 1 : 0)
                let ticket = tier.promotionTicket(for: sample.hash)
                let found = sample.key.withUnsafeBytes { tier.lookup($0, hash: sample.hash) }
                transcript.add("look \(number) \(found.map { $0.bodyCount } ?? -1)")
                switch step % 7 {
                case 0:
                    let isRemoved = sample.key.withUnsafeBytes { tier.remove($0, hash: sample.hash) }
                    transcript.add("remove \(number) \(isRemoved)")
                case 1 where found == nil:
                    transcript.add("promote \(number) \(tier.promote(sample.entry(), ticket: ticket))")
                case 2:
                    transcript.add("forbid \(number) \(tier.store(sample.entry(policy: .notAllowed)))")
                default:
                    transcript.add("store \(number) \(tier.store(sample.entry()))")
                    // The key was stored since the ticket was issued.
                    if step % 11 == 0 {
                        transcript.add("late \(tier.promote(sample.entry(), ticket: ticket))")
                    }
                }
                switch step {
                case 1_000: tier.removeAll(since: 1_020)
                case 1_500: try tier.setCapacity(capacity / 3)
                case 2_000: try tier.setCapacity(capacity)
                case 2_500: Array("https://example.org/1".utf8).withUnsafeBytes { tier.removeAll(withPrefix: $0) }
                case 3_000: tier.removeAll()
                default: break
                }
                if step % 100 == 0 {
                    let entries = Self.numbers(tier.entries())
                    transcript.add("hold \(tier.usage) \(tier.count) \(tier.capacity) \(entries)")
                }
            }
            text += "\(policy) \(unit): \(tier.statistics), \(transcript.summary())\n"
        }
        #expect(RecordedText.differences(of: text, from: "Steps/memory.txt") == [])
    }

    @Test(
        "two tiers answer from the tier, and keep the entries, that were recorded",
        arguments: [
            EvictionPolicy.leastRecentlyUsed, .greedyDualSizeFrequency,
        ])
    func twoTiers(policy: EvictionPolicy) throws {
        let transcript = Transcript()
        let memory = try MemoryTier(capacity: 60_000, stripes: 2, policy: policy)
        let disk = try DiskTier(
            MemoryStorage(), capacity: 300_000, seed: KeySeed(1, 2), nonceSeed: 3, policy: policy)
        let cache = TwoTierCache(memory: memory, disk: disk, hasher: KeyHasher(seed: KeySeed(1, 2)))
        var state: UInt64 = 9
        for step in 1...2_000 {
            let number = Self.draw(&state)
            let sample = Self.sample(number, version: step % 5 == 0 ? 1 : 0)
            let found = sample.key.withUnsafeBytes { cache.lookup($0, hash: sample.hash) }
            transcript.add("look \(number) \(found.map { "\($0.tier) \($0.entry.bodyCount)" } ?? "")")
            switch step % 9 {
            case 0:
                let isRemoved = try sample.key.withUnsafeBytes { try cache.remove($0, hash: sample.hash) }
                transcript.add("remove \(number) \(isRemoved)")
            case 1, 2:
                let policy = [StoragePolicy.notAllowed, .allowedInMemoryOnly][step % 9 - 1]
                transcript.add("limit \(number) \(cache.store(sample.entry(policy: policy)))")
            case 3..<7: transcript.add("store \(number) \(cache.store(sample.entry()))")
            default: break
            }
            switch step {
            case 700: try cache.removeAll(since: 1_025)
            case 1_200: try Array("https://example.org/2".utf8).withUnsafeBytes { try cache.removeAll(withPrefix: $0) }
            case 1_700: try cache.removeAll()
            default: break
            }
            if step % 100 == 0 {
                transcript.add("hold \(memory.usage) \(memory.count) \(Self.numbers(memory.entries()))")
                transcript.add("disk \(disk.currentUsage) \(disk.count)")
            }
        }
        let text = "\(transcript.summary())\n\(memory.statistics)\n\(disk.statistics)\n"
        #expect(RecordedText.differences(of: text, from: "Steps/two-tiers-\(policy).txt") == [])
    }
}
