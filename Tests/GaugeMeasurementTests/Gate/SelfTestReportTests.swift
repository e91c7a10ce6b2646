import TestSupport
import Testing

@testable import GaugeMeasurement

/// The whole table of a self-test of the gate, in figures that all differ.
@Suite("Report of a self-test of the gate") struct SelfTestReportTests {

    /// The names of the benchmarks differ after more than 64 characters.
    private static let stage = String(repeating: "stage-", count: 11)

    private static func decisions(
        _ name: String, planted: Double = 0, tail: Verdict? = nil, _ verdicts: [(Verdict, Int)], failed: Int = 0
    ) -> [SelfTestRecord.Decision] {
        let all = verdicts.flatMap { Array(repeating: $0.0, count: $0.1) }
        return (all + Array(repeating: .worse, count: failed)).enumerated().map { number, verdict in
            SelfTestRecord.Decision(
                benchmark: stage + name, planted: planted, verdict: verdict, doubt: nil, change: nil, low: nil,
                high: nil,
                same: nil, layout: nil, resolution: name == "a" ? 0.001 * Double(number) : nil, sets: 8,
                failure: number < all.count ? nil : "it crashed", tail: tail)
        }
    }

    private static let records: [SelfTestRecord.Line] = [
        .settings(.init(seed: 1, delta: 0.025, seconds: 40, benchmarks: [stage + "b", stage + "a"])),
        .instructions(.init(benchmark: stage + "b", size: 0.03, without: 400, with: 413)),
        .instructions(.init(benchmark: stage + "a", size: 0.1, without: 1_000, with: 1_098)),
        .round(
            .init(
                number: 0, seconds: 21.26,
                decisions: decisions(
                    "a", [(.worse, 1), (.better, 2), (.equivalent, 30), (.inconclusive, 4)], failed: 5))),
        .round(
            .init(
                number: 1, seconds: 33.14,
                decisions: decisions("b", tail: .equivalent, [(.better, 3), (.equivalent, 11)], failed: 2)
                    + decisions("a", planted: 0.01, tail: .inconclusive, [(.worse, 6), (.inconclusive, 7)]))),
        .round(
            .init(
                number: 2, seconds: 25.55,
                decisions: decisions("b", planted: 0.1, tail: .better, [(.worse, 19), (.equivalent, 1)])
                    + decisions("b", planted: 0.03, tail: .worse, [(.better, 2), (.worse, 8)], failed: 1))),
    ]

    @Test("each size has its line, clean decisions theirs, and benchmarks, tails and instructions their tables")
    func whole() {
        let text = SelfTestReport(Self.records).markdown.replacing(Self.stage, with: "")
        // Counted by hand: decisions and those detected, clean decisions and false regressions, and the rest of these.
        for part in [
            "\n| +1.0 % | 13 | 6 |", "\n| +3.0 % | 11 | 8 |", "\n| +10.0 % | 20 | 19 |", "\n| 58 | 1 |",
            "| 41 | 11 | 5 |\n", "\n| b | 16 | 0 | 11 | 2 |", "\n| a | 42 | 1 | 30 | 9 |",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(RecordedText.differences(of: text, from: "Reports/gate-self-test.md") == [])
    }

    @Test("a log without rounds has a table without figures") func empty() {
        let text = SelfTestReport([]).markdown
        #expect(text.hasPrefix("# The time gate, tested\n"))
        #expect(text.contains("\n| 0 | 0 | 100.0 % | 0 | 0 | 0 |\n"), "\(text)")
        #expect(!text.contains("rounds of") && !text.contains("99th") && !text.contains("callgrind"))
    }
}
