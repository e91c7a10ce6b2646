import Foundation
import Synchronization
import TestSupport

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport

/// Hands each call on to a subject, and writes it down with its result.
final class Witness<Subject: CacheSubject>: CacheSubject {
    static var name: String { Subject.name }
    static var capabilities: SubjectCapabilities { Subject.capabilities }
    static var limits: SubjectLimits { Subject.limits }
    static var order: SubjectOrder { Subject.order }
    static var diskOrder: SubjectOrder { Subject.diskOrder }

    struct Key {
        let text: String
        let key: Subject.Key
    }

    private let subject: Subject
    private let transcript = Transcript.current

    init(_ configuration: SubjectConfiguration) throws {
        let tiers = "\(configuration.memoryCapacity) \(configuration.diskCapacity)"
        // The directories of a trial are numbered; others have random names.
        let place = configuration.directory.split(separator: "/").last.flatMap { Int($0) } ?? 0
        let options: [String] = [
            configuration.entryLimit.map { "limit \($0)" } ?? "", configuration.isDurable ? "durable" : "",
            configuration.collides ? "colliding" : "", configuration.keyField ?? "",
            configuration.isShared ? "shared" : "", configuration.lifetime.map { "lifetime \($0)" } ?? "",
            configuration.policy.rawValue,
        ]
        transcript.add("open \(tiers) \(place) \(options.joined(separator: ";"))")
        subject = try Subject(configuration)
    }

    func key(for url: String) throws -> Key { Key(text: url, key: try subject.key(for: url)) }
    func key(for request: SubjectRequest) throws -> Key {
        Key(text: request.text, key: try subject.key(for: request))
    }

    /// The length of a body, and its key and version if it has them.
    private static func text(_ body: UnsafeRawBufferPointer) -> String {
        guard body.count >= 24 else { return "\(Array(body))" }
        let label = [8, 16].map { body.loadUnaligned(fromByteOffset: $0, as: UInt64.self).littleEndian }
        return "\(body.count) \(label[0]) \(label[1])"
    }

    func lookUp(_ key: Key, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        var bodies = ""
        let outcome = try subject.lookUp(key.key) { body in
            bodies += " " + Self.text(body)
            read(body)
        }
        transcript.add("look \(key.text) \(outcome.rawValue)\(bodies)")
        return outcome
    }

    func store(_ body: UnsafeRawBufferPointer, for key: Key) throws -> Outcome {
        let outcome = try subject.store(body, for: key.key)
        transcript.add("store \(key.text) \(Self.text(body)) \(outcome.rawValue)")
        return outcome
    }

    func store(_ body: UnsafeRawBufferPointer, for key: Key, userInfo: [String: PropertyValue]) throws {
        let values = userInfo.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.text($0.value))" }
        transcript.add("info \(key.text) \(Self.text(body)) \(values)")
        try subject.store(body, for: key.key, userInfo: userInfo)
    }

    /// The order of a table's keys differs from process to process.
    private static func text(_ value: PropertyValue) -> String {
        switch value {
        case .table(let table):
            "\(table.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" })"
        case .list(let list): "\(list.map(text))"
        default: "\(value)"
        }
    }

    func store(_ body: UnsafeRawBufferPointer, for key: Key, policy: SubjectStoragePolicy) throws {
        transcript.add("policy \(key.text) \(Self.text(body)) \(policy.rawValue)")
        try subject.store(body, for: key.key, policy: policy)
    }

    func userInfo(for key: Key) throws -> [String: PropertyValue]? {
        let found = try subject.userInfo(for: key.key)
        transcript.add("ask \(key.text) \(found?.count ?? -1)")
        return found
    }

    func remove(_ key: Key) throws {
        transcript.add("remove \(key.text)")
        try subject.remove(key.key)
    }

    func removeAll(since moment: Double) throws {
        transcript.add("since \(moment)")
        try subject.removeAll(since: moment)
    }

    func removeAll() throws {
        transcript.add("remove everything")
        try subject.removeAll()
    }

    func resize(memory: Int, disk: Int) throws {
        transcript.add("resize \(memory) \(disk)")
        try subject.resize(memory: memory, disk: disk)
    }

    func settle() throws {
        transcript.add("settle")
        try subject.settle()
    }

    var counters: [String: Int] { subject.counters }
    var usage: SubjectUsage {
        transcript.add("usage")
        return subject.usage
    }
}

/// First in, first out; a body costs its bytes and 100. What has no memory is found again in its directory.
final class PlainStore: CacheSubject {
    static let name = "plain"
    static let capabilities: SubjectCapabilities = [
        .memory, .disk, .capacity, .resize, .threads, .persistence, .durability,
    ]

    /// `@unchecked Sendable`: the tests that share one use it from one thread.
    private final class Entries: @unchecked Sendable {
        var bodies: [String: [UInt8]] = [:]
        var order: [String] = []
        var oldest = 0
        var bytes = 0
    }

    private static let disks = Mutex<[String: Entries]>([:])

    private let entries: Entries
    private let isDisk: Bool
    private var capacity: Int

    init(_ configuration: SubjectConfiguration) {
        isDisk = configuration.memoryCapacity == 0
        capacity = isDisk ? configuration.diskCapacity : configuration.memoryCapacity
        guard isDisk else {
            entries = Entries()
            return
        }
        entries = Self.disks.withLock { disks in
            let entries = disks[configuration.directory] ?? Entries()
            disks[configuration.directory] = entries
            return entries
        }
    }

    func key(for url: String) -> String { url }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = entries.bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return isDisk ? .diskHit : .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        let old = entries.bodies.updateValue(Array(body), forKey: key)
        if old == nil { entries.order.append(key) }
        entries.bytes += body.count - (old?.count ?? -100)
        return evict() ? .storeEvict : .store
    }

    private func evict() -> Bool {
        let before = entries.oldest
        while entries.bytes > capacity, entries.oldest < entries.order.count {
            let gone = entries.bodies.removeValue(forKey: entries.order[entries.oldest])
            entries.bytes -= gone.map { $0.count + 100 } ?? 0
            entries.oldest += 1
        }
        return entries.oldest > before
    }

    func remove(_ key: String) {
        entries.bytes -= entries.bodies.removeValue(forKey: key).map { $0.count + 100 } ?? 0
    }

    func resize(memory: Int, disk: Int) {
        capacity = isDisk ? disk : memory
        _ = evict()
    }

    var usage: SubjectUsage {
        let (bytes, count) = (entries.bytes, entries.bodies.count)
        return isDisk
            ? SubjectUsage(diskBytes: bytes, diskEntries: count)
            : SubjectUsage(memoryBytes: bytes, memoryEntries: count)
    }
}
