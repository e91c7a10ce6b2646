import GaugeKit

actor Shelf: AsyncCacheSubject {
    static let name = "shelf"
    static let capabilities: SubjectCapabilities = [.memory, .entryLimit, .threads]

    private var cache: LRU<String, SubjectValue>

    init(_ configuration: SubjectConfiguration) { cache = LRU(limit: configuration.entryLimit ?? 0) }

    nonisolated func key(for url: String) -> String { url }

    func lookUp(_ key: String) -> (body: SubjectValue, outcome: Outcome)? {
        cache.value(for: key).map { ($0, .memoryHit) }
    }

    func store(_ body: SubjectValue, for key: String) -> Outcome {
        cache[key] = body
        return .store
    }

    func remove(_ key: String) { cache[key] = nil }
}
