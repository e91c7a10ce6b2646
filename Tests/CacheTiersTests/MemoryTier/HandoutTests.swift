import CacheTiers
import Dispatch
import Synchronization
import Testing

@Suite("Handouts") struct HandoutTests {
    @Test(
        "a handout is given for every hit, and let go whichever way its entry leaves, though it holds on to the entry",
        arguments: Leaving.allCases)
    func letGo(way: Leaving) throws {
        var tier: MemoryTier? = try MemoryTier(capacity: 1 << 20)
        let key = TestKey("https://example.com/a")
        weak var handout: Holder?
        do {
            _ = tier?.store(key.entry(body: Array("hello".utf8)))
            let entry = try #require(tier?.lookup(key.key))
            let made = Holder(entry)
            entry.keepHandout(made)
            handout = made
        }
        for _ in 0..<2 { #expect(tier.flatMap { given($0, key) } === handout && handout != nil) }
        var kept = handout
        switch way {
        case .eviction:
            for number in 0..<40 { _ = tier?.store(TestKey("\(number)").entry(bodyCount: 50_000)) }
            // Retired entries are released by a later change.
            tier?.removeAll()
        case .removal: tier?.remove(key.key)
        case .clearing: tier?.removeAll()
        case .replacement: _ = tier?.store(key.entry(body: Array("again".utf8)))
        case .truncation: try tier?.setCapacity(0)
        case .end: tier = nil
        }
        #expect(tier.flatMap { given($0, key) } == nil)
        #expect(kept?.entry.withBody { Array($0) } == Array("hello".utf8), "whoever has it keeps its entry")
        kept = nil
        if way == .replacement { tier?.removeAll() }
        #expect(handout == nil, "nobody has it any more")
    }

    @Test("an entry that is in no tier takes no handout, and one that has a handout keeps it") func noHandout() throws {
        let key = TestKey("https://example.com/a")
        weak var refused: Holder?
        do {
            let outside = key.entry(body: [1])
            let made = Holder(outside)
            outside.keepHandout(made)
            refused = made
        }
        #expect(refused == nil)

        let tier = try MemoryTier(capacity: 1 << 20)
        _ = tier.store(key.entry(body: [1]))
        let entry = try #require(tier.lookup(key.key))
        let first = Holder(entry)
        entry.keepHandout(first)
        entry.keepHandout(Holder(entry))
        #expect(given(tier, key) === first)
    }

    @Test(
        "an entry that is stored once more, or in a second tier, is there as a copy with the same bytes and attachment")
    func storedTwice() throws {
        let key = TestKey("https://example.com/a")
        let entry = key.entry(metadata: [1, 2], body: [3, 4, 5])
        let attached = Mark()
        entry.attach(attached)
        let tiers = [try MemoryTier(capacity: 1 << 20), try MemoryTier(capacity: 1 << 20)]
        for tier in tiers + [tiers[0]] { _ = tier.store(entry) }
        for tier in tiers {
            let found = try #require(tier.lookup(key.key))
            #expect(found.withMetadata { Array($0) } == [1, 2] && found.withBody { Array($0) } == [3, 4, 5])
            #expect(found.attachment === attached)
            found.keepHandout(Holder(found))
        }
        #expect(given(tiers[0], key) !== given(tiers[1], key))
        tiers[0].remove(key.key)
        #expect(given(tiers[1], key)?.entry.withBody { Array($0) } == [3, 4, 5])
        tiers[1].removeAll()
    }

    @Test("concurrency: whoever is given a handout can read its entry while a writer evicts and replaces")
    func readersAgainstWriter() throws {
        let tier = try MemoryTier(capacity: 100_000)
        let keys = (0..<60).map { TestKey("https://example.com/\($0)") }
        let wrong = Atomic<Int>(0)
        let given = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            var random = SplitMix64(state: UInt64(thread))
            for _ in 0..<20_000 {
                let number = Int(random.next() % 60)
                let key = keys[number]
                if thread == 0 {
                    _ = tier.store(key.entry(body: Array(repeating: UInt8(number), count: 3_000)))
                    continue
                }
                switch key.key.withBytes({ tier.lookupHandout($0, hash: key.key.hash) }) {
                case nil: break
                case .entry(let entry): entry.keepHandout(Holder(entry))
                case .handout(let handout):
                    let body = (handout as? Holder)?.entry.withBody { ($0.count, $0.first, $0.last) }
                    if body?.0 != 3_000 || body?.1 != UInt8(number) || body?.2 != UInt8(number) {
                        wrong.add(1, ordering: .relaxed)
                    }
                    given.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(given.load(ordering: .relaxed) > 0)
    }

    enum Leaving: CaseIterable { case eviction, removal, clearing, replacement, truncation, end }

    private func given(_ tier: MemoryTier, _ key: TestKey) -> Holder? {
        guard case .handout(let handout) = key.key.withBytes({ tier.lookupHandout($0, hash: key.key.hash) }) else {
            return nil
        }
        return handout as? Holder
    }
}

/// Leads back to its entry, as a `CachedURLResponse` does by its data.
private final class Holder: Sendable {
    let entry: StoredEntry
    init(_ entry: StoredEntry) { self.entry = entry }
}

private final class Mark: Sendable {}
