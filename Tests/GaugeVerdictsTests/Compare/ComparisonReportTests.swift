import Foundation
import Testing

@testable import GaugeReports
@testable import GaugeSupport
@testable import GaugeVerdicts

@Suite("Report of a comparison")
struct ComparisonReportTests {
    private static func row(_ kind: PairedVerdict.Kind, _ ratio: Double, _ interval: ClosedRange<Double>) -> ComparedRow
    {
        ComparedRow(
            name: "date/imf/tiered", kind: kind, ratio: ratio, interval: interval, times: (8, 8 * ratio), sets: 12)
    }

    @Test(
        "one sentence says which side is faster, by how much, and how sure that is",
        arguments: [
            (row(.slower, 1.0102, 1.0081...1.0123), "B ran 1.010 times slower than A (1.008 to 1.012)."),
            (row(.faster, 0.11, 0.1...0.125), "B ran 9.09 times faster than A (8.00 to 10.0)."),
            (row(.equivalent, 1, 0.999...1.001), "A and B take the same time."),
        ])
    func sentences(row: ComparedRow, sentence: String) {
        #expect(ComparisonReport.sentence(row) == sentence)
    }

    @Test("the report fits 100 columns, and counts the verdicts")
    func text() {
        let long = Self.row(.slower, 80, 79...81)
        let report = ComparisonReport(
            titles: ("main, 0123456789ab", "the working tree"), rows: [long, Self.row(.equivalent, 1, 0.999...1.001)],
            delta: 0.005)
        #expect(report.text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(report.text)")
        #expect(report.text.contains("2 rows: 1 slower, 1 equivalent within 0.50 %\n"), "\(report.text)")
        #expect(report.text.contains("80.0×"), "\(report.text)")
    }

    @Test("the JSON has the ratio, its interval and the verdict of each row")
    func json() throws {
        let report = ComparisonReport(titles: ("a", "b"), rows: [Self.row(.slower, 1.5, 1.25...1.75)], delta: 0.005)
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(try report.json().utf8))
        let row = try #require(document["rows"]?.elements.first)
        #expect(row["verdict"]?.string == "slower")
        #expect([row["ratio"], row["ratio_low"], row["ratio_high"]].map { $0?.double } == [1.5, 1.25, 1.75])
    }
}

@Suite("Comparison of files")
struct FileComparisonTests {
    private static func side(
        _ title: String, median: Double, reach: Double = 0.001, context: [String: JSONValue] = [:],
        more: [String: JSONValue] = [:]
    ) throws -> FileComparison.Side {
        let entry: [String: JSONValue] = [
            "name": .text("date/imf/tiered"), "run_type": .text("iteration"), "median": .number(median),
            "median_low": .number(median * (1 - reach)), "median_high": .number(median * (1 + reach)),
        ].merging(more) { $1 }
        let row = try #require(ReportedRow(.object(entry)))
        return FileComparison.Side(title: title, context: .object(context), rows: [row])
    }

    @Test("times differ when the joint interval of both runs excludes equality")
    func verdicts() throws {
        let base = try Self.side("a", median: 100)
        for (median, kind) in [(101.0, PairedVerdict.Kind.slower), (99, .faster), (100.1, .equivalent)] {
            let report = FileComparison(base, try Self.side("b", median: median), delta: 0.005).report
            #expect(report.rows.map(\.kind) == [kind])
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
        #expect(report.rows.map(\.kind) == [.inconclusive])
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
        #expect(row["ratio"]?.double == report.rows[0].ratio && row["verdict"]?.string == "slower")
        #expect(row["ratio_low"]?.double == interval.lowerBound && row["ratio_high"]?.double == interval.upperBound)
        #expect(row["a_ns"]?.double == 100 && row["b_ns"]?.double == 150 && json["level"]?.double == 0.95)
        #expect(json["a"]?.string == "a" && json["b"]?.string == "b" && json["delta"]?.double == 0.005)
    }

    @Test(
        "a condition that differs takes the verdict away",
        arguments: [
            "cpu_model", "num_cpus", "kernel", "library_build_type", "seed", "memory_capacity", "disk_capacity",
            "workload", "file_system",
        ])
    func conditions(name: String) throws {
        func side(_ value: String) throws -> FileComparison.Side {
            try Self.side("x", median: value == "1" ? 100 : 200, context: [name: .text(value), "date": .text(value)])
        }
        #expect(FileComparison(try side("1"), try side("2"), delta: 0.005).differences.count == 1)
        #expect(FileComparison(try side("1"), try side("2"), delta: 0.005).report.rows[0].kind == .inconclusive)
        #expect(FileComparison(try side("1"), try side("1"), delta: 0.005).differences.isEmpty)
    }

    @Test("runs of different machines get no verdict, and the report says why")
    func machines() throws {
        let report = FileComparison(
            try Self.side("a", median: 100, context: ["cpu_model": .text("one")]),
            try Self.side("b", median: 200, context: ["cpu_model": .text("another")]), delta: 0.005
        ).report
        #expect(report.rows.map(\.kind) == [.inconclusive])
        #expect(report.limits[0].contains("the runs differ in processor"))
    }

    @Test("counts are compared as well, since they do not depend on the machine's speed")
    func counts() throws {
        let report = FileComparison(
            try Self.side("a", median: 100, more: ["allocations_per_operation": .number(2)]),
            try Self.side("b", median: 100, more: ["allocations_per_operation": .number(3)]), delta: 0.005
        ).report
        #expect(report.rows[0].remarks == ["2.0 → 3.0 allocations"])
    }

    @Test("a file without times is refused")
    func refused() throws {
        #expect(throws: GaugeError.self) { try FileComparison.Side(path: "/nowhere.json") }
    }
}
