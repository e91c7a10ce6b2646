import CacheTiers
import GaugeKit

/// This package's memory tier alone: the bytes of a canonical URL in, an entry out.
final class MemoryTierSubject: CacheSubject {
    static let name = "memory-tier"
    static let title = "MemoryTier (ours)"
    static let details = Gauge.kitVersion
    static let limits = SubjectLimits.urlCache
    static let capabilities: SubjectCapabilities = [
        .memory, .capacity, .entryLimit, .resize, .threads, .removalOfAll,
    ]

    private let tier: MemoryTier
    private let hasher = KeyHasher()

    init(_ configuration: SubjectConfiguration) throws {
        tier =
            if let limit = configuration.entryLimit {
                try MemoryTier(capacity: limit, unit: .entries, stripes: 1)
            } else {
                try MemoryTier(capacity: configuration.memoryCapacity)
            }
    }

    /// Not hashed, since that is the cache's work.
    func key(for url: String) throws -> [UInt8] { try CacheKey(url: url, hasher: hasher).bytes }

    func lookUp(_ key: [UInt8], _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let entry = key.withUnsafeBytes({ tier.lookup($0, hash: hasher.hash($0)) }) else { return .miss }
        entry.withBody(read)
        return .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: [UInt8]) -> Outcome {
        let entry = key.withUnsafeBytes { bytes in
            StoredEntry(
                key: RawSpan(_unsafeBytes: bytes), hash: hasher.hash(bytes), metadata: RawSpan(),
                body: RawSpan(_unsafeBytes: body), storedAt: 0)
        }
        return entry.map(tier.store)?.evictions ?? 0 > 0 ? .storeEvict : .store
    }

    func remove(_ key: [UInt8]) { key.withUnsafeBytes { _ = tier.remove($0, hash: hasher.hash($0)) } }

    func removeAll() { tier.removeAll() }

    func resize(memory: Int, disk: Int) throws { try tier.setCapacity(memory) }

    var usage: SubjectUsage {
        SubjectUsage(memoryBytes: tier.usage, memoryEntries: tier.count)
    }
}
