import PlantedGauge
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// Caches that differ from this package's in their tiers or in their order of eviction, and are right.
@Suite("Caches of other designs") struct StrangersTests {
    /// The verdict on a promise, which is checked in this process.
    private func verdict(
        _ name: String, _ type: any CacheSubject.Type, heapInUse: @escaping () -> Int? = { nil }
    ) throws -> PromiseVerdict {
        let promise = try #require(Promise.all.first { $0.name == name })
        let scratch = try ScratchDirectory()
        var model = ModelSettings()
        model.seconds = 0.2
        return promise.verdict(Trial(type, parent: scratch.path, heapInUse: heapInUse, model: model) { _ in })
    }

    @Test("a cache on disk alone is not blamed for having no memory") func diskAlone() throws {
        for name in ["key-query", "key-host-case", "overwritten", "removed", "user-info", "told-tier", "told-eviction"]
        {
            #expect(try verdict(name, DiskAlone.self) == .kept, "\(name)")
        }
    }

    @Test("least recently used first is not expected of a cache that says otherwise") func otherOrder() throws {
        for name in ["lru", "replaced-place", "model-held"] {
            guard case .notApplicable = try verdict(name, ShardedFIFO.self) else {
                Issue.record("\(name) is tested")
                continue
            }
        }
        #expect(try verdict("lru", FirstIn.self) != .kept)
    }

    @Test("first in, first out is tested where a cache says so") func firstInFirstOut() throws {
        #expect(try verdict("fifo", ShardedFIFO.self) == .kept)
        guard case .broken(let reason) = try verdict("fifo", ToldWrongly.self) else {
            Issue.record("an LRU is first in, first out")
            return
        }
        #expect(reason.contains("are still there"), "\(reason)")
        guard case .notApplicable = try verdict("fifo", Sharded.self) else {
            Issue.record("fifo is tested on an LRU")
            return
        }
        for type in [Sharded.self, ShardedFIFO.self] { #expect(try verdict("just-stored-memory", type) == .kept) }
    }

    @Test("a cache whose key is the text of a URL is not asked for other spellings of it") func text() throws {
        for name in ["key-host-case", "key-default-port", "key-fragment", "key-user", "key-other-scheme"] {
            let verdict = try verdict(name, TextKeys.self)
            guard case .notApplicable = verdict else {
                Issue.record("\(name): \(verdict)")
                continue
            }
        }
        #expect(try verdict("key-query", TextKeys.self) == .kept)
        // It joins some spellings, and so has to join all.
        #expect(try verdict("key-host-case", LowerKeys.self) == .kept)
        guard case .broken = try verdict("key-fragment", LowerKeys.self) else {
            Issue.record("a fragment may tell keys apart")
            return
        }
    }

    @Test("uses need not keep an entry in a cache that says so") func uses() throws {
        #expect(
            try verdict("used-kept", ShardedFIFO.self)
                == .notApplicable(reason: "it says that uses do not keep an entry"))
        #expect(try verdict("used-kept", Sharded.self) == .kept)
        guard case .broken = try verdict("used-kept", FirstIn.self) else {
            Issue.record("used-kept is kept first in, first out")
            return
        }
    }

    @Test("the order of a disk below memory is tried where a cache declares it") func diskOrder() throws {
        let script = Script()
        script.capabilities = [.memory, .disk, .capacity]
        let reason = "its diskOrder does not say that the oldest are evicted first"
        #expect(try script.verdict("stored-last-disk") == .notApplicable(reason: reason))
        #expect(try verdict("stored-last-disk", FlawedCache.self) == .kept)
    }

    @Test("a cache that reports no evictions is not blamed for it") func silent() throws {
        let verdict = try verdict("told-evictions", Sharded.self)
        #expect(verdict == .notApplicable(reason: "it reports no evictions"))
    }

