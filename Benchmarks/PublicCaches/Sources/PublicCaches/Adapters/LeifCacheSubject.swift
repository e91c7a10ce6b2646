import Cache
import GaugeKit

/// 0xLeif/Cache: its LRUCache, the one of its caches that has a limit, which counts entries.
final class LeifCacheSubject: ValueSubject {
    static let name = "0xleif-cache"
    static let title = "0xLeif/Cache"
    static let details = "2.1.3"
    static let capabilities: SubjectCapabilities = [.memory, .entryLimit, .threads]

    private let cache: LRUCache<String, SubjectValue>

    init(_ configuration: SubjectConfiguration) {
        cache = LRUCache(capacity: UInt(configuration.entryLimit ?? 0))
    }

    func key(for url: String) -> String { url }

    func value(for key: String) -> SubjectValue? { cache.get(key) }

    func store(_ value: SubjectValue, for key: String) -> Outcome {
        cache.set(value: value, forKey: key)
        return .store
    }

    func remove(_ key: String) { cache.remove(key) }

    var usage: SubjectUsage { SubjectUsage(memoryEntries: cache.values(ofType: SubjectValue.self).count) }
}
