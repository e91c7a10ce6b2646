import Foundation
import TestSupport

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeTraces

/// The answers and reports of a ``ScriptedSubject``. By itself it keeps all that is stored, for good, and reports
/// nothing.
///
/// `@unchecked Sendable`: a test uses it from one thread.
final class Script: @unchecked Sendable {
    var capabilities: SubjectCapabilities = [.memory]
    /// The body found for a request, by how often the request has been looked up (from 1) and what is stored.
    var answer: (_ request: SubjectRequest, _ number: Int, _ stored: [UInt8]?) -> [UInt8]? = { $2 }
    /// The outcome of a hit, by how many lookups there were (from 1), and of a store, by how many stores.
    var hit: (_ number: Int) -> Outcome = { _ in .hit }
    var stored: (_ number: Int) -> Outcome = { _ in .store }
    /// Usage, by how many entries were stored since the subject was opened last.
    var usage: (_ stores: Int) -> SubjectUsage = { _ in SubjectUsage() }
    var counters: (_ stores: Int) -> [String: Int] = { _ in [:] }
    /// Called when it is opened; may throw.
    var opened: (_ configuration: SubjectConfiguration) throws -> Void = { _ in }
    var resized: (_ memory: Int, _ disk: Int) -> Void = { _, _ in }

    fileprivate(set) var entries: [SubjectRequest: [UInt8]] = [:]
    fileprivate(set) var lookups: [SubjectRequest: Int] = [:]
    fileprivate(set) var allLookups = 0
    fileprivate(set) var allStores = 0
    /// The stores since it was opened last.
    fileprivate(set) var stores = 0
    /// The capacities with which it was opened, in order.
    fileprivate(set) var capacities: [[Int]] = []
    fileprivate(set) var resizes: [[Int]] = []

    /// Removes all entries.
    func clear() { entries = [:] }

    /// A body of a request, as a trial makes it.
    static func body(_ request: SubjectRequest, version: UInt64 = 1, count: Int = 1_000) -> [UInt8] {
        Array(PayloadBuffer(capacity: count).body(key: Trial.id(request), version: version, count: count))
    }

    /// The verdict on a promise of fixed steps.
    func verdict(
        _ name: String, clock: TrialClock = .system, seconds: Double = 0, note: @escaping (String) -> Void = { _ in }
    ) throws -> PromiseVerdict {
        guard let promise = Promise.fixed.first(where: { $0.name == name }) else { throw NoPromise(name: name) }
        let scratch = try ScratchDirectory()
        var model = ModelSettings()
        model.seconds = seconds
        return Self.$current.withValue(self) {
            promise.verdict(
                Trial(
                    ScriptedSubject.self, parent: scratch.path, clock: clock, heapInUse: { nil }, model: model,
                    policy: promise.policies.contains(.lru) ? .lru : .gdsf
                ) { note($0 ?? "begin") })
        }
    }

    private struct NoPromise: Error { let name: String }

    /// The script of the subjects that are made next.
    @TaskLocal static var current = Script()
}

/// Does what its script says.
final class ScriptedSubject: CacheSubject {
    static let name = "scripted"
    static var capabilities: SubjectCapabilities { Script.current.capabilities }
    static let limits = SubjectLimits.urlCache

    private let script = Script.current

    init(_ configuration: SubjectConfiguration) throws {
        script.capacities.append([configuration.memoryCapacity, configuration.diskCapacity])
        script.stores = 0
        try script.opened(configuration)
    }

    func key(for url: String) -> SubjectRequest { SubjectRequest(url) }
    func key(for request: SubjectRequest) -> SubjectRequest { request }

    func lookUp(_ key: SubjectRequest, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        script.allLookups += 1
        script.lookups[key, default: 0] += 1
        guard let body = script.answer(key, script.lookups[key] ?? 0, script.entries[key]) else { return .miss }
        body.withUnsafeBytes(read)
        return script.hit(script.allLookups)
    }

    func store(_ body: UnsafeRawBufferPointer, for key: SubjectRequest) -> Outcome {
        script.allStores += 1
        script.stores += 1
        script.entries[key] = Array(body)
        return script.stored(script.allStores)
    }

    func store(_ body: UnsafeRawBufferPointer, for key: SubjectRequest, policy: SubjectStoragePolicy) {
        _ = store(body, for: key)
    }

    func store(_ body: UnsafeRawBufferPointer, for key: SubjectRequest, userInfo: [String: PropertyValue]) {
        _ = store(body, for: key)
    }

    func userInfo(for key: SubjectRequest) -> [String: PropertyValue]? { nil }
    func remove(_ key: SubjectRequest) { script.entries[key] = nil }
    func removeAll(since moment: Double) { script.entries = [:] }

    func resize(memory: Int, disk: Int) {
        script.resizes.append([memory, disk])
        script.resized(memory, disk)
    }

    var usage: SubjectUsage { script.usage(script.stores) }
    var counters: [String: Int] { script.counters(script.stores) }
}
