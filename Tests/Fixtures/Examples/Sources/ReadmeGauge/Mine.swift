import GaugeKit

// Benchmarks/Guides/harness.md
final class Mine: CacheSubject {
    static let name = "mine"
    static let capabilities: SubjectCapabilities = [.memory]
    private var entries: [String: [UInt8]] = [:]

    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = entries[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        entries[key] = Array(body)
        return .store
    }
    func remove(_ key: String) { entries[key] = nil }
}

/// The line by which Benchmarks/Guides/gate-my-ci.md makes `lookUp` slower.
func slowLookUp(_ body: [UInt8]) -> Outcome {
    guard body.reduce(0, { $0 + Int($1) }) >= 0 else { return .miss }
    return .memoryHit
}
