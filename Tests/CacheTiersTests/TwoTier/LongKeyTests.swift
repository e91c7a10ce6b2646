import CacheTiers
import Testing

/// Two keys of 10,000 bytes with one hash that differ in the last byte.
@Suite struct LongKeyTests {
    static let keys = [UInt8(ascii: "a"), UInt8(ascii: "b")].map {
        Array("https://example.com/".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 9_979) + [$0]
    }
    static let hash = KeyHash(low: 7, high: 8)

    static func entry(_ key: Int, _ body: String) throws -> StoredEntry {
        let key = keys[key]
        let bytes = Array(body.utf8)
        let made = StoredEntry(
            key: ContiguousArray(key).span.bytes, hash: hash, metadata: ContiguousArray(bytes).span.bytes,
            body: ContiguousArray(bytes).span.bytes,
            storedAt: 0,
            policy: .allowed)
        return try #require(made)
    }

    static func body(_ entry: StoredEntry?) -> String? {
        entry?.withBody { String(decoding: $0, as: UTF8.self) }
    }

    @Test("The memory tier keeps them apart") func memory() throws {
        let tier = try MemoryTier(capacity: 4 << 20)
        func find(_ key: Int) -> String? {
            Self.body(Self.keys[key].withUnsafeBytes { tier.lookup($0, hash: Self.hash) })
        }
        _ = tier.store(try Self.entry(0, "first"))
        #expect(find(0) == "first" && find(1) == nil)
        _ = tier.store(try Self.entry(1, "second"))
        #expect(find(0) == "first" && find(1) == "second")
        _ = tier.store(try Self.entry(0, "third"))
        #expect(find(0) == "third" && find(1) == "second" && tier.count == 2)
        #expect(Self.keys[1].withUnsafeBytes { tier.remove($0, hash: Self.hash) })
        #expect(find(0) == "third" && find(1) == nil)
    }

    @Test("The disk tier holds the newer one, and never answers one with the other") func disk() throws {
        let directory = TemporaryDirectory()
        func find(_ key: Int, _ tier: DiskTier) -> String? {
            Self.body(Self.keys[key].withUnsafeBytes { tier.lookup($0, hash: Self.hash) })
        }
        do {
            let tier = try DiskTier(directory: directory.path, capacity: 4 << 20)
            try tier.store(try Self.entry(0, "first"))
            #expect(find(0, tier) == "first" && find(1, tier) == nil)
            try tier.store(try Self.entry(1, "second"))
            #expect(find(0, tier) == nil && find(1, tier) == "second")
        }
        let tier = try DiskTier(directory: directory.path, capacity: 4 << 20)
        #expect(find(0, tier) == nil && find(1, tier) == "second")
        #expect(try tier.remove(Self.hash))
        #expect(find(0, tier) == nil && find(1, tier) == nil)
    }

    @Test("The two tiers together answer each with its own, and a removal takes it from both") func bothTiers() throws {
        let directory = TemporaryDirectory()
        let disk = try DiskTier(directory: directory.path, capacity: 4 << 20)
        let cache = TwoTierCache(
            memory: try MemoryTier(capacity: 4 << 20), disk: disk, hasher: KeyHasher(seed: KeySeed(1, 2)))
        func find(_ key: Int) -> String? {
            Self.body(Self.keys[key].withUnsafeBytes { cache.lookup($0, hash: Self.hash)?.entry })
        }
        for round in 0..<3 {
            cache.store(try Self.entry(0, "first \(round)"))
            cache.store(try Self.entry(1, "second \(round)"))
            #expect(find(0) == "first \(round)" && find(1) == "second \(round)")
            // A promotion may not put one into the other's place.
            try cache.memory.setCapacity(0)
            try cache.memory.setCapacity(4 << 20)
            #expect(find(0) == nil && find(1) == "second \(round)")
            #expect(try Self.keys[1].withUnsafeBytes { try cache.remove($0, hash: Self.hash) })
            #expect(find(0) == nil && find(1) == nil)
        }
    }
}
