import GaugeKit

final class Values: ValueSubject {
    static let name = "values"
    static let capabilities: SubjectCapabilities = [.memory, .entryLimit]

    private var cache: LRU<String, SubjectValue>

    init(_ configuration: SubjectConfiguration) { cache = LRU(limit: configuration.entryLimit ?? 0) }

    func key(for url: String) -> String { url }

    func value(for key: String) -> SubjectValue? { cache.value(for: key) }

    func store(_ value: SubjectValue, for key: String) -> Outcome {
        cache[key] = value
        return .store
    }

    func remove(_ key: String) { cache[key] = nil }

    var usage: SubjectUsage { SubjectUsage(memoryEntries: cache.count) }
}
