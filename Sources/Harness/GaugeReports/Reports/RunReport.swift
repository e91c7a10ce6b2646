import Foundation
import GaugeMeasurement
import GaugeStatistics
import GaugeSupport
import Platform

/// Writes the output of `run`: a table for people, or one document.
package final class RunReport {
    private let console: Console
    private let format: RunFormat
    private let table: TextTable
    private let stages: StageTable
    /// Whether every figure is printed.
    private let isVerbose: Bool
    private let seed: UInt64
    /// The file for an additional JSON document.
    private let file: OutputFile?
    package private(set) var document: RunDocument
    package let progress: ProgressLine

    package init(
        console: Console, format: RunFormat, environment: RunEnvironment, names: [String], file: OutputFile? = nil,
        countsInstructions: Bool = false, isVerbose: Bool = false
    ) {
        self.console = console
        self.format = format
        self.file = file
        self.isVerbose = isVerbose
        stages = StageTable(isColoured: console.isOutputTerminal, countsInstructions: countsInstructions)
        seed = environment.settings.seed
        document = RunDocument(environment: environment)
        table = TextTable(
            names: names, isColoured: console.isOutputTerminal, countsInstructions: countsInstructions)
        progress = ProgressLine(console: console)
    }

    package func begin() throws {
        guard format == .table, isVerbose else { return }
        try console.write(document.environment.summary + "\n" + table.header)
    }

    /// Adds the results of one case: its rows to the document, its problems to the notes.
    ///
    /// - Parameters:
    ///   - speed: which probes of the run were at full speed.
    ///   - variation: how far sets usually differ in the run.
    package func add(
        _ results: [BenchmarkMeasurements], speed: FullSpeed?, variation: RunVariation? = nil
    ) throws {
        // After an interruption, some benchmarks were never measured.
        let more = ResultRow.rows(of: results, speed: speed, seed: seed, variation: variation).filter {
            $0.operations > 0 || $0.failure != nil || $0.wrong > 0
        }
        document.rows += more
        progress.clear()
        if format == .table, isVerbose { try console.write(more.map(table.line).joined()) }
        for result in results {
            if let trouble = TroubleReport.text(result) { console.note(trouble) }
            if let reason = result.uncounted { console.note("\(result.benchmark.name): \(reason)\n") }
        }
    }

    package func end(noise: NoiseReport) throws {
        progress.clear()
        document.noise = noise
        // If the file cannot be written after all, the results are printed all the same.
        let written = Result { try file?.write(RunFormat.json.text(document)) }
        if format == .table {
            if !isVerbose { try console.write(stages.text(document.rows)) }
            // Hits and tails are the answer of a run under a workload.
            let isDetailed = isVerbose || document.environment.settings.load != nil
            let sections =
                !isDetailed
                ? []
                : [
                    TailTable.text(document.rows, isColoured: console.isOutputTerminal),
                    FigureTable.text(document.rows),
                    document.noise.text + OutlierReport.text(document.rows),
                ]
            for section in sections where !section.isEmpty { try console.write("\n" + section) }
        } else {
            try console.write(try format.text(document))
        }
        // The summary of the table holds them in short.
        if format != .table || isVerbose {
            for warning in document.noise.warnings(document.rows) { console.note("warning: \(warning)\n") }
        }
        try written.get()
    }
}
