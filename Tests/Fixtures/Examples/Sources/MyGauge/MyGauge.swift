import GaugeKit

@main
struct MyGauge {
    static func main() { Gauge.main(subjects: [Mine.self]) }
}

/// A dictionary that is emptied when it is full.
final class Mine: CacheSubject {
    static let name = "mine"
    static let capabilities: SubjectCapabilities = [.memory, .capacity]

    private let capacity: Int
    private var entries: [String: [UInt8]] = [:]
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
        // The key takes room, too: entries without a body would cost nothing.
        let cost = key.utf8.count + body.count
        guard cost <= capacity else { return .store }
        let isFull = bytes + cost > capacity
        if isFull { (entries, bytes) = ([:], 0) }
        entries[key] = Array(body)
        bytes += cost
        return isFull ? .storeEvict : .store
    }

    func remove(_ key: String) {
        if let body = entries.removeValue(forKey: key) { bytes -= key.utf8.count + body.count }
    }

    var usage: SubjectUsage { SubjectUsage(memoryBytes: bytes, memoryEntries: entries.count) }
}
