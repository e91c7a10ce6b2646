import GaugeMeasurement

/// All results of a run, independent of the format.
package struct RunDocument {
    package let environment: RunEnvironment
    package var rows: [ResultRow] = []
    package var noise = NoiseReport()

    package init(environment: RunEnvironment, rows: [ResultRow] = [], noise: NoiseReport = NoiseReport()) {
        self.environment = environment
        self.rows = rows
        self.noise = noise
    }
}

/// The format of a run's report.
package enum RunFormat: String, CaseIterable, Sendable {
    /// An aligned table for people, written row by row as cases finish.
    case table
    /// Google Benchmark's schema.
    case json
    /// The same with one entry for each row and no repetitions, for the tool `googlecpp` of github-action-benchmark,
    /// which makes a point of each entry.
    case googlecpp
    /// The Go benchmark format, which benchstat reads.
    case benchstat
    /// A table for an issue or a pull request.
    case markdown
    /// RFC 4180, one line for each row, times in nanoseconds.
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
        case .markdown: MarkdownReport(document).text
        case .csv: CSVReport.text(document.rows)
        case .githubAction: try GitHubActionReport.text(document.rows)
        }
    }
}
