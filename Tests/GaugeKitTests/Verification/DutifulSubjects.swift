import Foundation
import PlantedGauge
import Synchronization

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces

/// A clock that advances by one second with every reading.
final class Ticks: Sendable {
    static let shared = Ticks()
    private let seconds = Atomic(1_000_000)

    func next() -> Double { Double(seconds.add(1, ordering: .relaxed).newValue) }
}

/// Keeps entries in memory, on disk, or both, with their dates, and obeys storage policies, except for the behaviour
/// that a test removes.
class Dutiful: CacheSubject {
    class var name: String { "dutiful" }
    class var verified: any CacheSubject.Type { self }
    static let capabilities: SubjectCapabilities = [
        .memory, .disk, .persistence, .removalSince, .storagePolicy, .collisions,
    ]

    /// The entry of a key. A file has the date, the length of the key, the key, and the body.
    fileprivate struct Entry {
        var key: String
        var body: [UInt8]
        var stored: Double

        init(key: String, body: [UInt8], stored: Double) { (self.key, self.body, self.stored) = (key, body, stored) }

        var bytes: [UInt8] {
            let date = (0..<8).map { UInt8(truncatingIfNeeded: stored.bitPattern >> ($0 * 8)) }
            return date + [UInt8(key.utf8.count >> 8), UInt8(key.utf8.count & 255)] + Array(key.utf8) + body
        }

        /// Reads an entry; `nil` if it is damaged.
        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 10 else { return nil }
            let length = Int(bytes[8]) << 8 | Int(bytes[9])
            guard bytes.count >= 10 + length else { return nil }
            stored = Double(bitPattern: bytes[..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
            key = String(decoding: bytes[10..<10 + length], as: UTF8.self)
            body = Array(bytes[(10 + length)...])
            guard body.isEmpty || body.withUnsafeBytes({ Payload.identity(of: $0) }) != nil else { return nil }
        }
    }

    fileprivate let configuration: SubjectConfiguration
    fileprivate var memory: [String: Entry] = [:]

    required init(_ configuration: SubjectConfiguration) { self.configuration = configuration }

    func key(for url: String) throws -> String { try FlawedKey(SubjectRequest(url), .none).text }

    /// The place of a key. With only one hash there is only one place.
    private func place(_ key: String) -> String { configuration.collides ? "0" : String(Trial.id(SubjectRequest(key))) }
    private func file(_ key: String) -> String { "\(configuration.directory)/\(place(key))" }

    fileprivate func isSame(_ entry: Entry, _ key: String) -> Bool { entry.key == key }

    private func entry(_ key: String) -> Entry? {
        if let entry = memory[place(key)], isSame(entry, key) { return entry }
        guard configuration.diskCapacity > 0, let entry = (try? FileBytes.read(file(key))).flatMap(Entry.init) else {
            return nil
        }
        return isSame(entry, key) ? entry : nil
    }

    private func put(_ body: UnsafeRawBufferPointer, _ key: String, disk: Bool) throws {
        let entry = Entry(key: key, body: Array(body), stored: Ticks.shared.next())
        if configuration.memoryCapacity > 0 { memory[place(key)] = entry }
        if disk, configuration.diskCapacity > 0 { try FileBytes.write(entry.bytes, to: file(key)) }
    }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let entry = entry(key) else { return .miss }
        entry.body.withUnsafeBytes(read)
        return .hit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) throws -> Outcome {
        try put(body, key, disk: true)
        return .store
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String, policy: SubjectStoragePolicy) throws {
        remove(key)
        if policy == .memoryOnly { try put(body, key, disk: false) }
    }

    func remove(_ key: String) {
        memory[place(key)] = nil
        removeFile(key)
    }

    fileprivate func removeFile(_ key: String) { try? FileManager.default.removeItem(atPath: file(key)) }

    fileprivate func isRemoved(_ entry: Entry, since moment: Double) -> Bool { entry.stored > moment }

    func removeAll(since moment: Double) {
        let files = FileBytes.files(in: configuration.directory).compactMap { try? FileBytes.read($0.path) }
        for entry in Array(memory.values) + files.compactMap(Entry.init) where isRemoved(entry, since: moment) {
            remove(entry.key)
        }
    }
}

final class RemovesTooMuch: Dutiful {
    override fileprivate func isRemoved(_ entry: Entry, since moment: Double) -> Bool { true }
}

final class RemovesTooLittle: Dutiful {
    override fileprivate func isRemoved(_ entry: Entry, since moment: Double) -> Bool { false }
}

final class WritesAll: Dutiful {
    override func store(_ body: UnsafeRawBufferPointer, for key: String, policy: SubjectStoragePolicy) throws {
        if policy == .notAllowed { remove(key) } else { _ = try store(body, for: key) }
    }
}

/// A store for memory only leaves an earlier version on disk.
final class ComesBack: Dutiful {
    private var keepsFiles = false
    override fileprivate func removeFile(_ key: String) { if !keepsFiles { super.removeFile(key) } }
    override func store(_ body: UnsafeRawBufferPointer, for key: String, policy: SubjectStoragePolicy) throws {
        keepsFiles = policy == .memoryOnly
        defer { keepsFiles = false }
        try super.store(body, for: key, policy: policy)
    }
}

final class KeepsTheOld: Dutiful {
    override func store(_ body: UnsafeRawBufferPointer, for key: String, policy: SubjectStoragePolicy) throws {
        if policy == .memoryOnly { try super.store(body, for: key, policy: policy) }
    }
}

final class ComparesHashes: Dutiful {
    override fileprivate func isSame(_ entry: Entry, _ key: String) -> Bool { true }
}

/// Is verified in place of another subject, as far as that one is able.
final class StoodInFor: Dutiful {
    override class var name: String { "stood-in-for" }
    override class var verified: any CacheSubject.Type { Faithful.self }
}
