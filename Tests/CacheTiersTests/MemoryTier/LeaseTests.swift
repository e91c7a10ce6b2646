import CacheTiers
import Testing

/// How long what a lookup hands out lives. A lease comes round again after eight hits.
@Suite("Leases") struct LeaseTests {
    private static func key(_ number: Int) -> TestKey { TestKey("https://example.com/\(number)") }

    private static func body(_ number: Int) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number), count: 700)
    }

    /// Entries 0 to 19 in a tier, each with something attached, which goes with the entry.
    private static func filledTier() throws -> (MemoryTier, [Remains]) {
        let tier = try MemoryTier(capacity: 1 << 20)
        let remains = (0..<20).map { number in
            let entry = key(number).entry(body: body(number))
            let attached = Attached()
            entry.attach(attached)
            _ = tier.store(entry)
            return Remains(attached)
        }
        return (tier, remains)
    }

    @Test(
        "what is held outlives the tier's entries, whether the thread has had many hits since or none",
        arguments: [1, 7, 8, 9, 20])
    func outlives(count: Int) throws {
        let (tier, remains) = try Self.filledTier()
        let held = try (0..<count).map { try #require(tier.lookup(Self.key($0).key)) }
        tier.removeAll()
        // Reuses the memory of the removed entries.
        for number in 100..<140 { _ = tier.store(Self.key(number).entry(body: Self.body(number))) }
        for number in 0..<20 { #expect((remains[number].attached != nil) == (number < count), "entry \(number)") }
        for number in 0..<count { #expect(held[number].withBody { Array($0) } == Self.body(number)) }
    }

    @Test(
        "what nobody holds any more is gone at once, though its thread looks nothing up again", arguments: [1, 8, 20])
    func isGone(count: Int) throws {
        let (tier, remains) = try Self.filledTier()
        do {
            let held = try (0..<count).map { try #require(tier.lookup(Self.key($0).key)) }
            withExtendedLifetime(held) {
                tier.removeAll()
                for number in 0..<count { #expect(remains[number].attached != nil) }
            }
        }
        for number in 0..<20 { #expect(remains[number].attached == nil, "entry \(number)") }
    }

    @Test("what was held before and is let go keeps nothing when it leaves the tier") func isLetGoBefore() throws {
        let (tier, remains) = try Self.filledTier()
        for number in 0..<20 { _ = tier.lookup(Self.key(number).key) }
        tier.removeAll()
        for number in 0..<20 { #expect(remains[number].attached == nil, "entry \(number)") }
    }

    @Test("what is held outlives the tier itself") func outlivesTheTier() throws {
        var filled: (MemoryTier, [Remains])? = try Self.filledTier()
        let remains = try #require(filled).1
        var held: StoredEntry? = try #require(filled?.0.lookup(Self.key(3).key))
        filled = nil
        for number in 0..<20 { #expect((remains[number].attached != nil) == (number == 3), "entry \(number)") }
        #expect(held?.withBody { Array($0) } == Self.body(3))
        held = nil
        #expect(remains[3].attached == nil)
    }

    @Test("an entry that was handed out and is stored again is the same entry once more, or a copy")
    func storedAgain() throws {
        let (tier, _) = try Self.filledTier()
        let held = try #require(tier.lookup(Self.key(3).key))
        #expect(tier.store(held).outcome == .stored)
        tier.removeAll()
        #expect(tier.store(held).outcome == .stored)
        #expect(tier.lookup(Self.key(3).key)?.withBody { Array($0) } == Self.body(3))
        #expect(tier.count == 1)
    }
}

private final class Attached: Sendable {}

/// Whether what was attached is still there.
private struct Remains {
    private(set) weak var attached: Attached?

    init(_ attached: Attached) { self.attached = attached }
}
