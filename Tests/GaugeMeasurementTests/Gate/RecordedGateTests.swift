import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Whole reports of a gate and of a comparison, with a finding of every kind.
@Suite("Recorded reports of the gate and of compare") struct RecordedGateTests {
    private static func counts(_ values: [Metric: Double], worst: [String: Double] = [:]) -> BenchmarkCounts {
        var counts = BenchmarkCounts.exact(values)
        counts.worstFunctions = worst.sorted { $0.key < $1.key }.map { .init(name: $0.key, perOperation: $0.value) }
        return counts
    }

    private static let series = GrowthSeries(
        name: "memory/hit/*/mine",
        members: [1_000, 10_000, 100_000].map { .init(benchmark: "memory/hit/\($0)/mine", entries: $0) })

    private static func growth(_ costs: [Double]) -> Growth? {
        let counts = zip(series.members, costs).map { member, cost in
            (
                member.benchmark,
                InstructionCount(
                    perOperation: cost, operations: 512, functions: [.init(name: "scan", perOperation: cost)])
            )
        }
        return Growth(of: series, counts: Dictionary(uniqueKeysWithValues: counts))
    }

    private static var decision: GateDecision {
        var loose = counts([.misses: 0.5])
        loose.values["misses"] = RepeatedCount(0.5, 0.75)
        loose.addNoInstructions(because: "no valgrind")
        let comparisons = [
            CountComparison(
                "date/imf/mine",
                base: .exact([.instructions: 300, .allocations: 2], functions: ["parse": 200, "a|b": 90]),
                head: .exact([.instructions: 333.25, .allocations: 1], functions: ["parse": 240, "a|b": 83.25])),
            CountComparison(
                "disk/store/mine",
                base: counts([.worstPercentInstructions: 500, .worstInstructions: 900, .diskHits: 0.25]),
                head: counts(
                    [.worstPercentInstructions: 700, .worstInstructions: 901, .diskHits: 0.5],
                    worst: ["tidy": 180, "write": 20])),
            CountComparison("disk/hit/mine", base: counts([.misses: 0.5]), head: loose),
            CountComparison("new/row/<mine>", base: nil, head: .exact([.writtenBytes: 4_096])),
            CountComparison(series, base: growth([310, 312, 320]), head: growth([330, 480, 1_990])),
        ]
        return GateDecision(
            comparisons: comparisons, conditions: .init(required: [.misses], failsOnImprovement: true, isStrict: true))
    }

    @Test("counts, as a table, in Markdown and as annotations") func counts() {
        let decision = Self.decision
        let (date, disk, unstable) = (decision.comparisons[0], decision.comparisons[1], decision.comparisons[2])
        #expect(date.verdict(on: .instructions) == .worse && date.verdict(on: .allocations) == .better)
        #expect(disk.verdict(on: .worstPercentInstructions) == .worse && disk.verdict(on: .diskHits) == .changed)
        #expect(disk.verdict(on: .worstInstructions) == .equivalent && unstable.verdict(on: .misses) == .unstable)
        let table = GateTable(titles: ("0123456", "the tree")).text(decision.comparisons)
        let text = [
            table, decision.summary, decision.missing.joined(separator: "\n"),
            GitHubActions.annotations(decision).joined(separator: "\n"),
        ].joined(separator: "\n\n")
        #expect(RecordedText.differences(of: text, from: "Reports/gate.txt") == [])
        let markdown = GateMarkdown.text(decision, title: "Counts of <it>", titles: ("0123456", "the | tree"))
        #expect(RecordedText.differences(of: markdown, from: "Reports/gate.md") == [])
    }

    @Test("times, as a table, in Markdown and as annotations") func times() throws {
        func row(_ name: String, _ set: (Int) throws -> SetRecord) throws -> ExperimentRow {
            var row = ExperimentRow(name, plan: LookPlan(benchmarks: 3), delta: 0.01)
            try row.extend(until: .max) { before in try set(before.count) }
            return row
        }
        func set(
            _ change: Double, same: Double = 0, layout: Double = 0, mean: Double? = nil, tail: Double? = nil
        ) -> SetRecord {
            SetRecord(change: change, same: same, layout: layout, mean: mean, p99: tail, obstacle: "too few")
        }
        let rows = try [
            row("a/slow/c") { set($0 % 2 == 0 ? 0.051 : 0.049, same: 0.002, layout: 0.004, tail: -0.3) },
            row("a/quick/c") { _ in set(-0.04, same: 0.001, layout: 0.003, tail: 0.2) },
            row("a/same/c") { _ in set(0.001, same: 0.003, layout: 0.002) },
            row("a/burst/c") { set(0.2, mean: $0 % 2 == 0 ? 0.051 : 0.049, tail: 0.2) },
            row("a/moved/c") { _ in set(0.001, same: 0.002, layout: 0.03) },
            row("a/noisy/c") { _ in set(0.001, same: 0.02, layout: 0.003) },
            row("a/broken/c") { _ in throw GaugeError("it crashed") },
        ]
        let decision = TimeDecision(rows: rows, delta: 0.01)
        #expect(decision.regressions == ["a/slow/c", "a/quick/c p99", "a/burst/c", "a/burst/c p99"])
        #expect(decision.improvements == ["a/slow/c p99", "a/quick/c"])
        #expect(decision.open == ["a/moved/c", "a/noisy/c", "a/broken/c"])
        let text = [
            decision.report.text(), decision.summary, decision.annotations.joined(separator: "\n"),
            decision.report.markdown,
        ].joined(separator: "\n\n")
        #expect(RecordedText.differences(of: text, from: "Reports/time.txt") == [])
    }

    @Test("a comparison, as a table and as JSON") func comparison() throws {
        let rows = [
            ComparedRow(
                name: "a/worse/c", verdict: .worse, ratio: 1.3, interval: 1.2...1.45, times: (12.3, 16.1), sets: 7),
            ComparedRow(
                name: "a/better/c", verdict: .better, ratio: 0.4, interval: 0.35...0.42, times: (800, 330), sets: 9,
                remarks: ["A gave 2 wrong answers", "2.0 → 3.0 allocations"]),
            ComparedRow(
                name: "a/equal/c", verdict: .equivalent, ratio: 1.001, interval: 0.999...1.003, times: (5, 5.1), sets: 8
            ),
            ComparedRow(name: "a/open/c", verdict: .inconclusive, remarks: ["it crashed"]),
        ]
        let report = ComparisonReport(
            titles: ("main, 0123456789ab", "the working tree"), rows: rows, delta: 0.015, limits: ["one", "two"])
        let text = report.text() + "\n" + (try report.json())
        #expect(RecordedText.differences(of: text, from: "Reports/compare.txt") == [])
        #expect(
            rows.map(ComparisonReport.sentence) == [
                "B ran 1.30 times slower than A (1.20 to 1.45).", "B ran 2.50 times faster than A (2.38 to 2.86).",
                "A and B take the same time.", nil,
            ])
    }
}
