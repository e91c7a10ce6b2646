import Foundation
import Testing

@testable import GaugeKit

struct ReportTests {
    @Test(arguments: [
        (0.27, "0.27 ns"), (9.994, "9.99 ns"), (9.996, "10.0 ns"), (12.34, "12.3 ns"), (99.96, "100 ns"),
        (999.4, "999 ns"), (999.6, "1.00 µs"), (1_240, "1.24 µs"), (342_000_000, "342 ms"), (2.5e9, "2.50 s"),
        (0, "0.00 ns"),
    ])
    func `a time has three digits and a unit`(nanoseconds: Double, text: String) {
        #expect(Quantity.time(nanoseconds) == text)
    }

    @Test(arguments: [(81_300_000, "81.3 M"), (2.92, "2.92"), (412_000, "412 k"), (3.59e9, "3.59 G")])
    func `a rate has three digits and a unit`(perSecond: Double, text: String) {
        #expect(Quantity.rate(perSecond) == text)
    }

    @Test(arguments: [(0, "0"), (0.001, "<0.01"), (0.03, "0.03"), (1, "1"), (0.999, "1"), (17.72, "17.72")])
    func `a number for one operation is exact where it is whole`(number: Double, text: String) {
        #expect(Quantity.each(number) == text)
    }

    private func row(_ name: BenchmarkName, failure: WorkerFailure? = nil) -> Row {
        var row = Row(name: name, isPeer: false)
        row.failure = failure
        guard failure == nil else { return row }
        (row.minimum, row.median, row.p99, row.spread) = (123.4e6, 124.5e6, 999.4e6, 0.0123)
        (row.operationsPerSecond, row.ratio, row.operations) = (123.4e6, 12_345, 10)
        row.counters = CounterChange()
        row.counters?.allocations = 1_777
        return row
    }

    @Test func `a full line fits into 120 columns`() {
        let name = BenchmarkName("two-tier", "zipf-memory-hit", "dictionary-lru")
        let table = TextTable(names: ["two-tier/zipf/dictionary-lru"], isColoured: false)
        let line = table.line(row(name))
        #expect(line.count <= 121, "\(line.count)")
        #expect(table.header.count == line.count)
        #expect(!line.contains("\u{1B}"))
    }

    @Test func `colours come in pairs and change nothing else`() {
        let name = BenchmarkName("disk", "store/4k", "foundation")
        let failed = row(name, failure: .crashed(signal: 11))
        let plain = TextTable(names: [name.description], isColoured: false)
        let coloured = TextTable(names: [name.description], isColoured: true).line(failed)
        #expect(coloured.replacing(/\u{1B}\[\d+m/, with: "") == plain.line(failed))
        #expect(coloured.hasSuffix("\u{1B}[0m\n"))
        #expect(plain.line(failed).hasSuffix("crashed (SIGSEGV)\n"))
    }

    private func document(_ rows: [Row]) throws -> [String: Any] {
        let environment = RunEnvironment(settings: RunSettings(), directory: "/tmp")
        let text = try GoogleBenchmarkReport(environment: environment).text(rows)
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// What `compare.py` and github-action-benchmark read of a document.
    @Test func `the JSON has what readers of Google Benchmark's look for`() throws {
        let document = try document([row(BenchmarkName("date", "imf", "tiered"))])
        let context = try #require(document["context"] as? [String: Any])
        for key in [
            "date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "caches", "load_avg", "library_build_type",
        ] {
            #expect(context[key] != nil, "\(key)")
        }
        let entry = try #require((document["benchmarks"] as? [[String: Any]])?.first)
        for key in ["name", "run_name", "run_type", "time_unit"] { #expect(entry[key] is String, "\(key)") }
        for key in [
            "iterations", "real_time", "cpu_time", "repetitions", "repetition_index", "threads", "family_index",
        ] {
            #expect(entry[key] is NSNumber, "\(key)")
        }
        #expect(entry["run_type"] as? String == "iteration")
        #expect(entry["real_time"] as? Double == 124.5e6)
        #expect(entry["allocations_per_operation"] as? Double == 177.7)
    }

    @Test func `a failed benchmark is in the JSON as Google Benchmark says it`() throws {
        let document = try document([row(BenchmarkName("a", "b", "c"), failure: .timedOut)])
        let entry = try #require((document["benchmarks"] as? [[String: Any]])?.first)
        #expect(entry["error_occurred"] as? Bool == true)
        #expect(entry["error_message"] as? String == "timed out")
        #expect(entry["real_time"] as? Double == 0)
    }

    @Test func `figures stand in both reports`() throws {
        var row = row(BenchmarkName("two-tier", "zipf", "tiered"))
        row.figures = [
            Figure("hit ratio", 0.7134, .ratio), Figure("bytes written", 4_096, .bytes), Figure("evictions", 3),
        ]
        #expect(
            FigureTable.text([row]) == "two-tier/zipf/tiered  hit ratio 71.3 %, bytes written 4 KiB, evictions 3\n")
        let entry = try #require((document([row])["benchmarks"] as? [[String: Any]])?.first)
        #expect(entry["hit_ratio"] as? Double == 0.7134)
    }
}
