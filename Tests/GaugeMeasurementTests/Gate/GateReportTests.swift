import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

@Suite("Report of the gate") struct GateReportTests {
    private static let decision = GateDecision(
        comparisons: [
            CountComparison(
                "cache-control/mix/tiered",
                base: .exact([.instructions: 378.5, .allocations: 0], functions: ["parse": 300]),
                head: .exact([.instructions: 382.25, .allocations: 0], functions: ["parse": 303.75])),
            CountComparison("new|row/<b>/c", base: nil, head: .exact([.writtenBytes: 4_096])),
        ])

    @Test("the table has a line for each count, and the functions below a regression") func table() {
        let text = GateTable().text(Self.decision.comparisons)
        #expect(
            text
                == """
                benchmark                 metric          base  current   change  verdict
                cache-control/mix/tiered  instructions   378.5   382.25  +0.99 %  WORSE
                                          allocations        0        0           equivalent
                    instructions by function, those that changed most:
                    +3.75  300 → 303.75  parse
                new|row/<b>/c             bytes written      –     4096           not comparable
                    the base has no such benchmark

                """, "\(text)")
        // A reason that lines share stands below the last of them.
        let new = CountComparison(
            "a/b/c", base: nil, head: .exact([.allocations: 1, .misses: 0.5, .evictingStores: 1]))
        let lines = GateTable().text([new]).split(separator: "\n")
        #expect(lines.count == 5 && lines.last == "    the base has no such benchmark")
    }

    @Test(
        "changes are written in as many digits as are judged",
        arguments: [
            (0.0, "="), (0.000_001, "="), (0.000_1, "+0.010 %"), (-0.002_1, "-0.21 %"), (0.01, "+1.00 %"),
            (12.0, "+1200 %"),
        ])
    func percent(change: Double, text: String) { #expect(GateTable.percent(change) == text) }

    @Test(
        "two counts that are judged different never read alike",
        arguments: [
            (0, 0.000_021_4, "0", "0.0000214"), (0.031_25, 0.031_251, "0.03125", "0.031251"),
            (100_000.1, 100_000.4, "100000.1", "100000.4"), (12.000_01, 12.000_04, "12.00001", "12.00004"),
        ])
    func digits(base: Double, head: Double, baseText: String, headText: String) throws {
        let comparison = CountComparison(
            "a/b/c", base: .exact([.worstSystemCalls: base]), head: .exact([.worstSystemCalls: head]))
        let line = try #require(comparison.lines.first)
        #expect(line.verdict == .worse)
        #expect(GateTable.cells(line)[1...2] == [baseText, headText])
        #expect(GitHubActions.annotations(.init(comparisons: [comparison]))[0].contains("\(baseText) → \(headText)"))
    }

    @Test("a count that is not a number, or smaller than a rounding error, is written all the same") func extremes() {
        #expect(GateTable.number(.nan).lowercased() == "nan")
        #expect(GateTable.number(-1e-300) == "0")
        #expect(GateTable.number(0.5) == "0.5")
    }

    @Test("Markdown shows what was found first, and nothing in it is taken for markup") func markdown() {
        let text = GateMarkdown.text(Self.decision, title: "Counts", titles: ("0123", "4567 <dirty>"))
        #expect(text.hasPrefix("### Counts\n\n2 benchmarks, 3 counts: 1 worse"))
        #expect(text.contains("| cache-control/mix/tiered | instructions | 378.5 | 382.25 | +0.99 % | WORSE |\n"))
        #expect(text.contains("| new\\|row/&lt;b&gt;/c | bytes written |"))
        #expect(text.contains("4567 &lt;dirty&gt;"))
        #expect(text.contains("| +3.75 | 300 | 303.75 | parse |"))
        #expect(text.split(separator: "<details>").count == 2)
    }

    @Test("an annotation stays one command whatever it says") func escaping() {
        #expect(
            GitHubActions.command("error", title: "a,b: 5 %", "x: y\r\n::error::z 5 %")
                == "::error title=a%2Cb%3A 5 %25::x: y%0D%0A::error::z 5 %25")
    }

    @Test("each regressed benchmark is an error, and all benchmarks not compared are one warning") func annotations() {
        #expect(
            GitHubActions.annotations(Self.decision) == [
                "::error title=cache-control/mix/tiered regressed::instructions 378.5 → 382.25 (+0.99 %25)"
                    + "%0Amost of it in parse: +3.75 instructions",
                "::warning title=1 count is not gated::new|row/<b>/c bytes written: not comparable: "
                    + "the base has no such benchmark",
            ])
    }

    @Test("a benchmark that fails or lies is told everywhere, beside the verdicts on the others")
    func failures() throws {
        var liar = BenchmarkCounts.exact([.misses: 9])
        liar.wrong = 3
        let head: [String: BenchmarkCounts] = [
            "a/lie/c": liar, "a/b/c": .exact([.misses: 2]), "a/crash/c": BenchmarkCounts(failure: "it crashed: a | b"),
        ]
        let base = ["a/lie/c": BenchmarkCounts.exact([.misses: 1]), "a/b/c": .exact([.misses: 1])]
        let judged = Counting.judged(head)
        let decision = GateDecision(
            comparisons: head.keys.sorted().map { CountComparison($0, base: base[$0], head: judged[$0]) },
            failures: Counting.failures(of: head), conditions: .init(required: [.misses]))
        #expect(decision.exitCode == .wrongAnswer && decision.missing.isEmpty)
        #expect(decision.regressions.map(\.benchmark) == ["a/b/c"])
        #expect(decision.summary == "3 benchmarks, 2 counts: 1 worse, 0 better, 0 unstable, 1 not comparable, 2 failed")
        #expect(
            GitHubActions.annotations(decision).prefix(3) == [
                "::error title=a/crash/c fails::it crashed: a | b",
                "::error title=a/lie/c fails::it gives 3 wrong answers; run it alone to see them",
                "::error title=a/b/c regressed::misses 1 → 2 (+100.0 %25)",
            ])
        let text = GateMarkdown.text(decision, title: "Counts", titles: ("old", "new"))
        #expect(text.contains("\n\n- a/crash/c: it crashed: a \\| b\n- a/lie/c: it gives 3 wrong answers; run"))
        let json = try GateDocument(titles: ("a", "b"), counts: decision, times: nil, exitCode: .wrongAnswer).json()
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        let failures = try #require(document["failures"]?.elements)
        #expect(failures.map { $0["benchmark"]?.string } == ["a/crash/c", "a/lie/c"])
        #expect(failures[0]["detail"]?.string == "it crashed: a | b")
    }

    @Test("an improvement is an error where it decides, with the remedy, and nothing otherwise")
    func improvements() throws {
        let better = CountComparison("a/b/c", base: .exact([.misses: 4]), head: .exact([.misses: 2]))
        let worse = CountComparison("a/w/c", base: .exact([.misses: 1]), head: .exact([.misses: 2]))
        func told(_ comparisons: [CountComparison], fails: Bool) -> [String] {
            GitHubActions.annotations(.init(comparisons: comparisons, conditions: .init(failsOnImprovement: fails)))
        }
        let error = "::error title=a/b/c got better::misses 4 → 2 (-50.00 %25)%0A\(GateDecision.improved)"
        #expect(told([better], fails: true) == [error])
        #expect(told([better], fails: false) == [])
        #expect(told([better, worse], fails: true).map { $0.contains("regressed") } == [true])
        let times = TimeDecision(rows: try [.better, .equivalent].map { try ExperimentRow(verdict: $0) }, delta: 0.01)
        let counts = GateDecision(comparisons: [], conditions: .init(failsOnImprovement: true))
        #expect(times.improved(beside: counts).count == 1)
        #expect(times.improved(beside: counts).first?.hasPrefix("::error title=a/better/c got better::time -") == true)
        #expect(times.improved(beside: GateDecision(comparisons: [])) == [])
        #expect(times.improved(beside: .init(comparisons: [worse], conditions: counts.conditions)) == [])
    }

    @Test("the summary is appended to the file of the job, and nothing is written anywhere else")
    func summary() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/summary.md"
        let written = Collected()
        let console = Console(write: { written.add($0) }, note: { written.add($0) })
        #expect(GitHubActions(console: console, environment: ["GITHUB_STEP_SUMMARY": path]) == nil)
        let actions = try #require(
            GitHubActions(console: console, environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": path]))
        try actions.tell(Self.decision, markdown: "one\n")
        try actions.tell(Self.decision, markdown: "two\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
        #expect(written.text.split(separator: "\n").count == 4)
    }

    @Test("a summary that cannot be written is a warning, and without a file the annotations are all")
    func noSummary() throws {
        let (results, notes) = (Collected(), Collected())
        let console = Console(write: { results.add($0) }, note: { notes.add($0) })
        for path in ["/no/such/folder/summary.md", ""] {
            let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": path]
            try GitHubActions(console: console, environment: environment)?.tell(annotations: ["a"], markdown: "one\n")
        }
        #expect(results.text == "a\na\n")
        #expect(notes.text == "warning: /no/such/folder/summary.md cannot be written: No such file or directory\n")
    }

    @Test("no more errors of a kind are written than GitHub shows, and one warning for the rest") func most() {
        let worse = (0..<12).map {
            CountComparison("a/\($0)/c", base: .exact([.allocations: 1]), head: .exact([.allocations: 2]))
        }
        var loose = BenchmarkCounts.exact([.misses: 0.5])
        loose.values["misses"] = RepeatedCount(0.5, 0.75)
        let open = [
            CountComparison("a/loose/c", base: .exact([.misses: 0.5]), head: loose),
            CountComparison("a/gone/c", base: .exact([.misses: 0.5]), head: nil),
        ]
        let decision = GateDecision(comparisons: worse + open, conditions: .init(required: [.instructions]))
        #expect(decision.summary.hasPrefix("14 benchmarks, 14 counts: 12 worse, 0 better, 1 unstable, 1 not "))
        let told = GitHubActions.annotations(decision)
        #expect(told.count { $0.contains(" regressed::") } == GitHubActions.mostAnnotations)
        #expect(told.count { $0.hasPrefix("::error title=not compared::") } == GitHubActions.mostAnnotations)
        #expect(told.count == 2 * GitHubActions.mostAnnotations + 1)
        #expect(
            told.last == "::warning title=2 counts are not gated::a/loose/c misses: unstable, not gated"
                + "%0Aa/gone/c misses: not comparable: the benchmark is gone")
    }

    @Test("an annotation names the function that changed most, and Markdown both builds, what is missing and no more")
    func details() {
        let comparison = CountComparison(
            "a/b/c", base: .exact([.instructions: 100, .misses: 0.5], functions: ["parse": 60, "hash": 30]),
            head: .exact([.instructions: 150, .misses: 0.5], functions: ["parse": 70, "hash": 70]))
        let decision = GateDecision(comparisons: [comparison], conditions: .init(required: [.allocations]))
        #expect(GitHubActions.annotations(decision)[0].hasSuffix("most of it in hash: +40 instructions"))
        let text = GateMarkdown.text(decision, title: "Counts", titles: ("old", "new"))
        #expect(text.contains("Base: old. Current: new.\n\n- a/b/c: allocations is required and was not counted\n\n|"))
        let parts = text.components(separatedBy: "<details>")
        #expect(!parts[0].contains("misses") && parts[1].contains("| a/b/c | misses | 0.5 | 0.5 | = | equivalent |"))
    }

    @Test("a count that does not repeat is shown as its range, and six digits are shown of the others")
    func numbers() throws {
        var loose = BenchmarkCounts.exact([.misses: 0.5])
        loose.values["misses"] = RepeatedCount(0.75, 0.5)
        let comparison = CountComparison("a/b/c", base: .exact([.misses: 0.5]), head: loose)
        let line = try #require(comparison.lines.first)
        #expect(GateTable.cells(line) == ["misses", "0.5", "0.5–0.75", "+25.00 %", "unstable, not gated"])
        for (value, text) in [
            (123_456.7, "123457"), (12_345.67, "12345.7"), (999.876, "999.88"), (9.87654, "9.8765"),
            (0.0123456, "0.012346"), (0.5, "0.5"), (-12.5, "-12.5"),
        ] {
            #expect(GateTable.number(value) == text)
        }
        #expect(GateTable.signed(-3.5) == "−3.5" && GateTable.signed(3.5) == "+3.5")
        for (change, text) in [(0.000_9, "+0.090 %"), (0.001, "+0.10 %"), (0.999, "+99.90 %"), (-1, "-100.0 %")] {
            #expect(GateTable.percent(change) == text)
        }
    }

    @Test("a summary on a full disk is a warning") func fullDisk() throws {
        let notes = Collected()
        let console = Console(write: { _ in }, note: { notes.add($0) })
        let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "/dev/full"]
        try GitHubActions(console: console, environment: environment)?.tell(annotations: [], markdown: "one\n")
        #expect(notes.text == "warning: /dev/full cannot be written: No space left on device\n")
    }

    @Test("counts that differ have as many decimals as tell them apart, sixteen at most") func decimals() {
        func shown(_ base: Double, _ head: Double, _ verdict: CountVerdict) -> [String] {
            let counts = GateTable.counts(
                .init(
                    metric: .misses, base: RepeatedCount(base, base), head: RepeatedCount(head, head),
                    verdict: verdict))
            return [counts.base, counts.head]
        }
        #expect(shown(123_456.25, 123_456.375, .worse) == ["123456.2", "123456.4"])
        #expect(shown(123_456.25, 123_456.375, .better) == ["123456.2", "123456.4"])
        #expect(shown(123_456.25, 123_456.375, .changed) == ["123456.2", "123456.4"])
        #expect(shown(123_456.25, 123_456.375, .equivalent) == ["123456", "123456"])
        #expect(shown(0.5, 0.5 + 1e-14, .worse) == ["0.50000000000000", "0.50000000000001"])
        #expect(shown(1e-20, 2e-20, .worse) == ["0", "0"])
    }

    /// `@unchecked Sendable`: one test on one thread uses it.
    private final class Collected: @unchecked Sendable {
        private(set) var text = ""
        func add(_ more: String) { text += more }
    }
}
