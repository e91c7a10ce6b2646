import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

@Suite("Verdicts on counts") struct CountVerdictTests {
    private static func judge(_ metric: Metric, _ base: Double, _ head: Double) -> CountVerdict {
        .judging(metric, base: RepeatedCount(base, base), head: RepeatedCount(head, head))
    }

    @Test(
        "instructions may change by two in a thousand, and no more",
        arguments: [
            (1_000.0, 1_002.0, CountVerdict.equivalent), (1_000, 1_002.1, .worse), (1_000, 998, .equivalent),
            (1_000, 997.9, .better), (0, 0, .equivalent), (0, 1, .worse), (378.5, 382.3, .worse),
        ])
    func tolerance(base: Double, head: Double, verdict: CountVerdict) {
        #expect(Self.judge(.instructions, base, head) == verdict)
    }

    @Test(
        "what is exact may not change at all, whichever way is better",
        arguments: [
            (Metric.allocations, 1.0, 1.0, CountVerdict.equivalent), (.allocations, 1, 1.000_5, .worse),
            (.allocations, 0, 0.000_5, .worse), (.allocations, 1, 0.999_5, .better),
            (.systemCalls, 0.1, 0.101, .worse), (.memoryHits, 0.75, 0.749_5, .worse),
            (.memoryHits, 0.75, 0.750_5, .better), (.misses, 0.25, 0.250_5, .worse),
            (.diskHits, 0.2, 0.1, .changed), (.diskHits, 0.1, 0.2, .changed), (.diskHits, 0.1, 0.1, .equivalent),
        ])
    func exact(metric: Metric, base: Double, head: Double, verdict: CountVerdict) {
        #expect(Self.judge(metric, base, head) == verdict)
    }

    @Test("a ratio whose last digit is rounded otherwise is the same") func rounding() {
        #expect(Self.judge(.memoryHits, 0.1 + 0.2, 0.3) == .equivalent)
    }

    @Test("a count that does not repeat to 1 in 10,000 is unstable in either build") func unstable() {
        let steady = RepeatedCount(1_000, 1_000)
        let loose = RepeatedCount(1_000, 1_000.2)
        #expect(RepeatedCount(1_000, 1_000.09).isStable(within: RepeatedCount.repeatability))
        #expect(!loose.isStable(within: RepeatedCount.repeatability))
        #expect(!RepeatedCount(0, 0.000_5).isStable(within: RepeatedCount.repeatability))
        #expect(RepeatedCount(0, 0).isStable(within: RepeatedCount.repeatability))
        #expect(!RepeatedCount(.nan, .nan).isStable(within: RepeatedCount.repeatability))
        #expect(!RepeatedCount(.infinity, .infinity).isStable(within: RepeatedCount.repeatability))
        #expect(CountVerdict.judging(.allocations, base: loose, head: RepeatedCount(1_009, 1_009)) == .unstable)
        let unknown = RepeatedCount(.nan, .infinity)
        #expect(CountVerdict.judging(.allocations, base: unknown, head: steady) == .unstable)
        #expect(CountVerdict.judging(.allocations, base: steady, head: unknown) == .unstable)
    }

    @Test(
        "a count that does not repeat is judged where builds are 50 times its range and 1 % apart, or all within 0.2 %",
        arguments: [
            (RepeatedCount(7.370_5, 7.370_5), RepeatedCount(8.369_5, 8.370_5), CountVerdict.worse),
            (RepeatedCount(8.369_5, 8.370_5), RepeatedCount(7.370_5, 7.370_5), .better),
            (RepeatedCount(100, 100.1), RepeatedCount(105.2, 105.2), .worse),
            (RepeatedCount(100, 100.1), RepeatedCount(105, 105), .unstable),
            (RepeatedCount(100, 100), RepeatedCount(104.9, 104.8), .unstable),
            (RepeatedCount(1_000, 1_000.15), RepeatedCount(1_009.9, 1_009.9), .unstable),
            (RepeatedCount(1_000, 1_000.15), RepeatedCount(1_010.3, 1_010.3), .worse),
            (RepeatedCount(1_000, 1_000), RepeatedCount(1_000, 1_000.2), .equivalent),
            (RepeatedCount(1_000.4, 1_000), RepeatedCount(1_001.9, 1_001.5), .equivalent),
            (RepeatedCount(1_000.4, 1_000), RepeatedCount(1_002.1, 1_001.5), .unstable),
            (RepeatedCount(1_001.5, 1_002.1), RepeatedCount(1_000.4, 1_000), .unstable),
        ])
    func unstableButFarApart(base: RepeatedCount, head: RepeatedCount, verdict: CountVerdict) {
        #expect(CountVerdict.judging(.callsUnderLock, base: base, head: head) == verdict)
    }

