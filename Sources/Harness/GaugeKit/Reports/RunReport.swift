import Foundation
import Platform

/// What `run` writes: rows as they finish, or one document at the end.
final class RunReport {
    private let console: Console
    private let format: RunFormat
    private let table: TextTable
    private let seed: UInt64
    /// Where the JSON goes beside.
    private let file: String?
    private var document: RunDocument
    private var meter = NoiseMeter()
    let progress: Progress

    init(
        console: Console, format: RunFormat, environment: RunEnvironment, names: [String], file: String? = nil,
        countsInstructions: Bool = false
    ) {
        self.console = console
        self.format = format
        self.file = file
        seed = environment.settings.seed
        document = RunDocument(environment: environment)
        table = TextTable(
            names: names, isColoured: console.isOutputTerminal, countsInstructions: countsInstructions)
        progress = Progress(console: console)
    }

    func begin() throws {
        guard format == .table else { return }
        try console.write(document.environment.summary + "\n" + table.header)
    }

    /// Adds the subjects of one case: rows to the results, what went wrong to the notes.
    func add(_ results: [SubjectResult]) throws {
        // A run that ended early leaves benchmarks that it never came to.
        let more = Row.rows(of: results, seed: seed).filter {
            $0.operations > 0 || $0.failure != nil || $0.wrong > 0
        }
        document.rows += more
        meter.add(results)
        progress.clear()
        if format == .table { try console.write(more.map(table.line).joined()) }
        for result in results {
            if let trouble = TroubleReport.text(result) { console.note(trouble) }
            if let reason = result.uncounted { console.note("\(result.benchmark.name): \(reason)\n") }
        }
    }

    /// Adds what a benchmark has shown against itself.
    func addPair(_ results: [SubjectResult]) { meter.addPair(results) }

    func end() throws {
        progress.clear()
        document.noise = meter.report
        if let file {
            let text = try RunFormat.json.text(document)
            guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
                throw GaugeError("\(file) cannot be written: \(SystemError.last); name another one with --json")
            }
        }
        if format == .table {
            let sections = [
                TailTable.text(document.rows, isColoured: console.isOutputTerminal), FigureTable.text(document.rows),
                document.noise.text + OutlierReport.text(document.rows),
            ]
            for section in sections where !section.isEmpty { try console.write("\n" + section) }
        } else {
            try console.write(try format.text(document))
        }
        for warning in document.noise.warnings(document.rows) { console.note("warning: \(warning)\n") }
    }
}
