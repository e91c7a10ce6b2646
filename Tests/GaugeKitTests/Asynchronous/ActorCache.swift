@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport

/// What an ``ActorCache`` does wrong.
protocol ActorDeed { static var name: String { get } }

/// Nothing.
enum RightActor: ActorDeed { static let name = "right-actor" }
/// One key in eight keeps its first body.
enum KeepsFirst: ActorDeed { static let name = "keeps-first" }
/// Each lookup fails.
enum Throwing: ActorDeed { static let name = "throwing" }

/// An actor that counts entries, and evicts the least recently used.
actor ActorCache<Deed: ActorDeed>: AsyncCacheSubject {
    static var name: String { Deed.name }
    static var capabilities: SubjectCapabilities { [.memory, .entryLimit, .threads, .resize, .removalOfAll] }

    private var bodies: [String: (body: [UInt8], use: Int)] = [:]
    private var uses = 0
    private var limit: Int

    init(_ configuration: SubjectConfiguration) async { limit = configuration.entryLimit ?? 0 }

    nonisolated func key(for url: String) -> String { url }

    func lookUp(_ key: String) throws -> (body: [UInt8], outcome: Outcome)? {
        if Deed.self == Throwing.self { throw GaugeError("out of order") }
        guard let found = bodies[key]?.body else { return nil }
        uses += 1
        bodies[key]?.use = uses
        return (found, .memoryHit)
    }

    func store(_ body: [UInt8], for key: String) async -> Outcome {
        if Deed.self == KeepsFirst.self, bodies[key] != nil, DecimalText.hash(key.utf8) % 8 == 0 { return .store }
        uses += 1
        bodies[key] = (body, uses)
        return evict() ? .storeEvict : .store
    }

    private func evict() -> Bool {
        let before = bodies.count
        while bodies.count > limit, let oldest = bodies.min(by: { $0.value.use < $1.value.use }) {
            bodies[oldest.key] = nil
        }
        return bodies.count < before
    }

    func remove(_ key: String) { bodies[key] = nil }
    func removeAll() { bodies = [:] }
    func resize(memory: Int, disk: Int) {
        limit = memory
        _ = evict()
    }
    var usage: SubjectUsage { SubjectUsage(memoryBytes: nil, memoryEntries: bodies.count) }
}
