import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Figures in their own places. `RecordedFormatsTests` and `RunReportTests` have the other formats whole.
@Suite("Every figure of a row") struct EveryFigureTests {
    private let document = SampleDocument.make([DistinctRow.row, DistinctRow.store])

    /// The words of a line, with a number and its unit as one word.
    private func cells(_ line: some StringProtocol) -> [String] {
        String(line).replacing(/(\d) (ns|µs|%|M)/) { "\($0.output.1)\($0.output.2)" }.split(separator: " ")
            .map(String.init)
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

    private func entries(_ format: RunFormat) throws -> [JSONValue] {
        let text = try format.text(SampleDocument.make([DistinctRow.row]))
        return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["benchmarks"]?.elements ?? []
    }
}
