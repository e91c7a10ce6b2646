import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// What was not counted within its time must not look like what did not change.
@Suite("Rows that are not counted in time") struct UncountedRowsTests {
    private static let reason = "an operation takes 6.0 s"
    private static let late = "its worker timed out"

    private static let fast: BenchmarkCounts = {
        var counts = BenchmarkCounts()
        for metric in [Metric.allocations, .instructions, .systemCalls] {
            counts.values[metric.name] = RepeatedCount(7, 7)
        }
        return counts
    }()
    private static let slow: BenchmarkCounts = {
        var counts = BenchmarkCounts()
        counts.values[Metric.allocations.name] = RepeatedCount(7, 7)
        counts.addNoInstructions(because: reason)
        return counts
    }()

    private static func decision(
        _ base: BenchmarkCounts, _ head: BenchmarkCounts, required: [Metric] = [], isStrict: Bool = false
    ) -> GateDecision {
        GateDecision(
            comparisons: [CountComparison("a/b/c", base: base, head: head)],
            conditions: GateDecision.Conditions(required: required, isStrict: isStrict))
    }

    @Test("instructions of slow operations are told with their reason, whichever build has them")
    func slowOperations() {
        for (base, head) in [(Self.slow, Self.slow), (Self.fast, Self.slow), (Self.slow, Self.fast)] {
            let decision = Self.decision(base, head)
            #expect(decision.comparisons[0].verdict(on: .instructions) == .notComparable(Self.reason))
            #expect(decision.incomparable.map(\.line.metric) == [.instructions, .systemCalls])
            #expect(decision.summary.hasSuffix("0 unstable, 2 not comparable") && decision.exitCode == .ok)
            #expect(Self.decision(base, head, isStrict: true).exitCode == .inconclusive)
            #expect(Self.decision(base, head, required: [.instructions]).exitCode == .missingBaseline)
        }
        #expect(Self.decision(Self.fast, Self.fast, required: [.instructions], isStrict: true).exitCode == .ok)
    }

    @Test("a base that was not counted in time leaves each count of this build without a verdict") func lateBase() {
        let decision = Self.decision(BenchmarkCounts(failure: Self.late), Self.fast)
        #expect(decision.incomparable.count == 3 && decision.count == 3)
        #expect(decision.comparisons[0].lines.allSatisfy { $0.verdict == .notComparable(Self.late) })
    }

    @Test("a build that differs, and is not counted in time again, is not called unchanged") func lateRecount() throws {
        var worse = Self.fast
        worse.values[Metric.allocations.name] = RepeatedCount(9, 9)
        let tables = [["a/b/c": Self.fast], ["a/b/c": worse]]
        let late = ["a/b/c": BenchmarkCounts(failure: Self.late)]
        let base = try Counting.confirmed(tables) { _ in [late, tables[1]] }
        let decision = Self.decision(try #require(base[0]["a/b/c"]), try #require(base[1]["a/b/c"]))
        #expect(decision.incomparable.count == 3 && decision.regressions.isEmpty)
        let head = try Counting.confirmed(tables) { _ in [tables[0], late] }
        #expect(throws: GaugeError.self) { try Counting.rejectFailures(of: head[1]) }
    }
}
