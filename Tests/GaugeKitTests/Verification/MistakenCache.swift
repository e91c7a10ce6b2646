import Foundation
import PlantedGauge

@testable import GaugeMeasurement
@testable import GaugeKit

/// The one mistake of a ``MistakenCache``.
struct Mistake: Sendable {
    typealias Change = @Sendable (SubjectRequest) -> SubjectRequest

    /// The request that is stored, looked up or removed in the place of another.
    var stored: Change = { $0 }
    var lookedUp: Change = { $0 }
    var removed: Change = { $0 }
    /// Whether a store is ignored, by its bytes and the stores of its request before it.
    var ignores: @Sendable (_ request: SubjectRequest, _ bytes: Int, _ before: Int) -> Bool = { _, _, _ in false }
    /// Whether removals are ignored.
    var keepsRemoved = false
    /// Whether a request that misses is answered with the body that was stored for it first.
    var remembersFirst = false
    /// Changes the configuration with which a cache is opened.
    var opened: @Sendable (inout SubjectConfiguration) throws -> Void = { _ in }
    /// The capacities that a cache gets in the place of others.
    var resized: @Sendable (_ memory: Int, _ disk: Int) -> (Int, Int)? = { ($0, $1) }
    /// The usage that is reported, by the number of different requests that were stored.
    var reported: @Sendable (_ usage: SubjectUsage, _ requests: Int) -> SubjectUsage = { usage, _ in usage }
    /// The body that is lent in the place of the one that was found, and the metadata.
    var answered: @Sendable (_ request: SubjectRequest, _ found: [UInt8]?) -> [UInt8]? = { $1 }
    var informed: @Sendable (_ found: [String: PropertyValue]?) -> [String: PropertyValue]? = { $0 }
    /// The defect of the cache itself.
    var flaw = Flaw.none

    /// Takes one part of each URL for another, wherever it occurs.
    static func confusing(_ part: String, with other: String) -> Mistake {
        let change: Change = { request in
            var request = request
            request.url = request.url.replacing(part, with: other)
            return request
        }
        return Mistake(stored: change, lookedUp: change, removed: change)
    }
}

/// A cache that is right, behind a front that makes one mistake.
///
/// `@unchecked Sendable`: what changes is guarded by the lock of the list.
final class MistakenCache: CacheSubject, @unchecked Sendable {
    static let name = "mistaken"
    static let capabilities = FlawedCache.capabilities
    static let limits = FlawedCache.limits

    /// The mistake of the caches that are made next.
    @TaskLocal static var mistake = Mistake()

    struct Key: Hashable, Sendable { let request: SubjectRequest }

    private let mistake = MistakenCache.mistake
    private let cache: FlawedCache
    private let stores = NSLock()
    private var firsts: [SubjectRequest: (count: Int, body: [UInt8])] = [:]

    init(_ configuration: SubjectConfiguration) throws {
        var configuration = configuration
        try mistake.opened(&configuration)
        cache = try Flaw.$current.withValue(mistake.flaw) { [configuration] in try FlawedCache(configuration) }
    }

    func key(for url: String) -> Key { Key(request: SubjectRequest(url)) }
    func key(for request: SubjectRequest) -> Key { Key(request: request) }

    func lookUp(_ key: Key, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        var found: [UInt8]?
        var outcome = cache.lookUp(try cache.key(for: mistake.lookedUp(key.request))) { found = Array($0) }
        let body = mistake.answered(key.request, found)
        if let body {
            body.withUnsafeBytes(read)
            if outcome == .miss { outcome = .hit }
        } else {
            outcome = .miss
        }
        guard outcome == .miss, mistake.remembersFirst, let first = stores.withLock({ firsts[key.request] }) else {
            return outcome
        }
        first.body.withUnsafeBytes(read)
        return .hit
    }

    /// Counts a store of the request; `nil` if it is ignored.
    private func taken(_ request: SubjectRequest, _ body: UnsafeRawBufferPointer) throws -> FlawedKey? {
        let before = stores.withLock {
            defer { firsts[request, default: (0, Array(body))].count += 1 }
            return firsts[request]?.count ?? 0
        }
        return mistake.ignores(request, body.count, before) ? nil : try cache.key(for: mistake.stored(request))
    }

    func store(_ body: UnsafeRawBufferPointer, for key: Key) throws -> Outcome {
        try taken(key.request, body).map { try cache.store(body, for: $0) } ?? .store
    }

    func store(_ body: UnsafeRawBufferPointer, for key: Key, userInfo: [String: PropertyValue]) throws {
        if let key = try taken(key.request, body) { try cache.store(body, for: key, userInfo: userInfo) }
    }

    func store(_ body: UnsafeRawBufferPointer, for key: Key, policy: SubjectStoragePolicy) throws {
        if let key = try taken(key.request, body) { try cache.store(body, for: key, policy: policy) }
    }

    func userInfo(for key: Key) throws -> [String: PropertyValue]? {
        mistake.informed(cache.userInfo(for: try cache.key(for: mistake.lookedUp(key.request))))
    }

    func remove(_ key: Key) throws {
        if !mistake.keepsRemoved { cache.remove(try cache.key(for: mistake.removed(key.request))) }
    }

    func removeAll(since moment: Double) {
        if !mistake.keepsRemoved { cache.removeAll(since: moment) }
    }

    func removeAll() { cache.removeAll() }

    func resize(memory: Int, disk: Int) throws {
        if let (memory, disk) = mistake.resized(memory, disk) { try cache.resize(memory: memory, disk: disk) }
    }

    func settle() { cache.settle() }

    var counters: [String: Int] { cache.counters }
    var usage: SubjectUsage { mistake.reported(cache.usage, stores.withLock { firsts.count }) }
}
