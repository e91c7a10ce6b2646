import GaugeKit
import SwiftLRUCache

/// tornikegomareli/swift-lru-cache, an actor: the size of an entry is in bytes, as the README shows for data.
final class SwiftLRUCacheSubject: AsyncCacheSubject {
    static let name = "swift-lru-cache"
    static let title = "swift-lru-cache"
    static let details = "0.4.3"
    static let limits = SubjectLimits(refusesNegative: true, largestPart: 1)
    static let capabilities: SubjectCapabilities = [
        .memory, .capacity, .entryLimit, .threads, .expiry, .removalOfAll,
    ]

    private let cache: LRUCache<String, SubjectValue>
    private let countsEntries: Bool

    init(_ configuration: SubjectConfiguration) throws {
        countsEntries = configuration.entryLimit != nil
        var settings = try Configuration<String, SubjectValue>(
            max: configuration.entryLimit, maxSize: countsEntries ? nil : configuration.memoryCapacity,
            ttl: configuration.lifetime)
        if !countsEntries { settings.sizeCalculation = { value, key in key.utf8.count + value.count } }
        cache = LRUCache(configuration: settings)
    }

    func key(for url: String) -> String { url }

    func lookUp(_ key: String) async -> (body: SubjectValue, outcome: Outcome)? {
        await cache.get(key).map { ($0, .memoryHit) }
    }

    func store(_ body: SubjectValue, for key: String) async -> Outcome {
        await cache.set(key, value: body)
        return .store
    }

    func remove(_ key: String) async { await cache.delete(key) }

    func removeAll() async { await cache.clear() }

    var usage: SubjectUsage {
        get async {
            await SubjectUsage(memoryBytes: countsEntries ? nil : cache.calculatedSize, memoryEntries: cache.size)
        }
    }
}