    @Test("joined counts reach from the lowest to the highest of both") func joined() {
        for (one, other) in [((1.0, 2.0), (3.0, 4.0)), ((4, 3), (2, 1)), ((2, 3), (4, 1)), ((1, 4), (3, 2))] {
            let joined = RepeatedCount(one.0, one.1).joined(with: RepeatedCount(other.0, other.1))
            #expect((joined.lowest, joined.highest) == (1, 4))
        }
    }

    @Test("what repeats almost is not judged exactly") func almost() {
        let base = RepeatedCount(1_000, 1_000.05)
        #expect(
            CountVerdict.judging(.allocatedBytes, base: base, head: RepeatedCount(1_000.1, 1_000.1)) == .equivalent)
        #expect(
            CountVerdict.judging(.allocatedBytes, base: base, head: RepeatedCount(1_000.2, 1_000.2)) == .worse)
    }

    @Test("a difference is counted again, and ignored if it does not repeat") func confirmation() throws {
        let base = ["a": BenchmarkCounts.exact([.allocations: 1]), "b": .exact([.allocations: 1])]
        let head = ["a": BenchmarkCounts.exact([.allocations: 2]), "b": .exact([.allocations: 1])]
        var asked: [[String]] = []
        func verdict(again: Double) throws -> CountVerdict? {
            let tables = try Counting.confirmed([base, head]) { names in
                asked.append(names)
                return [["a": .exact([.allocations: 1])], ["a": .exact([.allocations: again])]]
            }
            return CountComparison("a", base: tables[0]["a"], head: tables[1]["a"]).verdict(on: .allocations)
        }
        #expect(try verdict(again: 2) == .worse)
        #expect(try verdict(again: 1) == .unstable)
        #expect(asked == [["a"], ["a"]])
        let same = try Counting.confirmed([base, base]) { _ in
            Issue.record("nothing differs")
            return []
        }
        #expect(same == [base, base])
    }

    @Test("each metric has a unique name, and is found by it") func names() {
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
        for metric in Metric.all { #expect(Metric.named(metric.name) == metric) }
        #expect(Metric.named("time") == nil)
    }

    @Test("a count without a better direction is counted again as well") func changedAgain() throws {
        let tables = [["a": BenchmarkCounts.exact([.diskHits: 0.25])], ["a": .exact([.diskHits: 0.5])]]
        let counted = try Counting.confirmed(tables) { names in
            #expect(names == ["a"])
            return [["a": .exact([.diskHits: 0.25])], ["a": .exact([.diskHits: 0.25])]]
        }
        #expect(counted[1]["a"]?.values["disk hits"] == RepeatedCount(0.25, 0.5))
    }

    @Test("the first benchmark by name that failed or lied is the one that is told, a failure before its lies")
    func rejected() throws {
        var liar = BenchmarkCounts.exact([.misses: 1])
        liar.wrong = 3
        var both = BenchmarkCounts(failure: "crashed")
        both.wrong = 1
        #expect(throws: GaugeError("b: crashed")) { try Counting.rejectFailures(of: ["b": both, "c": liar]) }
        let wrong = #expect(throws: WrongAnswers.self) {
            try Counting.rejectFailures(of: ["c": both, "b": liar, "a": .exact([.misses: 1])])
        }
        #expect(wrong?.description == "b: it gives 3 wrong answers; run it alone to see them")
        #expect(throws: Never.self) { try Counting.rejectFailures(of: ["a": .exact([.misses: 1])]) }
    }
}