    @Test("a cache that evicts by shards keeps the promises of order that shards can keep") func shards() throws {
        for name in ["lru", "replaced-place"] { #expect(try verdict(name, Sharded.self) == .kept) }
        let held = try verdict("model-held", Sharded.self)
        #expect(held == .notApplicable(reason: "it evicts by parts, such as shards, or at random"))
    }

    @Test("a heap that grows with the operations is noticed, and one that rises and falls is not") func heap() throws {
        var heap = 1 << 20
        #expect(try verdict("heap-bounded", FirstIn.self, heapInUse: { heap }) == .kept)
        var samples = 0
        let saw =
            {
                samples += 1; return heap + samples % 7 * 200_000
            } as () -> Int?
        #expect(try verdict("heap-bounded", FirstIn.self, heapInUse: saw) == .kept)
        // What an allocator keeps for threads grows at first.
        var readings = 0
        let settling =
            {
                readings += 1; return min(readings, 80) * 50_000
            } as () -> Int?
        #expect(try verdict("heap-bounded", FirstIn.self, heapInUse: settling) == .kept)
        let growing =
            {
                heap += 1 << 20; return heap
            } as () -> Int?
        guard case .broken(let reason) = try verdict("heap-bounded", FirstIn.self, heapInUse: growing) else {
            Issue.record("it is not noticed")
            return
        }
        #expect(reason.hasPrefix("the heap in use grew by "))
    }

    @Test("a hit without a body and a miss with one are wrong") func contradictions() throws {
        let wanted: [(outcome: Outcome, reason: String)] = [
            (.miss, "a lookup reported the outcome miss, and lent 1 bodies"),
            (.store, "a lookup reported the outcome store"),
        ]
        for (outcome, reason) in wanted {
            let found = try Contradicts.$outcome.withValue(outcome) {
                try self.verdict("overwritten", Contradicts.self)
            }
            #expect(found == .broken(reason: reason))
        }
        let stored = try Contradicts.$stored.withValue(.miss) { try self.verdict("overwritten", Contradicts.self) }
        #expect(stored == .broken(reason: "a store reported the outcome miss"))
    }
}

/// Sends everything to the disk tier of a cache that has two.
private final class DiskAlone: CacheSubject {
    static let name = "disk-alone"
    static let capabilities: SubjectCapabilities = [.disk, .capacity, .persistence, .userInfo, .threads]
    private let cache: FlawedCache

    init(_ configuration: SubjectConfiguration) throws {
        var configuration = configuration
        configuration.memoryCapacity = 0
        cache = try FlawedCache(configuration)
    }

    func key(for url: String) throws -> FlawedKey { try cache.key(for: url) }
    func lookUp(_ key: FlawedKey, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { cache.lookUp(key, read) }
    func store(_ body: UnsafeRawBufferPointer, for key: FlawedKey) throws -> Outcome { try cache.store(body, for: key) }
    func remove(_ key: FlawedKey) { cache.remove(key) }
    func store(_ body: UnsafeRawBufferPointer, for key: FlawedKey, userInfo: [String: PropertyValue]) throws {
        try cache.store(body, for: key, userInfo: userInfo)
    }
    func userInfo(for key: FlawedKey) -> [String: PropertyValue]? { cache.userInfo(for: key) }
}

/// A cache in memory, of sixteen parts that evict alone, least recently used first.
private class Sharded: ShardedFIFO {
    override class var order: SubjectOrder { .lru }
    override func rank(_ entry: Entry) -> (Int, Int) { (entry.used, 0) }
}

/// First in, first out, which says otherwise.
private final class FirstIn: ShardedFIFO {
    override class var order: SubjectOrder { .lru }
}

/// Least recently used first, which says otherwise.
private final class ToldWrongly: Sharded {
    override class var order: SubjectOrder { .fifo }
}

/// Takes the text of a URL as its key.
private class TextKeys: Sharded {
    override func key(for url: String) throws -> String { url }
}

/// The same, in lower case.
private final class LowerKeys: TextKeys {
    override func key(for url: String) throws -> String { try super.key(for: url.lowercased()) }
}

/// Lends the body that was stored last, and reports any outcome.
private final class Contradicts: CacheSubject {
    static let name = "contradicts"
    static let capabilities: SubjectCapabilities = [.memory]
    @TaskLocal static var outcome = Outcome.memoryHit
    @TaskLocal static var stored = Outcome.store
    private var body: [UInt8] = []

    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        body.withUnsafeBytes(read)
        return Self.outcome
    }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        self.body = Array(body)
        return Self.stored
    }
    func remove(_ key: String) {}
}
