import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Each format shows each figure in its own place.
@Suite("Every figure of a row")
struct EveryFigureTests {
    private let document = SampleDocument.make([DistinctRow.row, DistinctRow.store])

    /// The words of a line, with a number and its unit as one word.
    private func cells(_ line: some StringProtocol) -> [String] {
        String(line).replacing(/(\d) (ns|µs|%|M)/) { "\($0.output.1)\($0.output.2)" }.split(separator: " ")
            .map(String.init)
    }

    @Test("CSV") func csv() throws {
        let lines = try RunFormat.csv.text(document).split(separator: "\r\n").map { $0.split(separator: ",") }
        let found = Dictionary(uniqueKeysWithValues: zip(lines[0].map(String.init), lines[1].map(String.init)))
        #expect(
            found == [
                "name": "disk/hit/1k/files", "stage": "disk", "case": "hit/1k", "subject": "files", "peer": "true",
                "threads": "3", "operations": "4000", "minimum_ns": "11", "median_ns": "370", "median_low_ns": "350",
                "median_high_ns": "400", "mean_ns": "41", "maximum_ns": "9700", "p50_ns": "139.5", "clock_ns": "33",
                "p90_ns": "150", "p99_ns": "200",
                "p99.9_ns": "220", "p99.99_ns": "250", "spread": "0.125", "outliers": "88", "samples": "800",
                "operations_per_second": "24500000", "ratio": "3.5", "cpu_ns": "29", "process_cpu_ns": "44",
                "wakeups": "7",
                "allocations": "3",
                "instructions": "321.5", "undisturbed_ns": "20", "undisturbed_low_ns": "18",
                "undisturbed_high_ns": "21", "over_sets_ns": "26", "over_sets_low_ns": "24", "over_sets_high_ns": "28",
                "ratio_low": "3.43", "ratio_high": "3.78", "sets": "3", "wrong": "7",
            ])
        #expect(lines[0].last == "failure")
    }

    @Test("the tables for people") func tables() throws {
        let stages = RunTable.text(document.rows, .short, countsInstructions: true).split(separator: "\n")
        #expect(stages[0] == RunTable.caption[...] && stages[2] == "disk")
        #expect(
            cells(stages[1]) == [
                "benchmark", "time", "±95%", "typical", "p99", "ops/s", "ratio", "±95%", "allocs", "instrs", "wrong",
            ]
        )
        #expect(
            cells(stages[3]) == [
                "hit/1k/files", "20.0ns", "±10.0%", "370ns", "200ns", "24.5M", "3.50×", "±8.0%", "3", "321.5", "7",
            ])
        // A store has its mean, with the interval of the means of sets; a note stands between.
        #expect(
            cells(stages[5]) == [
                "store/1k/files", "41.0ns", "±7.7%", "370ns", "200ns", "24.5M", "3.50×", "±8.0%", "3", "321.5", "7",
            ])

        let table = RunTable.text(document.rows, .whole, countsInstructions: true).split(separator: "\n")
        #expect(
            cells(table[1]) == [
                "benchmark", "time", "±95%", "typical", "p99", "ops/s", "ratio", "±95%", "allocs", "instrs", "wrong",
            ])
        #expect(
            cells(table[2]) == [
                "disk/hit/1k/files", "20.0ns", "±10.0%", "370ns", "200ns", "24.5M", "3.50×", "±8.0%", "3", "321.5", "7",
            ])
    }

    @Test("the processor time and the wake-ups of the process, and a note where other threads took much")
    func processes() {
        var quiet = DistinctRow.store
        quiet.otherCPU = 1
        quiet.counters?.wakeUps = 5
        let lines = RunTable.processes([DistinctRow.row, quiet], width: 140).split(separator: "\n")
        #expect(cells(lines[1]) == ["disk/hit/1k/files", "44.0ns", "15.0ns", "7"])
        #expect(cells(lines[2]) == ["disk/store/1k/files", "30.0ns", "1.00ns", "1", "in", "800"])
        let notes = RunTable.text([DistinctRow.row, quiet], .whole).split(separator: "\n").filter {
            $0.hasPrefix("    ")
        }
        #expect(notes == ["    other threads took 34.1 % of the processor time"])
        // Unknown of an older worker.
        quiet.otherCPU = nil
        #expect(quiet.processCPU == nil && quiet.otherPart == nil)
    }

    @Test("the table of single operations") func tail() {
        let lines = RunTable.tails([DistinctRow.row], width: 140).split(separator: "\n")
        #expect(lines[0].contains("less the cost of the clock, 33.0 ns"))
        // The maximum is that of a batch.
        #expect(
            cells(lines[2]) == [
                "disk/hit/1k/files", "40000", "140ns", "150ns", "±13%", "200ns", "±5%", "220ns", "±4%", "250ns", "±4%",
                "–",
            ])
    }

    @Test("Markdown") func markdown() throws {
        let lines = try RunFormat.markdown.text(document).split(separator: "\n").filter { $0.hasPrefix("| ") }
        let rows = lines.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(
            rows[0] == [
                "benchmark", "time", "±95 %", "typical", "p99", "p99.9", "ops/s", "ratio", "±95 %", "allocs",
                "instrs", "wrong",
            ])
        #expect(
            rows[2] == [
                "disk/hit/1k/files", "20.0 ns", "±10.0 %", "370 ns", "200 ns", "220 ns", "24.5 M", "3.50×", "±8.0 %",
                "3", "321.5", "7",
            ])
    }

    @Test("benchstat") func benchstat() throws {
        let text = try RunFormat.benchstat.text(SampleDocument.make([DistinctRow.row]))
        let name = "BenchmarkDisk/hit/1k/subject=files-3"
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("Benchmark") }.map(String.init) == [
                "\(name) 1500 21 ns/op 3 allocs/op 13 B/op 321.5 instrs/op",
                "\(name) 1600 25 ns/op 3 allocs/op 13 B/op 321.5 instrs/op",
                "\(name) 900 76 ns/op 3 allocs/op 13 B/op 321.5 instrs/op",
            ])
    }

    @Test("the action's own format") func action() throws {
        let text = try RunFormat.githubAction.text(SampleDocument.make([DistinctRow.row]))
        let entries = try JSONDecoder().decode([[String: JSONValue]].self, from: Data(text.utf8))
        #expect(entries[0]["value"]?.double == 20 && entries[0]["range"]?.string == "± 2")
        #expect(entries[0]["extra"]?.string == "operations: 4000\nthreads: 3")
    }

    @Test("JSON") func json() throws {
        let entries = try self.entries(RunFormat.json)
        let repetitions = entries.filter { $0["run_type"]?.string == "iteration" }
        #expect(repetitions.map { $0["iterations"]?.double } == [1_500, 1_600, 900])
        #expect(repetitions.map { $0["real_time"]?.double } == [21, 25, 76])
        #expect(repetitions.map { $0["cpu_time"]?.double } == [31, 33, 35])
        #expect(repetitions.map { $0["repetition_index"]?.double } == [0, 1, 2])
        #expect(entries.allSatisfy { $0["threads"]?.double == 3 && $0["repetitions"]?.double == 3 })
        let aggregates = entries.filter { $0["run_type"]?.string == "aggregate" }
        // Of 31, 33, 35.
        #expect(aggregates.map { $0["cpu_time"]?.double } == [33, 33, 2, 2.0 / 33])
        let median = try #require(aggregates.first { $0["aggregate_name"]?.string == "median" })
        #expect(numbers(median) == Self.whole.merging(["real_time": 370, "cpu_time": 33, "iterations": 3]) { $1 })
        let sets = try #require(median["sets"]?.elements)
        #expect(sets.map { $0["mean"]?.double } == [43, 61, nil, 71])
        #expect(sets.map { $0["undisturbed"]?.double } == [21, 25, nil, nil])
        #expect(sets.map { $0["slices"]?.elements.compactMap(\.double) } == [[45, 47, 53], [67], [], [73, 79]])
        let modes = try #require(median["modes"])
        #expect(["fast", "slow", "slow_part"].map { modes[$0]?.double } == [46, 76, 0.4])
        #expect(median["ratio_of"]?.string == "undisturbed" && median["warm"]?.flag == false)
        #expect(median["instructions_by_function"]?.elements.first?["per_operation"]?.double == 300)
    }

    @Test("JSON with a point for each row") func points() throws {
        let entry = try entries(RunFormat.googlecpp)[0]
        let expected = [
            "real_time": 20.0, "cpu_time": 29, "iterations": 4_000, "repetitions": 1, "repetition_index": 0,
        ]
        #expect(numbers(entry) == Self.whole.merging(expected) { $1 })
    }

    /// Figures of a benchmark have names of its own.
    @Test("the guide has each column of the CSV and each field of the JSON") func guide() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(contentsOf: repository.appending(path: "Benchmarks/Guides/columns.md"), encoding: .utf8)
        let columns = try RunFormat.csv.text(document).split(separator: "\r\n")[0].split(separator: ",").map(
            String.init)
        let schema = [
            "family_index", "per_family_instance_index", "repetitions", "repetition_index", "iterations", "real_time",
            "cpu_time", "threads", "time_unit", "name", "run_name", "run_type", "aggregate_name", "aggregate_unit",
        ]
        let fields = try entries(RunFormat.json).flatMap { entry -> [String] in
            guard case .object(let members) = entry else { return [] }
            return members.keys.filter { !schema.contains($0) && !$0.hasSuffix("_low") && !$0.hasSuffix("_high") }
        }
        for name in Set(columns + fields) { #expect(guide.contains("`\(name)`"), "\(name) is missing") }
    }

    @Test("the page") func page() throws {
        let bytes = Data(try RunFormat.json.text(SampleDocument.make([DistinctRow.row])).utf8)
        let page = HTMLReport([try ResultDocument(bytes: bytes, name: "run.json")]).text
        let cells = [
            "20.0 ns", "±10.0 %", "370 ns", "200 ns", "24.5 M", "3.50×", "3", "321.5", "7",
        ].map { "<td>\($0)</td>" }
        #expect(page.contains("<th scope=\"row\">files</th>\(cells.joined())</tr>"), "\(page.suffix(900))")
        let titles = ["subject", "time", "±95 %", "typical", "p99", "ops/s", "ratio", "allocs", "instructions"]
        #expect(page.contains("<tr>\(titles.map { "<th>\($0)</th>" }.joined())<th>wrong</th></tr>"))
        // From 1× to 10×, logarithmic.
        #expect(page.contains("<rect x=\"0\" width=\"54.41\" height=\"10\"/>"))
        #expect(page.contains("<rect class=\"whisker\" x=\"53.53\" y=\"4\" width=\"4.22\" height=\"2\"/>"))
    }

    @Test("outliers, and what was not warm") func outliers() {
        #expect(
            OutlierReport.text([DistinctRow.row, SampleDocument.mixed]) == """
                outliers: 11.0 % of 800 samples beyond Tukey's fence, 40 of them far; all are kept
                not steady after 8 warm-up slices: 1 rows, disk/hit/1k/files

                """)
    }

    /// The figures that belong to the whole row.
    private static let whole: [String: Double] = [
        "family_index": 0, "per_family_instance_index": 0, "threads": 3, "repetitions": 3, "operations": 4_000,
        "wrong": 7, "undisturbed": 20, "undisturbed_low": 18, "undisturbed_high": 21, "over_sets": 26,
        "over_sets_low": 24,
        "over_sets_high": 28, "ratio": 3.5, "ratio_low": 3.43,
        "ratio_high": 3.78, "minimum": 11, "median": 370, "median_low": 350, "median_high": 400, "mean": 41,
        "maximum": 9_700, "spread": 0.125, "items_per_second": 24_500_000, "instructions_per_operation": 321.5,
        "allocations_per_operation": 3, "allocated_bytes_per_operation": 13, "read_calls_per_operation": 5,
        "write_calls_per_operation": 6, "written_bytes_per_operation": 17, "storage_bytes_per_operation": 19,
        "process_cpu": 44, "other_threads_cpu": 15,
        "wakeups_per_operation": 7, "page_faults_per_operation": 23, "involuntary_switches": 17,
        "peak_resident_bytes": 1_234_567,
        "p90": 150, "p90_low": 140, "p90_high": 170, "p99": 200, "p99_low": 190, "p99_high": 210, "p99.9": 220,
        "p99.9_low": 214, "p99.9_high": 228, "p99.99": 250, "p99.99_low": 240, "p99.99_high": 254, "samples": 800,
        "outliers": 88, "far_outliers": 40, "hit_ratio": 0.625, "p50": 139.5, "clock_cost": 33,
        "single_operations": 40_000,
    ]

    private func entries(_ format: RunFormat) throws -> [JSONValue] {
        let text = try format.text(SampleDocument.make([DistinctRow.row]))
        return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["benchmarks"]?.elements ?? []
    }

    private func numbers(_ entry: JSONValue) -> [String: Double] {
        guard case .object(let members) = entry else { return [:] }
        return members.compactMapValues(\.double)
    }
}
