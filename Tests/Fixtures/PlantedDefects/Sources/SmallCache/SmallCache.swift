import GaugeKit

/// A dictionary of bodies. Two defects are compiled in by conditions: an outdated body for one key in eight, and a scan
/// of all entries on every 64th lookup.
final class SmallCache: CacheSubject {
    static let name = "small"
    static let capabilities: SubjectCapabilities = [.memory]
    private var entries: [String: [UInt8]] = [:]
    private var lookups = 0

    init(_ configuration: SubjectConfiguration) {}

    func key(for url: String) -> String { url }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        #if PLANT_SCAN
        lookups += 1
        if lookups.isMultiple(of: 64) { scan() }
        #endif
        guard let body = entries[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        #if PLANT_STALE
        if key.utf8.reduce(0, { ($0 &* 31) ^ UInt($1) }).isMultiple(of: 8), entries[key] != nil { return .store }
        #endif
        entries[key] = Array(body)
        return .store
    }

    func remove(_ key: String) { entries[key] = nil }

    #if PLANT_SCAN
    @inline(never)
    private func scan() { blackHole(entries.values.reduce(0) { $0 + $1.count }) }
    #endif
}

@main
struct Main {
    static func main() { Gauge.main(subjects: [SmallCache.self]) }
}
