import Foundation
import GaugeSupport

/// All results of a run, independent of the format.
package struct RunDocument {
    package let environment: RunEnvironment
    package var rows: [ResultRow] = []
    package var noise = NoiseReport()
}

/// The format of a run's report.
package enum RunFormat: String, CaseIterable, Sendable {
    /// An aligned table for people, written row by row as cases finish.
    case table
    /// Google Benchmark's schema.
    case json
    /// The same with one entry per row and no repetitions, for the tool `googlecpp` of github-action-benchmark, which
    /// makes a point of each entry.
    case googlecpp
    /// The Go benchmark format, which benchstat reads.
    case benchstat
    /// A table for an issue or a pull request.
    case markdown
    /// RFC 4180, one line per row, times in nanoseconds.
    case csv
    /// The format `customSmallerIsBetter` of github-action-benchmark.
    case githubAction = "github-action"

    /// The document as text; empty for the table, which was already written.
    package func text(_ document: RunDocument) throws -> String {
        switch self {
        case .table: ""
        case .json: try GoogleBenchmarkReport(document).text()
        case .googlecpp: try GoogleBenchmarkReport(document, hasRepetitions: false).text()
        case .benchstat: BenchstatReport(document).text
        case .markdown: MarkdownReport.text(document)
        case .csv: CSVReport.text(document.rows)
        case .githubAction: try GitHubActionReport.text(document.rows)
        }
    }
}

/// The table of a run in Markdown, with the machine above it and the noise below.
package enum MarkdownReport {
    package static func text(_ document: RunDocument) -> String {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n").map { "\(Table.escaped(String($0)))  \n" }
        }
        let counted = document.rows.contains { $0.instructions != nil }
        let table = RunTable.table(document.rows, .document, countsInstructions: counted).markdown
        return (lines(document.environment.summary) + ["\n", table, "\n"] + lines(document.noise.text)).joined()
    }
}

/// The format `customSmallerIsBetter` of github-action-benchmark: one point per row. From Google Benchmark's JSON it
/// would read one per repetition.
package enum GitHubActionReport {
    package static func text(_ rows: [ResultRow]) throws -> String {
        let entries = rows.compactMap { row -> JSONValue? in
            guard let time = row.undisturbed?.value ?? row.median else { return nil }
            var entry: [String: JSONValue] = [
                "name": .text(row.name.description), "unit": .text("ns/op"), "value": .number(time),
                "extra": .text("operations: \(row.operations)\nthreads: \(row.threads)"),
            ]
            if let error = row.error { entry["range"] = .text("± \(Quantity.plain(error * time))") }
            return .object(entry)
        }
        return try JSONValue.list(entries).document()
    }
}

/// Comma-separated values (RFC 4180): a header, then a line per row. Times are nanoseconds; what wasn't measured is
/// empty.
package enum CSVReport {
    private static let columns: [(title: String, value: @Sendable (ResultRow) -> String)] = [
        ("name", { $0.name.description }), ("stage", { $0.name.stage }), ("case", { $0.name.case }),
        ("subject", { $0.name.subject }), ("peer", { $0.isPeer ? "true" : "false" }),
        ("threads", { String($0.threads) }), ("operations", { String($0.operations) }),
        ("minimum_ns", { number($0.minimum) }), ("median_ns", { number($0.median) }),
        ("median_low_ns", { number($0.interval?.lowerBound) }), ("median_high_ns", { number($0.interval?.upperBound) }),
        ("mean_ns", { number($0.mean) }), ("maximum_ns", { number($0.maximum) }),
        ("p50_ns", { number($0.singles?.median) }), ("clock_ns", { number($0.singles?.clock) }),
        ("p90_ns", { number($0.percentile(0.9)?.value) }), ("p99_ns", { number($0.percentile(0.99)?.value) }),
        ("p99.9_ns", { number($0.percentile(0.999)?.value) }), ("p99.99_ns", { number($0.percentile(0.9999)?.value) }),
        ("spread", { number($0.spread) }), ("outliers", { String($0.outliers.high) }),
        ("samples", { String($0.outliers.total) }), ("operations_per_second", { number($0.operationsPerSecond) }),
        ("ratio", { number($0.ratio) }), ("cpu_ns", { number($0.cpu) }),
        ("process_cpu_ns", { number($0.processCPU) }), ("wakeups", { number($0.wakeUps) }),
        ("allocations", { number($0.allocations) }), ("instructions", { number($0.instructions?.perOperation) }),
        ("undisturbed_ns", { number($0.undisturbed?.value) }),
        ("undisturbed_low_ns", { number($0.undisturbed?.interval?.lowerBound) }),
        ("undisturbed_high_ns", { number($0.undisturbed?.interval?.upperBound) }),
        ("over_sets_ns", { number($0.overSets?.value) }),
        ("over_sets_low_ns", { number($0.overSets?.interval?.lowerBound) }),
        ("over_sets_high_ns", { number($0.overSets?.interval?.upperBound) }),
        ("ratio_low", { number($0.ratioInterval?.lowerBound) }),
        ("ratio_high", { number($0.ratioInterval?.upperBound) }), ("sets", { String($0.measuredSets.count) }),
        ("wrong", { String($0.wrong) }), ("failure", { $0.failure?.description ?? "" }),
    ]

    package static func text(_ rows: [ResultRow]) -> String {
        Table(
            columns: columns.map { Table.Column($0.title) }, rows: rows.map { row in columns.map { $0.value(row) } }
        ).csv
    }

    private static func number(_ value: Double?) -> String { value.map(Quantity.plain) ?? "" }
}
