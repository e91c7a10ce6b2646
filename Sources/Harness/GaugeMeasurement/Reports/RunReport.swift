import Foundation
import GaugeSupport
import Platform

/// Writes the output of `run`: a table for people, or one document.
package final class RunReport {
    private let console: Console
    private let format: RunFormat
    private let countsInstructions: Bool
    /// Whether every figure is printed.
    private let isVerbose: Bool
    private let seed: UInt64
    private let words: BenchmarkWords
    private let file: OutputFile?
    package private(set) var document: RunDocument
    package let progress: ProgressLine

    package init(
        console: Console, format: RunFormat, environment: RunEnvironment, file: OutputFile? = nil,
        countsInstructions: Bool = false, isVerbose: Bool = false, words: BenchmarkWords = BenchmarkWords()
    ) {
        (self.console, self.format, self.file) = (console, format, file)
        (self.isVerbose, self.words, self.countsInstructions) = (isVerbose, words, countsInstructions)
        seed = environment.settings.seed
        document = RunDocument(environment: environment)
        progress = ProgressLine(console: console)
    }

    package func begin() throws {
        guard format == .table, isVerbose else { return }
        try console.write(document.environment.summary + "\n")
    }

    /// Adds the results of one case: its rows to the document, its problems to the notes.
    ///
    /// - Parameters:
    ///   - speed: which probes of the run were at full speed.
    ///   - variation: how far sets usually differ in the run.
    package func add(_ results: [BenchmarkMeasurements], speed: FullSpeed?, variation: RunVariation? = nil) throws {
        // After an interruption, some benchmarks were never measured.
        let more = ResultRow.rows(of: results, speed: speed, seed: seed, variation: variation).filter {
            $0.operations > 0 || $0.failure != nil || $0.wrong > 0
        }
        document.rows += more
        progress.clear()
        for result in results {
            if let trouble = TroubleReport.text(result) { console.note(trouble) }
            if let reason = result.uncounted { console.note("\(result.benchmark.name): \(reason)\n") }
        }
    }

    package func end(noise: NoiseReport) throws {
        progress.clear()
        document.noise = noise
        // If the file can't be written after all, the results are still printed.
        let written = Result {
            // Of a run that was interrupted at once, nothing replaces the last one's.
            if let file, !(document.rows.isEmpty && file.exists) { try file.write(RunFormat.json.text(document)) }
        }
        if format == .table {
            let (width, isColoured) = (console.width, console.isOutputTerminal)
            try console.write(
                RunTable.text(
                    document.rows, isVerbose ? .whole : .short, countsInstructions: countsInstructions, width: width,
                    isColoured: isColoured, words: words))
            // Hits and tails are the answer of a run under a workload.
            let isDetailed = isVerbose || document.environment.settings.load != nil
            let sections =
                !isDetailed
                ? []
                : [
                    RunTable.tails(document.rows, width: width, isColoured: isColoured),
                    isVerbose ? RunTable.processes(document.rows, width: width, isColoured: isColoured) : "",
                    RunTable.figures(document.rows, width: width),
                    FunctionProfile.text(isVerbose ? document.rows : [], width: width),
                    Table.wrapped(document.noise.text + OutlierReport.text(document.rows), to: width),
                ]
            for section in sections where !section.isEmpty { try console.write("\n" + section) }
        } else {
            try console.write(try format.text(document))
        }
        // The table's summary has the essence of them.
        if format != .table || isVerbose {
            for warning in document.noise.warnings(document.rows) { console.note("warning: \(warning)\n") }
        }
        try written.get()
    }
}

/// Notes below the table on outliers and on benchmarks that weren't warm.
package enum OutlierReport {
    package static func text(_ rows: [ResultRow]) -> String {
        var text = ""
        let (high, far, total) = rows.reduce((0, 0, 0)) {
            ($0.0 + $1.outliers.high, $0.1 + $1.outliers.far, $0.2 + $1.outliers.total)
        }
        if total > 0 {
            let part = Quantity.percent(Double(high) / Double(total))
            text += "outliers: \(part) of \(total) samples beyond Tukey's fence, \(far) of them far; all are kept\n"
        }
        let cold = rows.filter { $0.isSteady == false }.map(\.name.description).once
        if !cold.isEmpty {
            text +=
                "not steady after \(WarmUp.most) warm-up slices: \(cold.count) rows, \(cold.prefix(3).joined(separator: ", "))"
            text += cold.count > 3 ? ", …\n" : "\n"
        }
        return text
    }
}

/// The note on a benchmark that failed or answered wrongly.
package enum TroubleReport {
    /// The most wrong answers described in full.
    private static let told = 3

    /// The most lines of a peer's standard error: the message, without its stack trace.
    private static let peerLines = 3

    /// The note; `nil` if nothing went wrong, or the row already says it.
    package static func text(_ result: BenchmarkMeasurements) -> String? {
        var text = ""
        if let failure = result.failure, !result.lastWords.isEmpty || !result.benchmark.isPeer {
            text += "\(result.benchmark.name) \(failure)\n"
            let lines = result.lastWords.split(separator: "\n")
            text += indented(lines.prefix(result.benchmark.isPeer ? peerLines : lines.count))
        }
        // A peer's wrong answers are only counted in its row: they are known, and not ours to debug.
        if result.wrong > 0 && !result.benchmark.isPeer {
            text += wrongAnswers(of: "\(result.benchmark.name)", result.wrong, result.wrongAnswers)
        }
        return text.isEmpty ? nil : text
    }

    /// How many wrong answers a subject gave, and the first different ones in full.
    package static func wrongAnswers(of name: String, _ count: Int, _ answers: [WrongAnswer]) -> String {
        var different: [WrongAnswer] = []
        for answer in answers where !different.contains(answer) { different.append(answer) }
        return "\(name) gave \(count) wrong answers\n"
            + different.prefix(told).map { answer in
                indented(
                    ["key \(answer.key): expected \(answer.expected), got \(answer.got)"]
                        + answer.history.map { "  " + $0 })
            }.joined()
    }

    private static func indented(_ lines: some Sequence<some StringProtocol>) -> String {
        lines.map { "    \($0)\n" }.joined()
    }
}
