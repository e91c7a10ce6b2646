import Synchronization
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport

@Suite("Rows of the memory stage") struct MemoryRowsTests {
    private static func context() -> RunContext {
        RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "/nonexistent")
    }

    private static func row(_ name: String, of type: (some CacheSubject).Type) throws -> Benchmark {
        try #require(SubjectBenchmarks.memory(type, isPeer: false).first { $0.name.description == name })
    }

    /// Prepares a row of `Roomy`, whose operations the ledger counts.
    private static func prepared(_ name: String, _ ledger: Ledger, _ context: RunContext) throws -> PreparedBenchmark {
        try Roomy.$ledger.withValue(ledger) { try row("memory/\(name)/roomy", of: Roomy.self).prepare(context) }
    }

    private static func run(_ prepared: PreparedBenchmark, _ operations: Int) {
        var recorder = LatencyRecorder()
        switch prepared.body {
        case .batched(let body): body(operations)
        case .timed(let body): body(operations, &recorder)
        case .threaded(let threads, let body): for thread in 0..<threads { body(thread, operations) }
        }
    }

    @Test("a subject has the rows of its capabilities, at three sizes, and the numbers of threads that the machine has")
    func names() {
        let plain = SubjectBenchmarks.memory(Plain.self, isPeer: false).map(\.name.description)
        var expected: [String] = []
        for size in ["1k", "10k", "100k"] {
            for row in ["hit", "miss", "store"] { expected.append("memory/\(row)/\(size)/plain") }
            if size == "1k" { expected.append("memory/grow/1k/plain") }
        }
        #expect(plain == expected)
        let rows = SubjectBenchmarks.memory(Roomy.self, isPeer: false)
        let names = rows.map(\.name.description)
        #expect(names.contains("memory/store-evict/10k/roomy") && names.contains("memory/truncate/1k/roomy"))
        #expect(names.contains("memory/hits/1k/1-thread/roomy") && names.contains("memory/zipf/100k/1-thread/roomy"))
        let hits = names.filter { $0.hasPrefix("memory/hits/1k/") }
        #expect(hits == ThreadCounts.possible.map { "memory/hits/1k/\(ThreadCounts.label($0))/roomy" })
        #expect(rows.first { $0.name.case == "hit/10k" }?.entries == 10_000)
        #expect(rows.filter { $0.suites.contains("default") }.allSatisfy { !$0.name.case.contains("10k") })
        #expect(SubjectBenchmarks.memory(DiskOnly.self, isPeer: false).isEmpty)
    }

    @Test(
        "there are never more threads than processors, and always one",
        arguments: [(0, [1]), (1, [1]), (2, [1, 2]), (3, [1, 2]), (4, [1, 2, 4]), (64, [1, 2, 4])])
    func threads(processors: Int, counts: [Int]) { #expect(ThreadCounts.possible(on: processors) == counts) }

    @Test(
        "each row does what its name says, and its answers are right",
        arguments: [
            ("hit", Deeds(hits: 100)), ("miss", Deeds(misses: 100)), ("store", Deeds(stores: 100)),
            ("store-evict", Deeds(stores: 100, evictions: 100)),
        ])
    func operations(name: String, deeds: Deeds) throws {
        let context = Self.context()
        let ledger = Ledger()
        let prepared = try Self.prepared("\(name)/1k", ledger, context)
        // The first stores fill what the subject's own rule of cost has left.
        Self.run(prepared, 100)
        let before = ledger.deeds
        Self.run(prepared, 100)
        var done = ledger.deeds - before
        // The last body is looked up again, to check it.
        if name != "miss" { done.hits -= 1 }
        #expect(done == deeds)
        let outcomes: [String: Outcome] = ["miss": .miss, "store": .store, "store-evict": .storeEvict]
        #expect(prepared.outcome == outcomes[name] ?? .memoryHit)
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }

    @Test("truncating halves the capacity, and the entries are back before the next time") func truncate() throws {
        let context = Self.context()
        let ledger = Ledger()
        let prepared = try Self.prepared("truncate/1k", ledger, context)
        let before = ledger.deeds
        Self.run(prepared, 3)
        let done = ledger.deeds - before
        #expect(done.stores == 3_000)
        #expect((1_490...1_510).contains(done.removals), "\(done)")
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }

    @Test("growing begins again with an empty subject when all entries are in") func grow() throws {
        let context = Self.context()
        let ledger = Ledger()
        let prepared = try Self.prepared("grow/1k", ledger, context)
        Roomy.$ledger.withValue(ledger) { Self.run(prepared, 2_500) }
        // The last body of each full subject is looked up.
        #expect(ledger.deeds == Deeds(hits: 2, stores: 2_500))
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }

    @Test("on threads all lookups hit, and the Zipf row stores after its misses") func onThreads() throws {
        let context = Self.context()
        let ledger = Ledger()
        let rows = try ["hits", "zipf"].map { try Self.prepared("\($0)/1k/1-thread", ledger, context) }
        var before = ledger.deeds
        Self.run(rows[0], 1_000)
        let hits = ledger.deeds - before
        #expect(hits == Deeds(hits: 1_000))
        before = ledger.deeds
        Self.run(rows[1], 4_000)
        let zipf = ledger.deeds - before
        #expect(zipf.hits > 1_000 && zipf.misses > 500, "\(zipf)")
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }

    @Test("a subject that keeps the old body is found by the store row") func stale() throws {
        let context = Self.context()
        let prepared = try Self.row("memory/store/1k/stale", of: Stale.self).prepare(context)
        Self.run(prepared, 10)
        #expect(context.answers.count > 0)
    }
}

