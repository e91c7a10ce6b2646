import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("The most expensive operations in the gate of counts") struct TailTests {
    private static func counts(_ values: [Metric: Double], worst: [String: Double] = [:]) -> BenchmarkCounts {
        var counts = BenchmarkCounts.exact(values)
        counts.worstFunctions = worst.map { InstructionCount.Function(name: $0.key, perOperation: $0.value) }
        return counts
    }

    @Test("work at every 1,024th operation, which the mean does not show, is called with its function")
    func occasional() throws {
        let base = Self.counts(
            [.instructions: 6_964, .worstPercentInstructions: 8_920, .worstInstructions: 9_030], worst: ["store": 8_000]
        )
        let head = Self.counts(
            [.instructions: 6_972, .worstPercentInstructions: 9_380, .worstInstructions: 13_700],
            worst: ["store": 8_000, "tidy": 460])
        let comparison = CountComparison("memory/store/1k/table", base: base, head: head)
        #expect(comparison.verdict(on: .instructions) == .equivalent)
        #expect(comparison.verdict(on: .worstInstructions) == .worse)
        #expect(comparison.causes == [FunctionChange(name: "tidy", base: 0, head: 460)])
        #expect(GateTable().text([comparison]).contains("in the most expensive hundredth"))
        #expect(GateDecision(comparisons: [comparison]).exitCode == .regression)
    }

    @Test("since a baseline has no functions, those that only the most expensive operations need are named")
    func baseline() {
        let base = BenchmarkCounts.exact([.instructions: 4_238, .worstPercentInstructions: 5_848])
        var head = BenchmarkCounts.exact(
            [.instructions: 4_258, .worstPercentInstructions: 8_842], functions: ["hash": 2_362, "audit": 20])
        head.worstFunctions = ["hash": 2_362, "audit": 3_014].map {
            InstructionCount.Function(name: $0.key, perOperation: $0.value)
        }
        let worst = CountComparison("memory/hit/1k/table", base: base, head: head)
        #expect(worst.causes == [FunctionChange(name: "audit", base: 20, head: 3_014)])
        #expect(worst.causesTitle.hasSuffix("(a baseline has none), mean → most expensive hundredth"))
        let mean = CountComparison(
            "memory/hit/1k/table", base: .exact([.instructions: 2_000]),
            head: .exact([.instructions: 2_400], functions: ["hash": 2_362]))
        #expect(mean.causes == [FunctionChange(name: "hash", base: 0, head: 2_362)])
        #expect(mean.causesTitle == "instructions by function of this build (a baseline has none)")
    }

    @Test("a single operation may vary by a tenth, the worst hundredth by two per cent") func tolerances() {
        func verdict(_ metric: Metric, _ factor: Double) -> CountVerdict {
            .judging(metric, base: RepeatedCount(1_000, 1_000), head: RepeatedCount(1_000 * factor, 1_000 * factor))
        }
        #expect(verdict(.worstInstructions, 1.09) == .equivalent)
        #expect(verdict(.worstInstructions, 1.11) == .worse)
        #expect(verdict(.worstPercentInstructions, 1.019) == .equivalent)
        #expect(verdict(.worstPercentInstructions, 1.021) == .worse)
        #expect(verdict(.worstAllocations, 1.001) == .worse)
    }

    @Test("a base that did not count single operations is no gap") func older() {
        let base = Self.counts([.instructions: 100])
        let head = Self.counts([.instructions: 100, .worstInstructions: 200])
        let comparison = CountComparison("a/b/c", base: base, head: head)
        #expect(comparison.lines.map(\.metric) == [.instructions])
        let decision = GateDecision(comparisons: [comparison], conditions: .init(required: [.worstInstructions]))
        #expect(decision.exitCode == .missingBaseline)
        let failed = CountComparison("a/b/c", base: BenchmarkCounts(failure: "crashed"), head: head)
        #expect(failed.verdict(on: .worstInstructions) == .notComparable("crashed"))
    }

    @Test("lines of tails that did not change are left out of the table, except for instructions") func table() {
        let same = Self.counts([.instructions: 100, .worstInstructions: 200, .worstAllocations: 3])
        let text = GateTable().text([CountComparison("a/b/c", base: same, head: same)])
        #expect(text.contains("worst instructions") && !text.contains("worst allocations"), "\(text)")
        let more = Self.counts([.instructions: 100, .worstInstructions: 200, .worstAllocations: 4])
        #expect(GateTable().text([CountComparison("a/b/c", base: same, head: more)]).contains("worst allocations"))
        let percent = Self.counts([.instructions: 100, .worstPercentInstructions: 200])
        #expect(GateTable().text([CountComparison("a/b/c", base: percent, head: percent)]).contains("worst 1 % instr"))
    }

    @Test(
        "the tail of a sequence is its worst hundredth, rounded up, and its worst operation", arguments: [1, 99, 100])
    func tail(operations: Int) throws {
        let tail = try #require(CostTail((0..<operations).map { UInt64($0) }))
        #expect(tail.worst == Double(operations - 1) && tail.worstPercent == tail.worst)
        let longer = try #require(CostTail([5, 1, 9] + Array(repeating: 1, count: 98)))
        #expect(longer.worst == 9 && longer.worstPercent == 7)
        #expect(CostTail([]) == nil)
    }
}
