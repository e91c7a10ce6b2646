import Foundation
import GaugeMeasurement
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

@Suite("Decisions as JSON") struct GateDocumentTests {
    @Test("each count and each figure of time has its verdict in the same four words, with its figures and reasons")
    func whole() throws {
        var loose = BenchmarkCounts.exact([.misses: 0.5])
        loose.values["misses"] = RepeatedCount(0.5, 0.75)
        let counts = GateDecision(comparisons: [
            CountComparison("a/b/c", base: .exact([.allocations: 2]), head: .exact([.allocations: 3])),
            CountComparison("a/loose/c", base: .exact([.misses: 0.5]), head: loose),
            CountComparison("a/new/c", base: nil, head: .exact([.misses: 0.5])),
        ])
        var row = ExperimentRow("a/b/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        try row.extend(until: .max) { _ in SetRecord(change: 0.5, mean: 0.05, p99: 0) }
        let times = TimeDecision(rows: [row, try ExperimentRow(verdict: .inconclusive)], delta: 0.01)
        let text = try GateDocument(
            titles: ("old", "new"), counts: counts, times: times, exitCode: times.exitCode(beside: counts)
        ).json()
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(document["schema"]?.double == 1 && document["exit_code"]?.double == 2)
        #expect(document["base"]?.string == "old" && document["current"]?.string == "new")
        let lines = try #require(document["counts"]?.elements)
        #expect(lines.map { $0["verdict"]?.string } == ["worse", "inconclusive", "inconclusive"])
        #expect(lines[0]["base"]?.double == 2 && lines[0]["current"]?.double == 3 && lines[0]["change"]?.double == 0.5)
        #expect(lines[0]["metric"]?.string == "allocations" && lines[0]["benchmark"]?.string == "a/b/c")
        #expect(lines.map { $0["detail"]?.string } == [nil, "unstable, not gated", "the base has no such benchmark"])
        let figures = try #require(document["times"]?.elements)
        #expect(figures.map { $0["figure"]?.string } == ["time", "p99", "pause", "time"])
        #expect(figures.map { $0["verdict"]?.string } == ["worse", "equivalent", "equivalent", "inconclusive"])
        #expect(figures[0]["judged"]?.string == "bursts" && figures[0]["sets"]?.double == 8)
        #expect(abs((figures[0]["change"]?.double ?? 0) - expm1(0.05)) < 1e-9)
        #expect(figures[3]["detail"]?.string == "it is not measured" && figures[3]["low"] == nil)
    }

    @Test("a check of counts alone has no times") func counts() throws {
        let text = try GateDocument(
            titles: ("a", "b"), counts: GateDecision(comparisons: []), times: nil, exitCode: .ok
        ).json()
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(document["counts"]?.elements.isEmpty == true && document["times"] == nil)
    }
}
