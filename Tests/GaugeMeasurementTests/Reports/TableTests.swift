import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Table of results") struct TableTests {
    @Test(
        "a time has three digits and a unit",
        arguments: [
            (0.27, "0.27 ns"), (9.994, "9.99 ns"), (9.996, "10.0 ns"), (12.34, "12.3 ns"), (99.96, "100 ns"),
            (999.4, "999 ns"), (999.6, "1.00 µs"), (1_240, "1.24 µs"), (342_000_000, "342 ms"), (2.5e9, "2.50 s"),
            (0, "0.00 ns"),
        ])
    func aTimeHasThreeDigitsAndAUnit(nanoseconds: Double, text: String) {
        #expect(Quantity.time(nanoseconds) == text)
    }

    @Test(
        "a rate has three digits and a unit",
        arguments: [(81_300_000, "81.3 M"), (2.92, "2.92"), (412_000, "412 k"), (3.59e9, "3.59 G")])
    func aRateHasThreeDigitsAndAUnit(perSecond: Double, text: String) {
        #expect(Quantity.rate(perSecond) == text)
    }

    @Test(
        "a number for one operation is exact if it is whole",
        arguments: [(0, "0"), (0.001, "<0.01"), (0.03, "0.03"), (1, "1"), (0.999, "1"), (17.72, "17.72")])
    func aNumberForOneOperationIsExactIfItIsWhole(number: Double, text: String) {
        #expect(Quantity.each(number) == text)
    }

    private func row(_ name: BenchmarkName, failure: WorkerFailure? = nil) -> ResultRow {
        var row = ResultRow(name: name, isPeer: false)
        row.failure = failure
        guard failure == nil else { return row }
        (row.minimum, row.median, row.interval) = (123.4e6, 124.5e6, 124.1e6...999.4e6)
        (row.operationsPerSecond, row.ratio, row.operations) = (123.4e6, 12_345, 10)
        row.counters = Counters()
        row.counters?.allocations = 1_777
        return row
    }

    private func lines(
        _ rows: ResultRow..., width: Int = 100, countsInstructions: Bool = false, isColoured: Bool = false
    )
        -> [String]
    {
        RunTable.text(
            rows, .whole, countsInstructions: countsInstructions, width: width, isColoured: isColoured
        ).split(separator: "\n").map(String.init)
    }

    @Test("at every width the lines fit, and what matters most stays", arguments: [60, 80, 100, 140])
    func widths(width: Int) {
        let name = BenchmarkName("two-tier", "zipf-memory-hit", "dictionary-lru")
        let lines = lines(row(name), width: width, countsInstructions: true)
        #expect(lines.dropFirst().allSatisfy { $0.count <= width }, "\(lines)")
        for word in ["benchmark", "time", "ops/s", "ratio"] { #expect(lines.contains { $0.contains(word) }) }
        #expect(lines.contains { $0.contains("typical") } == (width >= 140))
    }

    @Test("colours come in pairs and change nothing else") func coloursComeInPairsAndChangeNothingElse() {
        let name = BenchmarkName("disk", "store/4k", "foundation")
        let failed = row(name, failure: .crashed(signal: 11))
        let (plain, coloured) = (lines(failed), lines(failed, isColoured: true))
        #expect(coloured.map { $0.replacing(/\u{1B}\[\d+m/, with: "") } == plain)
        #expect(coloured.last?.hasSuffix("\u{1B}[0m") == true)
        #expect(plain.last?.hasSuffix("crashed (SIGSEGV)") == true)
    }

    @Test("figures stand below the table") func figuresStandBelowTheTable() throws {
        var row = row(BenchmarkName("two-tier", "zipf", "tiered"))
        row.figures = [
            Figure("hit ratio", 0.7134, .ratio), Figure("bytes written", 4_096, .bytes), Figure("evictions", 3),
        ]
        #expect(
            RunTable.figures([row]) == "two-tier/zipf/tiered  hit ratio 71.3 %, bytes written 4 KiB, evictions 3\n")
        #expect(RunTable.value(Figure("opening", 1_500, .nanoseconds)) == "1.50 µs")
    }

    @Test("instructions have a column when they are counted, and a dash where they could not be") func instructions() {
        var counted = row(BenchmarkName("date", "imf", "tiered"))
        #expect(lines(counted, width: 140, countsInstructions: true).last?.hasSuffix("       –      0") == true)
        counted.instructions = InstructionCount(perOperation: 38.25, operations: 1_000, functions: [])
        #expect(lines(counted, width: 140, countsInstructions: true).last?.hasSuffix("    38.2      0") == true)
    }

    @Test("percentiles stand below the table with their error, as far as there are operations enough")
    func tails() throws {
        var histogram = Histogram()
        for value in 1...1_000 { histogram.add(nanoseconds: UInt64(value)) }
        var row = row(BenchmarkName("disk", "hit/4k", "tiered"))
        row.operations = 1_000
        row.percentiles = Percentile.reported.compactMap { Percentile($0, of: histogram) }
        row.quantiles = ResultRow.curve.compactMap { histogram.quantile($0) }
        (row.median, row.maximum) = (500, 1_000)
        let lines = RunTable.tails([row]).split(separator: "\n").map { $0.split(separator: " ") }
        #expect(
            lines[0].joined(separator: " ") == "single operations operations p50 p90 p99 p99.9 p99.99 maximum")
        #expect(
            lines[1].joined(separator: " ") == "disk/hit/4k/tiered 1000 500 ns 902 ns ±2 % 990 ns ±1 % – – 1.00 µs")
    }

    @Test("columns of the highest rank are left out first, and the last of equal ones") func ranks() {
        let table = Table(
            caption: "a caption of some words",
            columns: [.init("name", .left), .init("one", rank: 1), .init("two", rank: 2), .init("more", rank: 1)],
            rows: [["a", "111", "222", "333"]])
        #expect(table.text(width: 21) == "a caption of some\nwords\nname  one  two  more\na     111  222   333\n")
        #expect(table.text(width: 18).hasSuffix("name  one  more\na     111   333\n"))
        #expect(table.text(width: 13).hasSuffix("name  one\na     111\n"))
        #expect(table.text(width: 4).hasSuffix("name\na\n"))
        let long = Table(
            columns: [.init("name", .left), .init("one")],
            rows: [Table.Row(["a long name", "1"], notes: ["note"]), Table.Row(["b"], span: "failed somehow")])
        #expect(long.text(width: 13) == "name      one\na long name\n            1\n    note\nb         fa…\n")
    }

    @Test("one table is Markdown, CSV and HTML as well, each with its own escapes") func forms() {
        let table = Table(
            columns: [.init("a|b", .left), .init("c")],
            rows: [Table.Row(["x,y", "<1>"], notes: ["why"]), .init(["z"], span: "no & no")])
        #expect(table.markdown == "| a\\|b | c |\n| :-- | --: |\n| x,y | &lt;1&gt; |\n| z | no &amp; no |\n\n- why\n")
        #expect(table.csv == "a|b,c\r\n\"x,y\",<1>\r\nz\r\n")
        let html = table.html { row, column in row == 0 && column == 1 ? "worse" : nil }
        #expect(html.contains("<td class=\"worse\">&lt;1&gt;</td>") && html.contains("colspan=\"1\">no &amp; no</td>"))
    }

    @Test(
        "numbers for programs have a point, no exponent and no digits too many",
        arguments: [(0, "0"), (1, "1"), (12.5, "12.5"), (0.25, "0.25"), (1e15, "1000000000000000"), (99.99, "99.99")])
    func plain(value: Double, text: String) { #expect(Quantity.plain(value) == text) }

    @Test("a row that failed after it was measured has its figures and the failure") func failedLate() {
        var late = row(BenchmarkName("a", "b", "c"))
        late.failure = .timedOut
        let lines = lines(late)
        #expect(lines[2].contains("124 ms") && lines[3] == "    \(WorkerFailure.timedOut)", "\(lines)")
    }

    @Test("an error of a percentile that is as large as the percentile is told as such") func wideTail() {
        var histogram = Histogram()
        for rank in 1...1_000 { histogram.add(nanoseconds: rank <= 905 ? 10 : 1_000) }
        var row = row(BenchmarkName("disk", "hit/4k", "tiered"))
        row.percentiles = [0.9].compactMap { Percentile($0, of: histogram) }
        row.quantiles = [1]
        #expect(RunTable.tails([row]).contains(" 10.0 ns ±>99 %"))
    }

    @Test(
        "an error of a percentile has no decimals, and as many places as one of two digits",
        arguments: [(217, "±9 %"), (218, "±9 %"), (219, "±10 %"), (254, "±27 %")])
    func tailError(end: UInt64, text: String) {
        var histogram = Histogram()
        for rank in 1...40_000 { histogram.add(nanoseconds: rank <= 35_900 ? 190 : rank <= 36_050 ? 200 : end) }
        var row = row(BenchmarkName("a", "b", "c"))
        row.percentiles = [0.9].compactMap { Percentile($0, of: histogram) }
        row.quantiles = [200]
        #expect(RunTable.tails([row]).contains("  200 ns \(text)  "))
    }

    @Test("rows that were not warm are named once, three of them") func cold() {
        let cold = (0..<4).map { number in
            var row = row(BenchmarkName("a", "\(number)", "c"))
            row.isSteady = false
            return row
        }
        let end = "rows, a/0/c, a/1/c, a/2/c"
        #expect(OutlierReport.text(cold + cold).hasSuffix(" slices: 4 \(end), …\n"))
        #expect(OutlierReport.text(Array(cold.prefix(3)) + cold.prefix(2)).hasSuffix(" slices: 3 \(end)\n"))
    }
}
