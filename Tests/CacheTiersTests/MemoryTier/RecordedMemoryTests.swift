import DiskSimulation
import TestSupport
import Testing

@testable import CacheTiers

/// Which entries the memory tier keeps, alone and before a disk tier: one thread's order is exactly that of the policy.
///
/// A record says that a decision has changed. What is right whatever the policy decides is asserted beside it: a key
/// has nothing, or exactly what was stored last and not removed since, and no capacity is exceeded.
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

    /// Whether an answer is nothing, or the version that was stored last; `nil` if there is none, or it was removed.
    private static func isRight(_ found: StoredEntry?, _ number: Int, _ newest: Int?) -> Bool {
        guard let found else { return true }
        return newest.map { sample(number, version: $0).matches(found) } ?? false
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
            // The versions that were stored last, and the lookups that found something.
            var (newest, hits): ([Int: Int], Int) = ([:], 0)
            for step in 1...4_000 {
                let number = Self.draw(&state)
                let sample = Self.sample(number, version: step % 5 == 0 ? 1 : 0)
                let ticket = tier.promotionTicket(for: sample.hash)
                let found = sample.key.withUnsafeBytes { tier.lookup($0, hash: sample.hash) }
                #expect(Self.isRight(found, number, newest[number]), "step \(step), entry \(number)")
                if found != nil { hits += 1 }
                transcript.add("look \(number) \(found.map { $0.bodyCount } ?? -1)")
                switch step % 7 {
                case 0:
                    let isRemoved = sample.key.withUnsafeBytes { tier.remove($0, hash: sample.hash) }
                    transcript.add("remove \(number) \(isRemoved)")
                    #expect(isRemoved == (found != nil), "step \(step)")
                    newest[number] = nil
                case 1 where found == nil:
                    transcript.add("promote \(number) \(tier.promote(sample.entry(), ticket: ticket))")
                    newest[number] = sample.version
                case 2:
                    transcript.add("forbid \(number) \(tier.store(sample.entry(policy: .notAllowed)))")
                    newest[number] = nil
                default:
                    transcript.add("store \(number) \(tier.store(sample.entry()))")
                    newest[number] = sample.version
                    // The key was stored since the ticket was issued.
                    if step % 11 == 0 {
                        let late = tier.promote(sample.entry(), ticket: ticket)
                        transcript.add("late \(late)")
                        #expect(late.outcome == .outdated, "step \(step)")
                    }
                }
                switch step {
                case 1_000:
                    tier.removeAll(since: 1_020)
                    newest = newest.filter { $0.key <= 20 }
                case 1_500: try tier.setCapacity(capacity / 3)
                case 2_000: try tier.setCapacity(capacity)
                case 2_500:
                    Array("https://example.org/1".utf8).withUnsafeBytes { tier.removeAll(withPrefix: $0) }
                    newest = newest.filter { !"\($0.key)".hasPrefix("1") }
                case 3_000:
                    tier.removeAll()
                    newest = [:]
                default: break
                }
                if step % 100 == 0 {
                    let entries = Self.numbers(tier.entries())
                    transcript.add("hold \(tier.usage) \(tier.count) \(tier.capacity) \(entries)")
                    #expect(tier.usage <= tier.capacity && tier.count == entries.count, "step \(step)")
                    #expect(Set(entries).isSubset(of: newest.keys), "step \(step)")
                }
            }
            let statistics = tier.statistics
            #expect(Int(statistics.hits) == hits && Int(statistics.hits + statistics.misses) == 4_000)
            text += "\(policy) \(unit): \(tier.statistics), \(transcript.summary())\n"
        }
        #expect(RecordedText.differences(of: text, from: "Steps/memory.txt") == [])
    }

    @Test(
        "two tiers answer from the tier, and keep the entries, that were recorded",
        arguments: [EvictionPolicy.leastRecentlyUsed, .greedyDualSizeFrequency])
    func twoTiers(policy: EvictionPolicy) throws {
        let transcript = Transcript()
        let memory = try MemoryTier(capacity: 60_000, stripes: 2, policy: policy)
        let disk = try DiskTier(MemoryStorage(), capacity: 300_000, seed: KeySeed(1, 2), nonceSeed: 3, policy: policy)
        let cache = TwoTierCache(memory: memory, disk: disk, hasher: KeyHasher(seed: KeySeed(1, 2)))
        var state: UInt64 = 9
        var newest: [Int: Int] = [:]
        for step in 1...2_000 {
            let number = Self.draw(&state)
            let sample = Self.sample(number, version: step % 5 == 0 ? 1 : 0)
            let found = sample.key.withUnsafeBytes { cache.lookup($0, hash: sample.hash) }
            #expect(Self.isRight(found?.entry, number, newest[number]), "step \(step), entry \(number)")
            transcript.add("look \(number) \(found.map { "\($0.tier) \($0.entry.bodyCount)" } ?? "")")
            switch step % 9 {
            case 0:
                let isRemoved = try sample.key.withUnsafeBytes { try cache.remove($0, hash: sample.hash) }
                transcript.add("remove \(number) \(isRemoved)")
                #expect(isRemoved == (found != nil), "step \(step)")
                newest[number] = nil
            case 1, 2:
                let policy = [StoragePolicy.notAllowed, .allowedInMemoryOnly][step % 9 - 1]
                transcript.add("limit \(number) \(cache.store(sample.entry(policy: policy)))")
                newest[number] = step % 9 == 1 ? nil : sample.version
            case 3..<7:
                transcript.add("store \(number) \(cache.store(sample.entry()))")
                newest[number] = sample.version
            default: break
            }
            switch step {
            case 700:
                try cache.removeAll(since: 1_025)
                newest = newest.filter { $0.key <= 25 }
            case 1_200:
                try Array("https://example.org/2".utf8).withUnsafeBytes { try cache.removeAll(withPrefix: $0) }
                newest = newest.filter { !"\($0.key)".hasPrefix("2") }
            case 1_700:
                try cache.removeAll()
                newest = [:]
            default: break
            }
            if step % 100 == 0 {
                let entries = Self.numbers(memory.entries())
                transcript.add("hold \(memory.usage) \(memory.count) \(entries)")
                transcript.add("disk \(disk.currentUsage) \(disk.count)")
                #expect(Set(entries).isSubset(of: newest.keys) && memory.usage <= memory.capacity, "step \(step)")
                #expect(disk.currentUsage <= disk.capacity, "step \(step)")
            }
        }
        #expect(disk.statistics.damagedRecords == 0 && disk.statistics.failures == 0)
        let text = "\(transcript.summary())\n\(memory.statistics)\n\(disk.statistics)\n"
        #expect(RecordedText.differences(of: text, from: "Steps/two-tiers-\(policy).txt") == [])
    }
}
