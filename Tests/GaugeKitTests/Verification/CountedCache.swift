@testable import GaugeMeasurement
@testable import GaugeKit

/// What a ``CountedCache`` does wrong.
protocol CountedDeed {
    static var name: String { get }
}

/// Nothing.
enum Counts: CountedDeed { static let name = "right" }
/// One entry more than the limit.
enum OneMore: CountedDeed { static let name = "one-more" }
/// A replacement is never followed by an eviction, and leaves room for one more.
enum OverwritesGrow: CountedDeed { static let name = "overwrites-grow" }
/// First in, first out, although it says otherwise.
enum Fifo: CountedDeed { static let name = "counted-fifo" }
/// The entry that was stored last is evicted first.
enum NewestFirst: CountedDeed { static let name = "newest-first" }
/// What was removed still counts.
enum CountsRemoved: CountedDeed { static let name = "counts-removed" }
/// A lowered limit counts with the next store.
enum LateResize: CountedDeed { static let name = "late-resize" }

/// A cache of any values that counts entries, and evicts the least recently used.
final class CountedCache<Deed: CountedDeed>: ValueSubject {
    static var name: String { Deed.name }
    static var capabilities: SubjectCapabilities { [.memory, .entryLimit, .resize, .removalOfAll, .counters] }
    static var limits: SubjectLimits { SubjectLimits(zero: .nothing) }

    private var values: [String: SubjectValue] = [:]
    /// The oldest first.
    private var order: [String] = []
    private var limit: Int
    private var evictions = 0
    /// The entries for which there is more room than the limit says, or less.
    private var extra = 0
    private var newest: String?

    init(_ configuration: SubjectConfiguration) { limit = configuration.entryLimit ?? 0 }

    func key(for url: String) -> String { url }

    /// Whether it holds a key; no use of it.
    func holds(_ key: String) -> Bool { values[key] != nil }

    func value(for key: String) -> SubjectValue? {
        guard let value = values[key] else { return nil }
        if Deed.self != Fifo.self { use(key) }
        return value
    }

    private func use(_ key: String) {
        order.removeAll { $0 == key }
        order.append(key)
    }

    func store(_ value: SubjectValue, for key: String) -> Outcome {
        guard limit > 0 else { return .store }
        let isReplaced = values.updateValue(value, forKey: key) != nil
        if Deed.self == NewestFirst.self, !isReplaced, values.count > limit, let newest { remove(newest) }
        newest = key
        if Deed.self != Fifo.self || !isReplaced { use(key) }
        if Deed.self == OverwritesGrow.self, isReplaced { extra += 1 }
        return evict() ? .storeEvict : .store
    }

    private func evict() -> Bool {
        let before = values.count
        while !values.isEmpty, values.count > limit + (Deed.self == OneMore.self ? 1 : 0) + extra {
            values[order.removeFirst()] = nil
            evictions += 1
        }
        return values.count < before
    }

    func remove(_ key: String) {
        guard values.removeValue(forKey: key) != nil else { return }
        order.removeAll { $0 == key }
        if Deed.self == CountsRemoved.self { extra -= 1 }
    }

    func removeAll() { (values, order) = ([:], []) }

    func resize(memory: Int, disk: Int) {
        limit = memory
        if Deed.self != LateResize.self { _ = evict() }
    }

    var usage: SubjectUsage { SubjectUsage(memoryEntries: values.count) }
    var counters: [String: Int] { ["evictions": evictions] }
}
