import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Report of a comparison") struct ComparisonReportTests {
    private static func row(_ kind: Verdict, _ ratio: Double, _ interval: ClosedRange<Double>) -> ComparedRow {
        ComparedRow(
            name: "date/imf/tiered", verdict: kind, ratio: ratio, interval: interval, times: (8, 8 * ratio), sets: 12)
    }

    @Test(
        "one sentence says which side is faster, by how much, and how sure that is",
        arguments: [
            (row(.worse, 1.0102, 1.0081...1.0123), "B ran 1.010 times slower than A (1.008 to 1.012)."),
            (row(.better, 0.11, 0.1...0.125), "B ran 9.09 times faster than A (8.00 to 10.0)."),
            (row(.worse, 1.15, 1.1...1.25), "B ran 1.150 times slower than A (1.100 to 1.25)."),
            (row(.equivalent, 1, 0.999...1.001), "A and B take the same time."),
        ])
    func sentences(row: ComparedRow, sentence: String) {
        #expect(ComparisonReport.sentence(row) == sentence)
    }

    @Test("the report fits 100 columns, and counts the verdicts") func text() {
        let long = Self.row(.worse, 80, 79...81)
        let report = ComparisonReport(
            titles: ("main, 0123456789ab", "the working tree"), rows: [long, Self.row(.equivalent, 1, 0.999...1.001)],
            delta: 0.005)
        #expect(report.text().split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(report.text())")
        #expect(report.text().contains("2 rows: 1 worse, 1 equivalent within 0.50 %\n"), "\(report.text())")
        #expect(report.text().contains("80.0×"), "\(report.text())")
    }

    @Test("each figure stands in its own column, and a sentence is for one row alone") func columns() throws {
        var row = ComparedRow(
            name: "a/b/c", verdict: .worse, ratio: 1.3, interval: 0.9...2.5, times: (12.3, 45.6), sets: 7,
            remarks: ["A gave 2 wrong answers"])
        let one = ComparisonReport(titles: ("left", "right"), rows: [row], delta: 0.02)
        let lines = one.text().split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines[0...1] == ["A left", "B right"])
        #expect(
            lines[2...3] == [
                "B against A verdict time 99 % A B sets",
                "a/b/c worse +30.0 % -10.0 % to 2.50× 12.3 ns 45.6 ns 7",
            ])
        #expect(lines[4] == "a/b/c: A gave 2 wrong answers" && lines[5].hasPrefix("B ran 1.30 times slower than A"))
        #expect(lines[6] == "1 row: 1 worse")
        row.remarks = []
        let two = ComparisonReport(titles: ("left", "right"), rows: [row, row], delta: 0.02)
        #expect(!two.text().contains("B ran ") && two.summary == "2 rows: 2 worse")
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(try one.json().utf8))
        let entry = try #require(json["rows"]?.elements.first)
        #expect(entry["remarks"]?.elements.map(\.string) == ["A gave 2 wrong answers"])
        #expect(entry["sets"]?.double == 7 && json["level"]?.double == 0.99)
        #expect(entry["a_ns"]?.double == 12.3 && entry["b_ns"]?.double == 45.6)
    }

    @Test("the JSON has the ratio, its interval and the verdict of each row") func json() throws {
        let report = ComparisonReport(titles: ("a", "b"), rows: [Self.row(.worse, 1.5, 1.25...1.75)], delta: 0.005)
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(try report.json().utf8))
        let row = try #require(document["rows"]?.elements.first)
        #expect(row["verdict"]?.string == "worse")
        #expect([row["ratio"], row["ratio_low"], row["ratio_high"]].map { $0?.double } == [1.5, 1.25, 1.75])
    }
}

@Suite("Comparison of files") struct FileComparisonTests {
    private static func side(
        _ title: String, median: Double, reach: Double = 0.001, context: [String: JSONValue] = [:],
        more: [String: JSONValue] = [:]
    ) throws -> ReportedRun {
        let entry: [String: JSONValue] = [
            "name": .text("date/imf/tiered"), "run_type": .text("iteration"), "median": .number(median),
            "median_low": .number(median * (1 - reach)), "median_high": .number(median * (1 + reach)),
        ].merging(more) { $1 }
        let row = try #require(ReportedRow(.object(entry)))
        return ReportedRun(name: title, context: .object(context), rows: [row])
    }

    @Test("times differ when the joint interval of both runs excludes equality") func verdicts() throws {
        let base = try Self.side("a", median: 100)
        for (median, kind) in [(101.0, Verdict.worse), (99, .better), (100.1, .equivalent)] {
            let report = FileComparison(base, try Self.side("b", median: median), delta: 0.005).report
            #expect(report.rows.map(\.verdict) == [kind])
            #expect(!report.limits.isEmpty)
        }
    }

