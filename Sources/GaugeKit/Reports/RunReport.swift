/// What `run` writes: rows as they finish, or one document at the end.
final class RunReport {
    private let console: Console
    private let format: ReportFormat
    private let environment: RunEnvironment
    private let table: TextTable
    private var rows: [Row] = []
    let progress: Progress

    init(console: Console, format: ReportFormat, environment: RunEnvironment, names: [String]) {
        self.console = console
        self.format = format
        self.environment = environment
        table = TextTable(names: names, isColoured: console.isOutputTerminal)
        progress = Progress(console: console)
    }

    func begin() throws {
        guard format == .text else { return }
        try console.write(environment.summary + "\n" + table.header)
    }

    /// Adds the subjects of one case: rows to the results, what went wrong to the notes.
    func add(_ results: [SubjectResult]) throws {
        // A run that ended early leaves benchmarks that it never came to.
        let more = Row.rows(of: results).filter { $0.operations > 0 || $0.failure != nil || $0.wrong > 0 }
        rows += more
        progress.clear()
        if format == .text { try console.write(more.map(table.line).joined()) }
        for result in results {
            if let trouble = TroubleReport.text(result) { console.note(trouble) }
        }
    }

    func end() throws {
        progress.clear()
        switch format {
        case .text:
            let figures = FigureTable.text(rows)
            if !figures.isEmpty { try console.write("\n" + figures) }
        case .json:
            try console.write(try GoogleBenchmarkReport(environment: environment).text(rows))
        }
    }
}