/// The operations of a subject.
struct Deeds: Equatable, Sendable, CustomTestStringConvertible {
    var hits = 0
    var misses = 0
    var stores = 0
    var evictions = 0
    var removals = 0

    var testDescription: String { "\(hits) hits, \(misses) misses, \(stores) stores, \(evictions) evictions" }

    static func - (more: Deeds, less: Deeds) -> Deeds {
        Deeds(
            hits: more.hits - less.hits, misses: more.misses - less.misses, stores: more.stores - less.stores,
            evictions: more.evictions - less.evictions, removals: more.removals - less.removals)
    }
}

private final class Ledger: Sendable {
    private let held = Mutex(Deeds())

    var deeds: Deeds { held.withLock { $0 } }

    func add(_ deed: WritableKeyPath<Deeds, Int> & Sendable, _ count: Int = 1) {
        held.withLock { $0[keyPath: deed] += count }
    }
}

/// First in, first out; a body costs its bytes and 100.
private final class Roomy: CacheSubject {
    static let name = "roomy"
    static let capabilities: SubjectCapabilities = [.memory, .capacity, .resize, .threads]
    @TaskLocal static var ledger = Ledger()

    private let ledger = Roomy.ledger
    private var capacity: Int
    private var entries: [String: [UInt8]] = [:]
    private var order: [String] = []
    private var oldest = 0

    init(_ configuration: SubjectConfiguration) { capacity = configuration.memoryCapacity }

    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = entries[key] else {
            ledger.add(\.misses)
            return .miss
        }
        ledger.add(\.hits)
        body.withUnsafeBytes(read)
        return .memoryHit
    }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        ledger.add(\.stores)
        if entries.updateValue(Array(body), forKey: key) == nil { order.append(key) }
        return evict() > 0 ? .storeEvict : .store
    }
    private func evict() -> Int {
        let before = oldest
        while usage.memoryBytes ?? 0 > capacity {
            entries[order[oldest]] = nil
            oldest += 1
        }
        ledger.add(\.evictions, oldest - before)
        return oldest - before
    }
    func remove(_ key: String) {}
    func resize(memory: Int, disk: Int) {
        capacity = memory
        ledger.add(\.removals, evict())
    }
    var usage: SubjectUsage { SubjectUsage(memoryBytes: entries.count * 356, memoryEntries: entries.count) }
}

private final class Plain: CacheSubject {
    static let name = "plain"
    static let capabilities: SubjectCapabilities = [.memory]
    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
    func remove(_ key: String) {}
}

private final class DiskOnly: CacheSubject {
    static let name = "disk-only"
    static let capabilities: SubjectCapabilities = [.disk]
    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
    func remove(_ key: String) {}
}

/// Keeps the first body of each key.
private final class Stale: CacheSubject {
    static let name = "stale"
    static let capabilities: SubjectCapabilities = [.memory]
    private var entries: [String: [UInt8]] = [:]
    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = entries[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        if entries[key] == nil { entries[key] = Array(body) }
        return .store
    }
    func remove(_ key: String) {}
}
