/// All that a run has to tell, whatever it is written as.
struct RunDocument {
    let environment: RunEnvironment
    var rows: [Row] = []
    var noise = NoiseReport()
}

/// What a run is written as.
public enum RunFormat: String, CaseIterable, Sendable {
    /// An aligned table for people, row by row as they finish.
    case table
    /// Google Benchmark's schema.
    case json
    /// The Go benchmark format, which benchstat reads.
    case benchstat
    /// A table for an issue or a pull request.
    case markdown
    /// RFC 4180, a line a row, times in nanoseconds.
    case csv
    /// What github-action-benchmark takes as `customSmallerIsBetter`.
    case githubAction = "github-action"

    /// The document; empty for the table, which was written already.
    func text(_ document: RunDocument) throws -> String {
        switch self {
        case .table: ""
        case .json: try GoogleBenchmarkReport(document).text()
        case .benchstat: BenchstatReport(document).text
        case .markdown: MarkdownReport(document).text
        case .csv: CSVReport.text(document.rows)
        case .githubAction: try GitHubActionReport.text(document.rows)
        }
    }
}
