import GaugeKit
import LRUCache

/// nicklockwood/LRUCache: the cost of an entry is its size in bytes, as the README advises for data.
final class LRUCacheSubject: ValueSubject {
    static let name = "lrucache"
    static let title = "LRUCache"
    static let details = "1.2.1"
    static let capabilities: SubjectCapabilities = [
        .memory, .capacity, .entryLimit, .resize, .threads, .removalOfAll,
    ]

    private let cache: LRUCache<String, SubjectValue>
    private let countsEntries: Bool

    init(_ configuration: SubjectConfiguration) {
        countsEntries = configuration.entryLimit != nil
        cache = LRUCache(
            totalCostLimit: countsEntries ? .max : configuration.memoryCapacity,
            countLimit: configuration.entryLimit ?? .max)
    }

    func key(for url: String) -> String { url }

    func value(for key: String) -> SubjectValue? { cache.value(forKey: key) }

    func store(_ value: SubjectValue, for key: String) -> Outcome {
        cache.setValue(value, forKey: key, cost: key.utf8.count + value.count)
        return .store
    }

    func remove(_ key: String) { cache.removeValue(forKey: key) }

    func removeAll() { cache.removeAll() }

    func resize(memory: Int, disk: Int) {
        if countsEntries { cache.countLimit = memory } else { cache.totalCostLimit = memory }
    }

    var usage: SubjectUsage {
        SubjectUsage(memoryBytes: countsEntries ? nil : cache.totalCost, memoryEntries: cache.count)
    }
}
