import GaugeKit
import GaugeTraces
import Platform

/// Misbehaving caches that a replay must survive, in each role.
enum PlantedSubjects {
    static let underTest: [any CacheSubject.Type] = [
        PlantedCache<Honest>.self, PlantedCache<Liar>.self, PlantedCache<Crasher>.self, PlantedCache<Refuser>.self,
        FlawedCache.self,
    ]
    static let peers: [any CacheSubject.Type] = [PlantedCache<PeerLiar>.self, PlantedCache<PeerCrasher>.self]
}

/// The behaviour of a planted cache at its hundredth hit.
protocol PlantedDeed {
    static var name: String { get }
    static func open() throws
    static func hit(_ body: inout [UInt8])
}

extension PlantedDeed {
    static func open() {}
    static func hit(_ body: inout [UInt8]) {}
}

enum Honest: PlantedDeed { static let name = "honest" }

enum Liar: PlantedDeed {
    static let name = "liar"
    static func hit(_ body: inout [UInt8]) { body[body.count - 1] ^= 1 }
}

enum Crasher: PlantedDeed {
    static let name = "crasher"
    static func hit(_ body: inout [UInt8]) { UnsafeMutablePointer<UInt64>(bitPattern: opaque(8))?.pointee = 1 }
}

enum Refuser: PlantedDeed {
    static let name = "refuser"
    static func open() throws { throw PlantedGauge.Refusal() }
}

enum PeerLiar: PlantedDeed {
    static let name = "peer-liar"
    static func hit(_ body: inout [UInt8]) { Liar.hit(&body) }
}

enum PeerCrasher: PlantedDeed {
    static let name = "peer-crasher"
    static func hit(_ body: inout [UInt8]) { Crasher.hit(&body) }
}

/// An LRU cache in memory that counts entries or bytes, and leaves a file in its directory.
final class PlantedCache<Deed: PlantedDeed>: CacheSubject {
    static var name: String { Deed.name }
    static var capabilities: SubjectCapabilities {
        Deed.self == Honest.self ? [.memory, .capacity, .entryLimit] : [.memory, .capacity]
    }
    static var details: String { "planted" }

    private var lru: ExactLRU
    private var bodies: [UInt64: [UInt8]] = [:]
    private var hits = 0

    init(_ configuration: SubjectConfiguration) throws {
        try Deed.open()
        let file = open(configuration.directory + "/left-behind", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
        lru = ExactLRU(
            capacity: configuration.entryLimit.map { .entries($0) }
                ?? .bytes(configuration.memoryCapacity, largest: configuration.memoryCapacity))
    }

    func key(for url: String) -> UInt64 { fnv1a(url.utf8) }

    func lookUp(_ key: UInt64, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard lru.lookUp(key), var body = bodies[key] else { return .miss }
        hits += 1
        if hits == 100 { Deed.hit(&body) }
        body.withUnsafeBytes(read)
        return .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: UInt64) -> Outcome {
        lru.store(key, size: body.count) { bodies[$0] = nil }
        if lru.contains(key) { bodies[key] = Array(body) }
        return .store
    }

    func remove(_ key: UInt64) {
        lru.remove(key)
        bodies[key] = nil
    }
}
