import Foundation
import GaugeMeasurement
import GaugeSupport

/// `list`: the names of the benchmarks.
struct ListCommand: GaugeCommand {
    static let filter = CommandOption.text(
        "filter", "REGEX", help: "only benchmarks whose name contains a match of the regular expression")
    static let suite = CommandOption.text(
        "suite", "NAME", help: "only benchmarks of a suite; by default full, which has all but large")

    static let specification = CommandSpecification(
        name: "list", summary: "Lists the benchmarks.",
        options: [filter.specification, suite.specification, CommonOptions.format.specification])

    let selection: BenchmarkSelection
    let format: ReportFormat

    init(_ arguments: ParsedArguments) throws {
        selection = BenchmarkSelection(filter: arguments[Self.filter], suite: arguments[Self.suite])
        format = arguments[CommonOptions.format] ?? .text
    }

    private struct Entry: Encodable {
        let name: String
        let suites: [String]
        let peer: Bool
        let entries: Int?
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let chosen = try selection.of(gauge.benchmarks)
        switch format {
        case .text:
            for benchmark in chosen { try console.write("\(benchmark.name)\n") }
        case .json:
            let entries = chosen.map {
                Entry(name: $0.name.description, suites: $0.suites.sorted(), peer: $0.isPeer, entries: $0.entries)
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try console.write(String(decoding: encoder.encode(entries), as: UTF8.self) + "\n")
        }
        return .ok
    }
}
