import Platform
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

/// Rows of stores that evict, of caches that count an entry in different ways and say so or don't.
@Suite("Capacities of rows that evict", .serialized) struct TightCapacityTests {
    private static func prepared(_ name: String, _ rule: Rule, _ context: RunContext) throws -> PreparedBenchmark {
        let rows = SubjectBenchmarks.memory(Ruled.self, isPeer: false)
        let row = try #require(rows.first { $0.name.description == "memory/\(name)/ruled" })
        return try Ruled.$rule.withValue(rule) { try row.prepare(context) }
    }

    private static func context() -> RunContext {
        RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "/nonexistent")
    }

    @Test(
        "each store evicts, whatever an entry costs, with a fixed part or without, told or not",
        arguments: [
            Rule(cost: 356, isTold: true), Rule(cost: 356, fixed: 256 << 10, isTold: true),
            Rule(cost: 256, isTold: false), Rule(cost: 316, isTold: false), Rule(cost: 1_500, isTold: false),
            Rule(cost: 300, fixed: 256 << 10, isTold: false),
        ])
    func evicts(rule: Rule) throws {
        let context = Self.context()
        let prepared = try Self.prepared("store-evict/1k", rule, context)
        guard case .batched(let body) = prepared.body else {
            Issue.record("not in batches")
            return
        }
        body(100)
        Ruled.evictions.withLock { $0 = 0 }
        body(100)
        #expect(Ruled.evictions.withLock { $0 } == 100)
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }

    @Test("of a cache that tells nothing, about as many entries are kept as the row says", arguments: [256, 700])
    func kept(cost: Int) throws {
        let context = Self.context()
        var work = SubjectCase("memory", "store-evict/20k", tier: .memory, bodyCount: 256, entries: 20_000)
        work.memoryCapacity = SubjectBenchmarks.roomyCapacity(20_000)
        let capacity = try Ruled.$rule.withValue(Rule(cost: cost, isTold: false)) {
            try SubjectBenchmarks.tightCapacity(Ruled.self, work, context)
        }
        #expect((19_900...20_100).contains(capacity / cost), "\(capacity)")
    }

    @Test(
        "a cache that evicts nothing has no such row, and the reason names the remedy",
        arguments: ["store-evict", "zipf"])
    func nothing(row: String) {
        let name = row == "zipf" ? "zipf/1k/1-thread" : "\(row)/1k"
        let error = #expect(throws: GaugeError.self) {
            try Self.prepared(name, Rule(cost: 0, isTold: false), Self.context())
        }
        #expect(error?.description.contains("ruled holds all") == true)
        #expect(error?.description.contains("let `usage` say what an entry takes") == true)
    }
}

/// What an entry costs, bytes.
struct Rule: Sendable, CustomTestStringConvertible {
    var cost: Int
    /// What the empty cache counts.
    var fixed = 0
    /// Whether `usage` says so.
    var isTold: Bool

    var testDescription: String { "\(cost) and \(fixed), \(isTold ? "told" : "untold")" }
}

/// First in, first out, by a rule of cost.
private final class Ruled: CacheSubject {
    static let name = "ruled"
    static let capabilities: SubjectCapabilities = [.memory, .capacity, .threads]
    @TaskLocal static var rule = Rule(cost: 1, isTold: true)
    static let evictions = Locked(0)

    private let rule = Ruled.rule
    private let capacity: Int
    private var entries: [String: [UInt8]] = [:]
    private var order: [String] = []
    private var oldest = 0

    init(_ configuration: SubjectConfiguration) { capacity = configuration.memoryCapacity }

    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = entries[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        if entries.updateValue(Array(body), forKey: key) == nil { order.append(key) }
        while used > capacity, !entries.isEmpty {
            entries[order[oldest]] = nil
            oldest += 1
            Ruled.evictions.withLock { $0 += 1 }
        }
        return .store
    }
    func remove(_ key: String) {}
    private var used: Int { entries.count * rule.cost + rule.fixed }
    var usage: SubjectUsage { SubjectUsage(memoryBytes: rule.isTold ? used : nil, memoryEntries: entries.count) }
}
