import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement

/// Counts on their way from a worker to their metrics, in figures that all differ.
@Suite("Counts of a worker") struct WorkCountsTests {
    private static let functions = [InstructionCount.Function(name: "find", perOperation: 300)]

    @Test("each counter belongs to its own metric, for one operation") func values() {
        let operations = UInt64(WorkCounts.operations)
        var report = WorkReply()
        (report.counters.allocations, report.counters.allocatedBytes) = (2 * operations, 3 * operations)
        (report.counters.readCalls, report.counters.writeCalls) = (5 * operations, 7 * operations)
        (report.counters.writtenBytes, report.counters.callsUnderLock) = (11 * operations, 13 * operations)
        (report.counters.storageBytes, report.counters.pageFaults) = (17 * operations, 19 * operations)
        report.outcomes = [
            .memoryHit: 23 * operations, .diskHit: 29 * operations, .promotion: 31 * operations,
            .miss: 37 * operations, .store: 41 * operations, .storeEvict: 43 * operations,
        ]
        let counters: [String: Double] = [
            "allocations": 2, "bytes allocated": 3, "read calls": 5, "write calls": 7, "bytes written": 11,
            "calls under a lock": 13,
        ]
        let outcomes: [String: Double] = ["memory hits": 23, "disk hits": 60, "misses": 37, "evicting stores": 43]
        let figures = [Figure("hit ratio", 0.7, .ratio), Figure("evictions", 9, .nanoseconds), Figure("unheard of", 4)]
        #expect(
            WorkCounts.values(report, figures, isTimed: true)
                == counters.merging(outcomes) { $1 }.merging(["hit ratio": 0.7]) { $1 })
        #expect(WorkCounts.values(report, [], isTimed: false) == counters)
        #expect(WorkCounts.values(nil, [Figure("evictions", 9)], isTimed: true) == ["evictions": 9])
    }

    @Test("the most expensive operation and the most expensive hundredth are told apart, for calls and for bytes")
    func tails() {
        var report = SequenceReply()
        report.allocations = (0..<200).map { UInt64($0) }
        report.allocatedBytes = (0..<300).map { UInt64(10 * $0) }
        #expect(
            WorkCounts.tails(report) == [
                "worst allocations": 199, "worst 1 % allocations": 198.5, "worst bytes allocated": 2_990,
                "worst 1 % bytes allocated": 2_980,
            ])
        #expect(WorkCounts.tails(SequenceReply()).isEmpty)
    }

    private static func counting(_ whole: InstructionCount, _ each: SequenceCount? = nil) -> KeptCounts.Count {
        KeptCounts.Count(whole: whole, each: each)
    }

    @Test("countings are kept as the range of a count, with the functions of the first") func instructions() {
        let first = InstructionCount(perOperation: 10, systemCalls: 2, operations: 100, functions: Self.functions)
        let second = InstructionCount(perOperation: 11, systemCalls: 3, operations: 100, functions: [])
        var counts = BenchmarkCounts()
        counts.add([first, second].map { Self.counting($0) })
        #expect(counts.values == ["instructions": RepeatedCount(10, 11), "system calls": RepeatedCount(2, 3)])
        #expect(counts.functions == Self.functions && counts.worstFunctions.isEmpty)
        var without = BenchmarkCounts()
        let third = InstructionCount(perOperation: 9, operations: 100, functions: [])
        without.add([first, second, third].map { Self.counting($0) })
        #expect(without.values == ["instructions": RepeatedCount(9, 11)])
    }

    @Test("sequences are kept as the range of each tail, with the functions of the first, unless one is missing")
    func sequences() throws {
        func sequence(_ name: String, _ costs: [(instructions: Int, calls: Int)]) throws -> SequenceCount {
            let dumps = costs.enumerated().map { number, cost in
                """
                part: \(number + 1)
                events: Ir sysCount
                fn=(1) \(name)
                1 \(cost.instructions) \(cost.calls)

                totals: \(cost.instructions) \(cost.calls)

                """
            }
            return try SequenceCount(CallgrindDumps(Array(dumps.joined().utf8)), from: 1, count: costs.count)
        }
        let costs = (1...101).map { (instructions: 10 * $0, calls: $0 == 7 ? 5 : 1) }
        let more = (1...101).map { (instructions: 20 * $0, calls: $0 == 7 ? 6 : 1) }
        let tails = [
            "worst instructions": RepeatedCount(1_010, 2_020),
            "worst 1 % instructions": RepeatedCount(1_005, 2_010), "worst system calls": RepeatedCount(5, 6),
        ]
        let first = InstructionCount(perOperation: 10, operations: 100, functions: Self.functions)
        let second = InstructionCount(perOperation: 11, operations: 100, functions: [])
        let (one, other) = (try sequence("find", costs), try sequence("scan", more))
        let whole = ["instructions": RepeatedCount(10, 11)]
        for (each, again, values) in [
            (one, other, whole.merging(tails) { $1 }), (one, nil, whole), (nil, other, whole),
            (nil, nil, whole),
        ] as [(SequenceCount?, SequenceCount?, [String: RepeatedCount])] {
            var both = BenchmarkCounts()
            both.add([Self.counting(first, each), Self.counting(second, again)])
            #expect(both.values == values && both.functions == Self.functions)
            #expect(both.worstFunctions.map(\.name) == (values == whole ? [] : ["find"]))
        }
    }

    @Test("a count that one of two workers lacks is not kept, and of wrong answers the most are") func joined() {
        let first = WorkCounts(values: ["misses": 0.5, "allocations": 2], wrong: 1, nanoseconds: 1, isThreaded: false)
        let second = WorkCounts(
            values: ["misses": 0.25, "bytes written": 7], wrong: 4, nanoseconds: 1, isThreaded: false)
        for countings in [[first, second], [second, first], [first, second, first]] {
            let counts = BenchmarkCounts(countings)
            #expect(counts.values == ["misses": RepeatedCount(0.25, 0.5)] && counts.wrong == 4)
        }
        #expect(BenchmarkCounts([first]).values["allocations"] == RepeatedCount(2, 2))
        #expect(RepeatedCount([]) == nil && RepeatedCount([1, nil]) == nil)
    }

    @Test("a further counting widens the counts of both, and adds its failure, its wrong answers and its reasons")
    func further() {
        var counts = BenchmarkCounts()
        counts.values = ["misses": RepeatedCount(1, 2), "allocations": RepeatedCount(3, 3)]
        counts.wrong = 1
        counts.addNoInstructions(because: "first")
        var other = BenchmarkCounts(failure: "crashed")
        other.values = ["misses": RepeatedCount(4, 0), "bytes written": RepeatedCount(5, 5)]
        other.wrong = 6
        other.addNoInstructions(because: "second")
        other.reasons["misses"] = "third"
        var joined = counts
        joined.join(other)
        #expect(joined.values == ["misses": RepeatedCount(0, 4)])
        #expect(joined.failure == "crashed" && joined.wrong == 6)
        #expect(joined.reasons == ["instructions": "first", "system calls": "first", "misses": "third"])
        other.join(counts)
        #expect(other.failure == "crashed" && other.wrong == 6 && other.reasons["instructions"] == "second")
    }
}
