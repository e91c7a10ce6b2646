import GaugeKit
import KituraCache

/// Kitura/Kitura-Cache: it has a time to live in whole seconds, and by design no limit.
final class KituraCacheSubject: ValueSubject {
    static let name = "kitura-cache"
    static let title = "Kitura-Cache"
    static let details = "2.0.200"
    static let capabilities: SubjectCapabilities = [.memory, .threads, .expiry, .removalOfAll]

    private let cache: KituraCache
    private let expires: Bool

    init(_ configuration: SubjectConfiguration) {
        expires = configuration.lifetime != nil
        cache = KituraCache(defaultTTL: UInt((configuration.lifetime ?? 0).rounded(.up)))
    }

    func key(for url: String) -> String { url }

    func value(for key: String) -> SubjectValue? { cache.object(forKey: key) as? SubjectValue }

    func store(_ value: SubjectValue, for key: String) -> Outcome {
        cache.setObject(value, forKey: key)
        return .store
    }

    func remove(_ key: String) { cache.removeObject(forKey: key) }

    func removeAll() { cache.flush() }

    /// Not told with a time to live, since it counts for up to a minute what has expired.
    var usage: SubjectUsage { expires ? SubjectUsage() : SubjectUsage(memoryEntries: cache.statistics.numberOfKeys) }
}
