import Foundation
import GaugeKit

/// Foundation's NSCache. Its documentation calls the limit of costs not strict, and the order not guaranteed, so that
/// no promise about either is tried.
final class NSCacheSubject: ValueSubject {
    static let name = "nscache"
    static let title = "Foundation NSCache"
    static let capabilities: SubjectCapabilities = [.memory, .threads, .removalOfAll]

    private let cache = NSCache<NSString, SubjectObject>()

    init(_ configuration: SubjectConfiguration) { cache.totalCostLimit = configuration.memoryCapacity }

    func key(for url: String) -> NSString { NSString(string: url) }

    func value(for key: NSString) -> SubjectObject? { cache.object(forKey: key) }

    func store(_ value: SubjectObject, for key: NSString) -> Outcome {
        cache.setObject(value, forKey: key, cost: key.length + value.value.count)
        return .store
    }

    func remove(_ key: NSString) { cache.removeObject(forKey: key) }

    func removeAll() { cache.removeAllObjects() }
}
