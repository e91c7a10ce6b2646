import CacheTiers
import GaugeKit
import GaugeTraces

/// This package's two tiers alone: a canonical key in, an entry out, without HTTP semantics or Foundation.
final class TieredSubject: CacheSubject {
    static let name = "tiered"
    static let limits = SubjectLimits.urlCache
    static let capabilities: SubjectCapabilities = [
        .memory, .disk, .capacity, .entryLimit, .persistence, .counters, .durability, .threads,
        .collisions, .evictionPolicy,
    ]
    static let details = "checksums verified on every hit; store-flush: flush() after each store"
    /// Promises to applications are kept by the interface that they use.
    static var verified: any CacheSubject.Type { RequestSubject.self }

    /// The costs that the memory tier counts, and the bodies that it admits.
    static let admission = AdmissionRule(
        keyBytes: { url in
            var url = url
            return try? url.withUTF8 { text in
                try CanonicalURL.withBytes(of: UnsafeRawBufferPointer(text)) { $0.count }
            }
        }, overhead: StoredEntry.overhead, share: MemoryTier.admittedShare)

    private let cache: TwoTierCache
    private let promotes: Bool
    private let isDurable: Bool
    private let collides: Bool

    init(_ configuration: SubjectConfiguration) throws {
        var disk: DiskTier?
        if configuration.diskCapacity > 0, configuration.entryLimit == nil {
            disk = try DiskTier(
                directory: configuration.directory, capacity: configuration.diskCapacity,
                policy: EvictionPolicy(configuration.policy))
        }
        let memory =
            if let limit = configuration.entryLimit {
                try MemoryTier(
                    capacity: limit, unit: .entries, stripes: 1, policy: EvictionPolicy(configuration.policy))
            } else {
                try MemoryTier(capacity: configuration.memoryCapacity, policy: EvictionPolicy(configuration.policy))
            }
        let seed = disk.map { KeySeed($0.hashSeed.first, $0.hashSeed.second) } ?? .random()
        cache = TwoTierCache(memory: memory, disk: disk, hasher: KeyHasher(seed: seed))
        promotes = configuration.memoryCapacity > 0
        isDurable = configuration.isDurable
        collides = configuration.collides
    }

    private func hash(_ key: UnsafeRawBufferPointer) -> KeyHash {
        cache.hasher.hash(collides ? UnsafeRawBufferPointer(rebasing: key[..<0]) : key)
    }

    /// The canonical bytes, not hashed, since that's the cache's work.
    func key(for url: String) throws -> [UInt8] {
        var url = url
        return try url.withUTF8 { text in try CanonicalURL.withBytes(of: UnsafeRawBufferPointer(text)) { Array($0) } }
    }

    func lookUp(_ key: [UInt8], _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        key.withUnsafeBytes { bytes in
            guard let (entry, tier) = cache.lookup(bytes, hash: hash(bytes)) else { return .miss }
            entry.withBody(read)
            return tier == .memory ? .memoryHit : promotes ? .promotion : .diskHit
        }
    }

    func store(_ body: UnsafeRawBufferPointer, for key: [UInt8]) throws -> Outcome {
        let outcome = try put(body, for: key)
        if isDurable { try cache.disk?.flush() }
        return outcome
    }

    func fill(with entries: FillEntries) throws {
        try entries.forEach { url, body in _ = try put(body, for: key(for: url)) }
        if isDurable { try cache.disk?.flush() }
    }

    private func put(_ body: UnsafeRawBufferPointer, for key: [UInt8]) throws -> Outcome {
        let entry = key.withUnsafeBytes { bytes in
            StoredEntry(
                key: RawSpan(_unsafeBytes: bytes), hash: hash(bytes), metadata: RawSpan(),
                body: RawSpan(_unsafeBytes: body), storedAt: 0)
        }
        guard let entry else { throw GaugeError("a body of \(body.count) bytes is too long for an entry") }
        let result = cache.store(entry)
        var evictions = result.memory.evictions
        if case .stored(let more) = try result.disk?.get() { evictions += more }
        return evictions > 0 ? .storeEvict : .store
    }

    func remove(_ key: [UInt8]) throws {
        try key.withUnsafeBytes { bytes in _ = try cache.remove(bytes, hash: hash(bytes)) }
    }

    var usage: SubjectUsage {
        SubjectUsage(
            memoryBytes: cache.memory.usage, diskBytes: cache.disk?.currentUsage ?? 0,
            memoryEntries: cache.memory.count, diskEntries: cache.disk?.count ?? 0)
    }

    var counters: [String: Int] {
        var counters = ["memory evictions": Int(cache.memory.statistics.evictions)]
        guard let disk = cache.disk else { return counters }
        let statistics = disk.statistics
        counters["disk evictions"] = Int(statistics.evictions)
        counters["stored bytes"] = Int(statistics.bytesWritten - statistics.carriedBytes)
        counters["written bytes"] = Int(statistics.bytesWritten)
        counters["index bytes"] = disk.indexBytes
        return counters
    }

    func settle() throws { try cache.disk?.flush() }
}

extension EvictionPolicy {
    init(_ policy: SubjectEvictionPolicy) {
        switch policy {
        case .lru: self = .leastRecentlyUsed
        case .gdsf: self = .greedyDualSizeFrequency
        }
    }
}
