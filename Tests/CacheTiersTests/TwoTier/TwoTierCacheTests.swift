import CacheTiers
import Foundation
import Testing

@Suite struct TwoTierCacheTests {
    let directory = FileManager.default.temporaryDirectory.appending(path: "TwoTier-\(UUID().uuidString)").path

    @Test("an entry pushed out of memory is found on disk, and is in memory again from then on")
    func promotion() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = try open()
        let key = CacheKey(canonical: Array("https://example.com/a".utf8), hasher: cache.hasher)
        cache.store(entry(key, "hello"))
        try cache.memory.setCapacity(0)
        try cache.memory.setCapacity(1 << 20)
        #expect(lookup(key, in: cache)?.tier == .disk)
        let again = try #require(lookup(key, in: cache))
        #expect(again.tier == .memory)
        #expect(again.entry.withBody { Array($0) } == Array("hello".utf8))
    }

    @Test(
        "whatever supersedes an entry removes it from the tier that does not take the new one",
        arguments: [
            // Too large for memory, not for the disk; too large for both; for memory only; for neither.
            (size: 60_000, policy: StoragePolicy.allowed, memory: false, disk: true),
            (size: 120_000, policy: .allowed, memory: false, disk: false),
            (size: 10, policy: .allowedInMemoryOnly, memory: true, disk: false),
            (size: 10, policy: .notAllowed, memory: false, disk: false),
        ])
    func superseding(size: Int, policy: StoragePolicy, memory: Bool, disk: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = try open()
        let key = CacheKey(canonical: Array("https://example.com/a".utf8), hasher: cache.hasher)
        cache.store(entry(key, "old"))
        cache.store(entry(key, String(repeating: "n", count: size), policy))
        #expect((cache.memory.lookup(key) != nil) == memory)
        let onDisk = key.withBytes { cache.disk?.lookup($0, hash: key.hash) }
        #expect((onDisk != nil) == disk)
        let found = lookup(key, in: cache)?.entry.withBody { $0.first }
        #expect(found == (memory || disk ? UInt8(ascii: "n") : nil))
    }

    @Test("concurrency: two threads that store versions of one key leave both tiers with the same one")
    func tiersAgree() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = try open()
        let keys = (0..<16).map {
            CacheKey(canonical: Array("https://example.com/\($0)".utf8), hasher: cache.hasher)
        }
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for round in 0..<500 {
                let key = keys[(round * 7 + thread * 5) % keys.count]
                switch (round + thread) % 5 {
                case 0: _ = try? key.withBytes { try cache.remove($0, hash: key.hash) }
                case 1: _ = lookup(key, in: cache)
                default: cache.store(entry(key, "\(thread) \(round)"))
                }
            }
        }
        for key in keys {
            let inMemory = cache.memory.lookup(key)?.withBody { Array($0) }
            let onDisk = key.withBytes { cache.disk?.lookup($0, hash: key.hash)?.withBody { Array($0) } }
            // Nothing was evicted, so what is in one tier is in both.
            #expect(inMemory == onDisk)
        }
    }

    @Test("a disk tier that is opened late brings nothing back that an earlier cache left in its directory")
    func openedLate() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let seed = KeySeed(1, 2)
        let hasher = KeyHasher(seed: seed)
        let key = CacheKey(canonical: Array("https://example.com/a".utf8), hasher: hasher)
        do {
            let earlier = try DiskTier(directory: directory, capacity: 2 << 20, seed: seed)
            try earlier.store(entry(key, "old"))
        }
        let cache = TwoTierCache(memory: try MemoryTier(capacity: 1 << 20), disk: nil, hasher: hasher)
        cache.store(entry(key, "new"))
        try cache.openDisk(directory: directory, capacity: 2 << 20)
        #expect(lookup(key, in: cache)?.tier == .memory)
        _ = try key.withBytes { try cache.remove($0, hash: key.hash) }
        cache.store(entry(key, "newer", .allowedInMemoryOnly))
        try cache.memory.setCapacity(0)
        #expect(lookup(key, in: cache)?.entry.withBody { Array($0) } == nil)
        #expect(cache.disk?.count == 0)
    }

    @Test("a removal says whether either tier held the entry", arguments: [false, true], [false, true])
    func removalTells(inMemory: Bool, onDisk: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = try open()
        let key = CacheKey(canonical: Array("https://example.com/a".utf8), hasher: cache.hasher)
        if inMemory { _ = cache.memory.store(entry(key, "a")) }
        if onDisk { try cache.disk?.store(entry(key, "a")) }
        #expect(try key.withBytes { try cache.remove($0, hash: key.hash) } == (inMemory || onDisk))
        #expect(try key.withBytes { try !cache.remove($0, hash: key.hash) })
    }

    @Test(
        "a disk tier that is opened late has the memory tier's policy, and erases what is removed where that was asked for",
        arguments: EvictionPolicy.allCases, [false, true])
    func settingsOfLateDisk(policy: EvictionPolicy, erases: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let memory = try MemoryTier(capacity: 1 << 20, policy: policy)
        let cache = TwoTierCache(memory: memory, disk: nil, hasher: KeyHasher(seed: KeySeed(1, 2)))
        cache.erasesRemoved = erases
        try cache.openDisk(directory: directory, capacity: 2 << 20)
        let disk = try #require(cache.disk)
        #expect(disk.policy == policy && disk.erasesRemoved == erases)
        cache.erasesRemoved = !erases
        #expect(disk.erasesRemoved == !erases)
    }

    private func open() throws -> TwoTierCache {
        let disk = try DiskTier(directory: directory, capacity: 2 << 20)
        let hasher = KeyHasher(seed: KeySeed(disk.hashSeed.first, disk.hashSeed.second))
        return TwoTierCache(memory: try MemoryTier(capacity: 1 << 20), disk: disk, hasher: hasher)
    }

    private func entry(_ key: CacheKey, _ body: String, _ policy: StoragePolicy = .allowed) -> StoredEntry {
        let body = Array(body.utf8)
        return StoredEntry(
            key: ContiguousArray(key.bytes).span.bytes, hash: key.hash, metadata: RawSpan(),
            body: ContiguousArray(body).span.bytes,
            storedAt: 0,
            policy: policy)!
    }

    private func lookup(_ key: CacheKey, in cache: TwoTierCache) -> (entry: StoredEntry, tier: CacheTier)? {
        key.withBytes { cache.lookup($0, hash: key.hash) }
    }
}
