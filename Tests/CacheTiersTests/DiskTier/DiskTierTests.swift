import CacheTiers
import Platform
import Testing

@Suite struct DiskTierTests {
    let directory = TemporaryDirectory()

    func open(_ capacity: Int = 1 << 20) throws -> DiskTier {
        try DiskTier(directory: directory.path, capacity: capacity)
    }

    @Test("a stored entry is found whole") func aStoredEntryIsFoundWhole() throws {
        let tier = try open()
        for number in 0..<50 { try tier.store(Sample(number: number, bodyCount: number * 50).entry()) }
        for number in 0..<50 { #expect(tier.holds(Sample(number: number, bodyCount: number * 50))) }
        #expect(tier.lookup(Sample(number: 50)) == nil)
        #expect(tier.count == 50)
        #expect(tier.statistics.hits == 50)
        #expect(tier.statistics.misses == 1)
    }

    @Test("a store replaces the earlier version") func aStoreReplacesTheEarlierVersion() throws {
        let tier = try open()
        for version in 0..<5 { try tier.store(Sample(number: 1, version: version).entry()) }
        #expect(tier.holds(Sample(number: 1, version: 4)))
        #expect(tier.count == 1)
    }

    @Test("entries survive closing and opening") func entriesSurviveClosingAndOpening() throws {
        var seed = KeySeed(0, 0)
        do {
            let tier = try open()
            #expect(tier.startReason == .newFile)
            seed = tier.hashSeed
            for number in 0..<100 { try tier.store(Sample(number: number).entry()) }
            for number in 0..<10 { try tier.remove(Sample(number: number).hash) }
            for number in 10..<20 { try tier.store(Sample(number: number, version: 1).entry()) }
        }
        let tier = try open()
        #expect(tier.startReason == nil)
        #expect(tier.hashSeed == seed)
        #expect(tier.count == 90)
        for number in 0..<10 { #expect(tier.lookup(Sample(number: number)) == nil) }
        for number in 10..<20 { #expect(tier.holds(Sample(number: number, version: 1))) }
        for number in 20..<100 { #expect(tier.holds(Sample(number: number))) }
    }

    @Test("clearing removes all entries for good and returns their space")
    func clearingRemovesAllEntriesForGoodAndReturnsTheirSpace() throws {
        do {
            let tier = try open()
            #expect(tier.currentUsage == 0)
            for number in 0..<100 { try tier.store(Sample(number: number).entry()) }
            try tier.removeAll()
            #expect(tier.count == 0)
            #expect(tier.currentUsage == 0)
            // Of 28 KiB. How much a file system keeps of a file that was cut is its own affair.
            #expect(tier.allocatedBytes <= 16_384)
            try tier.store(Sample(number: 200).entry())
        }
        let tier = try open()
        #expect(tier.count == 1)
        #expect(tier.holds(Sample(number: 200)))
    }

    @Test("removing entries since a date keeps older ones") func removingEntriesSinceADateKeepsOlderOnes() throws {
        let tier = try open()
        for number in 0..<100 { try tier.store(Sample(number: number, storedAt: Int64(number)).entry()) }
        try tier.removeAll(since: 40)
        #expect(tier.count == 41)
        for number in 0..<100 {
            #expect(tier.holds(Sample(number: number, storedAt: Int64(number))) == (number <= 40))
        }
    }

    @Test("each entry that another capacity costs counts as an eviction", arguments: [300 << 10, 1 << 21, 1 << 33])
    func evictionsOfResizing(capacity: Int) throws {
        let tier = try open()
        for number in 0..<3_000 { try tier.store(Sample(number: number, bodyCount: 200).entry()) }
        let (count, evictions) = (tier.count, tier.statistics.evictions)
        try tier.setCapacity(capacity)
        #expect(tier.statistics.evictions - evictions == UInt64(count - tier.count))
        if capacity == 1 << 33 { #expect(tier.count == 3_000, "the file is divided anew, and all fits") }
    }

    @Test("a new division takes over what may be stored in it, however much behind it is too long")
    func takenOver() throws {
        let tier = try open(100 << 20)
        let own = Sample(number: 8).key.count + Sample(number: 8).metadata.count
        let kept = (0..<8).map { Sample(number: $0) } + [Sample(number: 8, bodyCount: (1 << 20) / 20 - own)]
        for sample in kept { try tier.store(sample.entry()) }
        for number in 10..<25 { try tier.store(Sample(number: number, bodyCount: 100_000).entry()) }
        try tier.setCapacity(1 << 20)
        for sample in kept { #expect(tier.holds(sample)) }
        #expect(tier.count == kept.count)
    }

    @Test("an entry that is too large or forbidden removes the version that it supersedes")
    func anEntryThatIsTooLargeOrForbiddenRemovesTheVersionThatItSupersedes() throws {
        let tier = try open()
        let largest = (1 << 20) / 20 - Sample(number: 1).key.count - Sample(number: 1).metadata.count
        for (entry, expected) in [
            (Sample(number: 1, bodyCount: largest + 1).entry(), DiskStoreResult.refused(.tooLarge)),
            (Sample(number: 1).entry(policy: .allowedInMemoryOnly), .refused(.notAllowed)),
            (Sample(number: 1).entry(policy: .notAllowed), .refused(.notAllowed)),
        ] {
            #expect(try tier.store(Sample(number: 1, bodyCount: largest).entry()) == .stored(evictions: 0))
            #expect(tier.holds(Sample(number: 1, bodyCount: largest)))
            #expect(try tier.store(entry) == expected)
            #expect(tier.lookup(Sample(number: 1)) == nil)
        }
    }

    @Test("a collision of hashes never serves another key") func aCollisionOfHashesNeverServesAnotherKey() throws {
        let tier = try open()
        let sample = Sample(number: 1)
        try tier.store(sample.entry())
        let other = Sample(number: 2)
        #expect(other.key.withUnsafeBytes { tier.lookup($0, hash: sample.hash) } == nil)
        let sameLowHalf = KeyHash(low: sample.hash.low, high: 0)
        #expect(sample.key.withUnsafeBytes { tier.lookup($0, hash: sameLowHalf) } == nil)
        // Nor is it counted as a hit, be the record in memory or in the file.
        for misses in [2, 3] as [UInt64] {
            #expect(tier.statistics.hits == 0 && tier.statistics.misses == misses)
            tier.writeWaiting()
            _ = other.key.withUnsafeBytes { tier.lookup($0, hash: sample.hash) }
        }
        #expect(tier.holds(sample))
    }

    @Test("a file that is divided anew is not damaged") func aFileThatIsDividedAnewIsNotDamaged() throws {
        do {
            let tier = try open()
            try tier.store(Sample(number: 1).entry())
            try tier.setCapacity(16 << 10)
        }
        let tier = try open(16 << 10)
        #expect(tier.startReason == nil)
        #expect(tier.statistics.damagedSegments == 0)
    }

    @Test("a capacity that is too small holds nothing and leaves no file", arguments: [0, 1, 16383])
    func aCapacityThatIsTooSmallHoldsNothingAndLeavesNoFile(_ capacity: Int) throws {
        do {
            let tier = try open()
            try tier.store(Sample(number: 1).entry())
        }
        let tier = try open(capacity)
        #expect(tier.startReason == .noCapacity)
        #expect(try tier.store(Sample(number: 1).entry()) == .refused(.tooLarge))
        #expect(tier.lookup(Sample(number: 1)) == nil)
        #expect(tier.allocatedBytes == 0)
    }

    @Test("a negative capacity is refused with the remedy") func aNegativeCapacityIsRefusedWithTheRemedy() throws {
        let error = #expect(throws: DiskTierError.self) { try open(-5) }
        #expect(error?.description == "disk capacity -5 is negative; pass 0 to disable the disk tier")
    }

    @Test("a second owner is refused until the first is gone") func aSecondOwnerIsRefusedUntilTheFirstIsGone() throws {
        do {
            let tier = try open()
            #expect(throws: DiskTierError.inUse(directory: directory.path)) { try open() }
            try tier.store(Sample(number: 1).entry())
        }
        #expect(try open().holds(Sample(number: 1)))
    }

    @Test("after closing, lookups miss and changes throw") func afterClosingLookupsMissAndChangesThrow() throws {
        let tier = try open()
        try tier.store(Sample(number: 1).entry())
        tier.close()
        #expect(tier.lookup(Sample(number: 1)) == nil)
        #expect(throws: DiskTierError.closed) { try tier.store(Sample(number: 1).entry()) }
        #expect(throws: DiskTierError.closed) { try tier.removeAll() }
    }
}
