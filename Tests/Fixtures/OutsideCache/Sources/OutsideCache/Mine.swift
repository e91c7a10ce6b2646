import GaugeKit

/// A cache of another package: in memory, first in first out, with a capacity.
final class Mine: CacheSubject {
    static let name = "mine"
    static let capabilities: SubjectCapabilities = [.memory, .capacity]

    private let capacity: Int
    private var entries: [String: [UInt8]] = [:]
    private var order: [String] = []
    private var bytes = 0

    init(_ configuration: SubjectConfiguration) { capacity = configuration.memoryCapacity }

    func key(for url: String) -> String { url }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = entries[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        remove(key)
        guard body.count <= capacity / 20 else { return .store }
        entries[key] = Array(body)
        order.append(key)
        bytes += body.count
        var outcome = Outcome.store
        while bytes > capacity, let oldest = order.first {
            remove(oldest)
            outcome = .storeEvict
        }
        return outcome
    }

    func remove(_ key: String) {
        guard let body = entries.removeValue(forKey: key) else { return }
        bytes -= body.count
        order.removeAll { $0 == key }
    }

    var usage: SubjectUsage { SubjectUsage(memoryBytes: bytes, memoryEntries: entries.count) }
}
