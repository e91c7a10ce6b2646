import Foundation

@testable import GaugeKit
@testable import GaugeMeasurement

/// A right cache that counts entries, behind a lock. It says how many bytes it holds, too, and allocates its places in
/// advance, so that it refuses more of them than memory has room for.
final class LockedCache: CacheSubject {
    static let name = "locked"
    static let capabilities: SubjectCapabilities = [.memory, .entryLimit, .resize, .threads]
    static let most = 10_000

    struct TooMany: Error { let limit: Int }

    private let lock = NSLock()
    private let cache: CountedCache<Counts>
    private var bytes: [String: Int] = [:]

    init(_ configuration: SubjectConfiguration) { cache = CountedCache(configuration) }

    func key(for url: String) -> String { url }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        try lock.withLock { try cache.lookUp(key, read) }
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) throws -> Outcome {
        try lock.withLock {
            bytes[key] = body.count
            return try cache.store(body, for: key)
        }
    }

    func remove(_ key: String) { lock.withLock { cache.remove(key) } }

    func resize(memory: Int, disk: Int) throws {
        guard memory <= Self.most else { throw TooMany(limit: memory) }
        lock.withLock { cache.resize(memory: memory, disk: disk) }
    }

    var usage: SubjectUsage {
        lock.withLock {
            let held = bytes.filter { cache.holds($0.key) }
            return SubjectUsage(memoryBytes: held.reduce(0) { $0 + $1.value }, memoryEntries: held.count)
        }
    }
}
