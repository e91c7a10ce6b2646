@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

/// A correct subject: an exact LRU over a dictionary in memory, used for either tier.
final class HonestSubject: CacheSubject {
    static let name = "honest"
    static let capabilities: SubjectCapabilities = [.memory, .disk, .capacity, .entryLimit]

    private var lru: ExactLRU
    private var bodies: [UInt64: [UInt8]] = [:]
    private var ids: [String: UInt64] = [:]
    private let isDisk: Bool

    init(_ configuration: SubjectConfiguration) {
        isDisk = configuration.memoryCapacity == 0 && configuration.entryLimit == nil
        let capacity = isDisk ? configuration.diskCapacity : configuration.memoryCapacity
        lru = ExactLRU(
            capacity: configuration.entryLimit.map { .entries($0) } ?? .bytes(capacity, largest: capacity / 20))
    }

    func key(for url: String) -> UInt64 { DecimalText.hash(url.utf8) }

    func lookUp(_ key: UInt64, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard lru.lookUp(key), let body = bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return isDisk ? .diskHit : .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: UInt64) -> Outcome {
        let evictions = lru.evictions
        lru.store(key, size: body.count)
        bodies[key] = Array(body)
        return lru.evictions > evictions ? .storeEvict : .store
    }

    func remove(_ key: UInt64) { lru.remove(key) }
}

/// An unlimited cache that keeps the first version of one key in eight.
final class StaleSubject: CacheSubject {
    static let name = "stale"
    static let capabilities: SubjectCapabilities = .memory
    private var bodies: [UInt64: [UInt8]] = [:]

    init(_ configuration: SubjectConfiguration) {}

    func key(for url: String) -> UInt64 { DecimalText.hash(url.utf8) }

    func lookUp(_ key: UInt64, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: UInt64) -> Outcome {
        if key % 8 > 0 || bodies[key] == nil { bodies[key] = Array(body) }
        return .store
    }

    func remove(_ key: UInt64) { bodies[key] = nil }
}

/// The faults of a subject.
enum Lie: String, CaseIterable {
    case otherKeysBody, oldVersion, flippedBit, cutShort, hitWithoutBody, missWithBody, twoBodies, oddOutcome, error,
        oddStoreOutcome, storeError

    struct Failure: Error {}
}

/// Answers correctly, except for one kind of fault at every seventh lookup or store.
final class LyingSubject: CacheSubject {
    static let name = "lying"
    static let capabilities: SubjectCapabilities = [.memory, .disk, .capacity]
    /// The fault, which tests name in place of a directory.
    private let lie: Lie
    private var bodies: [String: [[UInt8]]] = [:]
    private var calls = 0

    init(_ configuration: SubjectConfiguration) { lie = Lie(rawValue: configuration.directory) ?? .flippedBit }
    func key(for url: String) -> String { url }
    func remove(_ key: String) { bodies[key] = nil }

    func store(_ body: UnsafeRawBufferPointer, for key: String) throws -> Outcome {
        calls += 1
        bodies[key, default: []].append(Array(body))
        guard calls % 7 == 0 else { return .store }
        if lie == .storeError { throw Lie.Failure() }
        return lie == .oddStoreOutcome ? .memoryHit : .store
    }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        calls += 1
        guard var body = bodies[key]?.last else { return .miss }
        guard calls % 7 == 0 else {
            body.withUnsafeBytes(read)
            return .memoryHit
        }
        switch lie {
        case .otherKeysBody: body = bodies.first { $0.key != key }?.value.last ?? body
        case .oldVersion: body = bodies[key]?.first ?? body
        case .flippedBit: body[body.count / 2] ^= 4
        case .cutShort: body.removeLast()
        case .hitWithoutBody: return .memoryHit
        case .missWithBody:
            body.withUnsafeBytes(read)
            return .miss
        case .twoBodies: body.withUnsafeBytes(read)
        case .oddOutcome:
            body.withUnsafeBytes(read)
            return .computed
        case .error: throw Lie.Failure()
        case .oddStoreOutcome, .storeError: break
        }
        body.withUnsafeBytes(read)
        return .memoryHit
    }
}