    @Test("a difference below the noise of either run gets no verdict", arguments: [false, true])
    func noise(isFirst: Bool) throws {
        let noise: [String: JSONValue] = ["noise": .object(["smallest_difference": .number(0.3)])]
        let report = FileComparison(
            try Self.side("a", median: 100, context: isFirst ? noise : [:]),
            try Self.side("b", median: 120, context: isFirst ? [:] : noise), delta: 0.005
        ).report
        #expect(report.rows.map(\.verdict) == [.inconclusive])
        let interval = try #require(report.rows[0].interval)
        #expect(abs(interval.lowerBound - 1.2 / 1.3) < 1e-9 && abs(interval.upperBound - 1.2 * 1.3) < 1e-9)
    }

    @Test("the interval joins both runs' intervals, of 95 %, and the report holds each figure under its name")
    func joined() throws {
        let report = FileComparison(
            try Self.side("a", median: 100, reach: 0.01), try Self.side("b", median: 150, reach: 0.02), delta: 0.005
        ).report
        // The lower end of a run's interval is the farther one.
        let reach = (pow(log(1 / 0.99), 2) + pow(log(1 / 0.98), 2)).squareRoot()
        let interval = try #require(report.rows[0].interval)
        #expect(abs(interval.lowerBound - 1.5 * exp(-reach)) < 1e-9)
        #expect(abs(interval.upperBound - 1.5 * exp(reach)) < 1e-9)
        #expect(report.level == 0.95)
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(try report.json().utf8))
        let row = try #require(json["rows"]?.elements.first)
        #expect(row["ratio"]?.double == report.rows[0].ratio && row["verdict"]?.string == "worse")
        #expect(row["ratio_low"]?.double == interval.lowerBound && row["ratio_high"]?.double == interval.upperBound)
        #expect(row["a_ns"]?.double == 100 && row["b_ns"]?.double == 150 && json["level"]?.double == 0.95)
        #expect(json["a"]?.string == "a" && json["b"]?.string == "b" && json["delta"]?.double == 0.005)
    }

    @Test(
        "a condition that differs takes the verdict away",
        arguments: [
            "cpu_model", "num_cpus", "kernel", "library_build_type", "seed", "memory_capacity", "disk_capacity",
            "workload", "file_system", "preloaded",
        ])
    func conditions(name: String) throws {
        func side(_ value: String) throws -> ReportedRun {
            try Self.side("x", median: value == "1" ? 100 : 200, context: [name: .text(value), "date": .text(value)])
        }
        #expect(FileComparison(try side("1"), try side("2"), delta: 0.005).differences.count == 1)
        #expect(FileComparison(try side("1"), try side("2"), delta: 0.005).report.rows[0].verdict == .inconclusive)
        #expect(FileComparison(try side("1"), try side("1"), delta: 0.005).differences.isEmpty)
    }

    @Test("a file that does not say that no library was preloaded is like one that says so") func preloaded() {
        func differences(_ a: JSONValue?, _ b: JSONValue?) -> [String] {
            RunConditions.differences(
                .object(a.map { ["preloaded": $0] } ?? [:]), .object(b.map { ["preloaded": $0] } ?? [:]))
        }
        let library = JSONValue.list([.text("libjemalloc.so.2")])
        #expect(differences(nil, .list([])).isEmpty && differences(library, library).isEmpty)
        for other in [nil, JSONValue.list([])] { #expect(differences(other, library) == ["preloaded libraries"]) }
    }

    @Test("runs of different machines get no verdict, and the report says why") func machines() throws {
        let report = FileComparison(
            try Self.side("a", median: 100, context: ["cpu_model": .text("one")]),
            try Self.side("b", median: 200, context: ["cpu_model": .text("another")]), delta: 0.005
        ).report
        #expect(report.rows.map(\.verdict) == [.inconclusive])
        #expect(report.limits[0].contains("the runs differ in processor"))
    }

    @Test("wrong answers and failures of either file are told of, unless they are a peer's") func judged() throws {
        let right = try Self.side("a", median: 100)
        for (more, isWrong, hasFailed) in [
            (["wrong": JSONValue.whole(2)], true, false), (["error_message": .text("crashed")], false, true),
            (["wrong": .whole(2), "peer": .flag(true)], false, false),
            (["error_message": .text("crashed"), "peer": .flag(true)], false, false),
        ] {
            let other = try Self.side("b", median: 100, more: more)
            for comparison in [FileComparison(right, other, delta: 0.1), FileComparison(other, right, delta: 0.1)] {
                #expect(comparison.hasWrongAnswers == isWrong && comparison.hasFailures == hasFailed, "\(more)")
            }
        }
        #expect(!FileComparison(right, right, delta: 0.1).hasWrongAnswers)
    }

    @Test("counts are compared as well, since they do not depend on the machine's speed") func counts() throws {
        let report = FileComparison(
            try Self.side("a", median: 100, more: ["allocations_per_operation": .number(2)]),
            try Self.side("b", median: 100, more: ["allocations_per_operation": .number(3)]), delta: 0.005
        ).report
        #expect(report.rows[0].remarks == ["2.0 → 3.0 allocations"])
        func remarks(_ before: Double, _ after: Double) throws -> Int {
            FileComparison(
                try Self.side("a", median: 100, more: ["instructions_per_operation": .number(before)]),
                try Self.side("b", median: 100, more: ["instructions_per_operation": .number(after)]), delta: 0.005
            ).report.rows[0].remarks.count
        }
        #expect(try remarks(1_000, 1_000.09) == 0 && remarks(1_000, 1_000.11) == 1 && remarks(1_000, 999.89) == 1)
        #expect(try remarks(1, 1.004) == 0 && remarks(1, 1.006) == 1)
    }

    @Test("wrong answers and failures are told, and take the verdict away, except for wrong answers of a peer")
    func troubles() throws {
        func rows(_ a: [String: JSONValue], _ b: [String: JSONValue]) throws -> ComparedRow {
            let sides = (try Self.side("a", median: 100, more: a), try Self.side("b", median: 50, more: b))
            return try #require(FileComparison(sides.0, sides.1, delta: 0.005).report.rows.first)
        }
        #expect(try rows(["wrong": .whole(0)], [:]).verdict == .better)
        let (lie, peer): ([String: JSONValue], [String: JSONValue]) = (["wrong": .whole(3)], ["peer": .flag(true)])
        #expect(try rows(lie, [:]).remarks == ["A gave 3 wrong answers"])
        #expect(try rows([:], lie).remarks == ["B gave 3 wrong answers"])
        #expect(try rows(lie, [:]).verdict == .inconclusive && rows([:], lie).verdict == .inconclusive)
        let peers = try rows(peer, lie.merging(peer) { $1 })
        #expect(peers.verdict == .better && peers.remarks == ["B gave 3 wrong answers"])
        let failure: [String: JSONValue] = ["error_message": .text("crashed (SIGSEGV)")]
        for isFirst in [true, false] {
            let row = try rows(isFirst ? failure.merging(peer) { $1 } : peer, isFirst ? peer : failure)
            #expect(row.verdict == .inconclusive)
            #expect(row.remarks == ["\(isFirst ? "A" : "B") failed: crashed (SIGSEGV)"])
        }
    }

    @Test("undisturbed times are compared at one clock rate, and with typical ones not at all") func clocks() throws {
        func side(_ gigahertz: Double, _ time: String) throws -> ReportedRun {
            let noise: JSONValue = .object(["reference_clock_ghz": .number(gigahertz)])
            return try Self.side("x", median: 300, context: ["noise": noise], more: [time: .number(100)])
        }
        // 100 ns are 200 cycles at 2 GHz, and 300 at 3 GHz.
        let change = FileComparison(try side(2, "undisturbed"), try side(3, "undisturbed"), delta: 0.005).report.rows[0]
        #expect(abs(try #require(change.ratio) - 1.5) < 1e-9)
        // Both times are told for A's clock, so that their ratio is the one beside them.
        let (a, b) = (try #require(change.times.a), try #require(change.times.b))
        #expect(a == 100 && abs(b - 150) < 1e-9)
        let same = FileComparison(try side(2, "median"), try side(3, "median"), delta: 0.005).report
        #expect(same.limits.contains { $0.contains("taken at 3.00 GHz, are told for A's 2.00 GHz") })
        let mixed = FileComparison(try side(2, "undisturbed"), try side(3, "over_sets"), delta: 0.005).report.rows[0]
        #expect(mixed.verdict == .inconclusive && mixed.ratio == nil && mixed.times.a == 100 && mixed.times.b == 100)
        #expect(mixed.remarks == ["only one of them saw the machine at full speed"])
    }

    @Test("benchmarks that either file lacks are counted", arguments: [false, true])
    func missing(isFirst: Bool) throws {
        let (whole, none) = (
            try Self.side("x", median: 100), ReportedRun(name: "y", context: .object([:]), rows: [])
        )
        let report = (isFirst ? FileComparison(none, whole, delta: 0.1) : FileComparison(whole, none, delta: 0.1))
            .report
        #expect(report.rows.isEmpty)
        #expect(report.limits.last == "The times of 1 benchmarks that only one of the files has.")
    }

    @Test("a file without times is refused") func refused() throws {
        #expect(throws: GaugeError.self) { try ReportedRun(path: "/nowhere.json") }
    }
}
