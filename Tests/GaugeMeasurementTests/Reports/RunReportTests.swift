import Foundation
import GaugeSupport
import Synchronization
import TestSupport
import Testing

@testable import GaugeMeasurement

@Suite("Report of a run, and its notes") struct RunReportTests {
    private final class Transcript: Sendable {
        let output = Mutex("")
        let notes = Mutex("")
        var console: Console {
            Console(
                write: { text in self.output.withLock { $0 += text } },
                note: { text in self.notes.withLock { $0 += text } })
        }
    }

    private static func measured(_ subject: String, isPeer: Bool = false) -> BenchmarkMeasurements {
        BenchmarkMeasurements(
            Benchmark(BenchmarkName("a", "b", subject), isPeer: isPeer) { _ in PreparedBenchmark(.batched { _ in }) })
    }

    private func run(
        _ results: [BenchmarkMeasurements] = [], format: RunFormat = .table, isVerbose: Bool = false,
        load: OfferedLoad? = nil, noise: NoiseReport = NoiseReport()
    ) throws -> (rows: [String], output: String, notes: String) {
        let transcript = Transcript()
        let report = RunReport(
            console: transcript.console, format: format,
            environment: RunEnvironment(settings: RunSettings(load: load), directory: nil),
            isVerbose: isVerbose)
        try report.begin()
        try report.add(results, speed: nil)
        try report.end(noise: noise)
        return (
            report.document.rows.map(\.name.description), transcript.output.withLock { $0 },
            transcript.notes.withLock { $0 }
        )
    }

    @Test("a benchmark that was never measured has no row, one that failed or lied has") func rows() throws {
        var (failed, lied, uncounted) = (Self.measured("failed"), Self.measured("lied"), Self.measured("uncounted"))
        failed.failure = .timedOut
        lied.take(wrong: 3, [])
        uncounted.uncounted = "no valgrind"
        let result = try run([Self.measured("never"), failed, lied, uncounted])
        #expect(result.rows == ["a/b/failed", "a/b/lied"])
        #expect(result.notes.contains("a/b/uncounted: no valgrind\n"))
    }

    @Test("troubles are told in the order of the results") func order() throws {
        let results = ["second", "first", "third"].map { name in
            var result = Self.measured(name)
            (result.uncounted, result.failure) = ("reason of \(name)", .timedOut)
            return result
        }
        let notes = try run(results).notes.split(separator: "\n")
        let names = notes.compactMap { $0.firstMatch(of: /a\/b\/(\w+): reason of (\w+)$/)?.output }
        #expect(names.map(\.1) == ["second", "first", "third"] && names.allSatisfy { $0.1 == $0.2 }, "\(notes)")
    }

    @Test("the noise is told with every figure, and of a run under a workload") func noise() throws {
        #expect(!(try run().output.contains("noise: ")))
        #expect(try run(isVerbose: true).output.contains("\nnoise: "))
        #expect(
            try run(load: OfferedLoad(arguments: [], summary: "a workload", isPaced: false)).output.contains(
                "\nnoise: "))
        let loud = NoiseReport(stolen: 0.05)
        #expect(!(try run(noise: loud).notes.contains("warning: ")))
        #expect(try run(isVerbose: true, noise: loud).notes.contains("warning: the host took 5.0 %"))
        #expect(try run(format: .csv, noise: loud).notes.contains("warning: the host took 5.0 %"))
    }

    @Test("where the file cannot be written after all, the results are printed and the error is told")
    func lostFile() throws {
        let transcript = Transcript()
        let scratch = try ScratchDirectory()
        let folder = "\(scratch.path)/results"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let report = RunReport(
            console: transcript.console, format: .csv,
            environment: RunEnvironment(settings: RunSettings(), directory: nil),
            file: try OutputFile("\(folder)/run.json", remedy: "name another"))
        try FileManager.default.removeItem(atPath: folder)
        try report.begin()
        let error = #expect(throws: GaugeError.self) { try report.end(noise: NoiseReport()) }
        #expect(error?.description.contains("name another") == true)
        #expect(transcript.output.withLock { $0 }.hasPrefix("name,stage,"))
    }

    @Test("three different wrong answers are told, and of a peer's last words three lines and no answer")
    func troubles() throws {
        func answer(_ number: Int) -> WrongAnswer {
            WrongAnswer(key: "k\(number)", expected: "e\(number)", got: "g\(number)", history: ["h\(number)"])
        }
        let words = (1...5).map { "line \($0)\n" }.joined()
        var (own, peer) = (Self.measured("own"), Self.measured("peer", isPeer: true))
        own.take(wrong: 9, [1, 1, 2, 2, 3, 4].map(answer))
        (own.failure, own.lastWords) = (.crashed(signal: 11), words)
        peer.take(wrong: 9, [answer(1)])
        (peer.failure, peer.lastWords) = (.crashed(signal: 11), words)
        let lines = (1...5).map { "    line \($0)\n" }
        let answers = (1...3).map { "    key k\($0): expected e\($0), got g\($0)\n      h\($0)\n" }
        #expect(
            TroubleReport.text(own) == "a/b/own crashed (SIGSEGV)\n\(lines.joined())a/b/own gave 9 wrong answers\n"
                + answers.joined())
        #expect(TroubleReport.text(peer) == "a/b/peer crashed (SIGSEGV)\n\(lines.prefix(3).joined())")
        peer.lastWords = ""
        #expect(TroubleReport.text(peer) == nil && TroubleReport.text(Self.measured("fine")) == nil)
        own = Self.measured("own")
        own.failure = .timedOut
        #expect(TroubleReport.text(own) == "a/b/own \(WorkerFailure.timedOut)\n")
    }

    @Test("with every figure the environment and the header stand first, and warnings come in their order")
    func verbose() throws {
        var lied = Self.measured("lied")
        lied.take(wrong: 3, [])
        let noise = NoiseReport(stolen: 0.05, loadBefore: 9, loadAfter: 9, processors: 2)
        let warnings = noise.warnings([])
        let result = try run([lied], isVerbose: true, noise: noise)
        let header = RunTable.caption + "\n"
        let parts = result.output.components(separatedBy: header)
        #expect(parts.count == 2 && parts[0].hasSuffix("\n") && parts[0].count > 20, "\(result.output)")
        #expect(parts.last?.split(separator: "\n").dropFirst().first?.hasPrefix("a/b/lied ") == true)
        #expect(warnings.count == 2)
        let told = result.notes.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
        #expect(told.map { $0.dropFirst("warning: ".count) } == warnings.map { $0[...] })
        #expect(try run([lied]).output.contains("\na\n  b/lied "))
    }

    @Test("the tables and the summary are the recorded ones", arguments: [false, true])
    func tables(isColoured: Bool) {
        var close = DistinctRow.row
        close.name = BenchmarkName("url-cache", "hit", "foundation")
        (close.ratio, close.ratioInterval) = (1.02, 0.97...1.07)
        var own = SampleDocument.batched
        own.name = BenchmarkName("url-cache", "hit", "tiered")
        let rows = SampleDocument.all + [DistinctRow.row, DistinctRow.store, own, close]
        let noise = NoiseReport(
            stolen: 0.01, loadBefore: 0.5, loadAfter: 2.25, processors: 4, pairs: [0.02, 0.03], fullSpeed: 0.75,
            clock: 2.5, referenceClock: 2.75)
        let document = RunDocument(
            environment: RunEnvironment(settings: RunSettings(), directory: nil), rows: rows, noise: noise)
        let text = [
            RunTable.text(rows, .short, countsInstructions: isColoured, isColoured: isColoured),
            RunTable.text(rows, .whole, countsInstructions: !isColoured, width: 140, isColoured: isColoured),
            RunTable.text(rows, .short, countsInstructions: true, width: 80, isColoured: isColoured),
            RunTable.tails(rows, isColoured: isColoured), RunTable.figures(rows), OutlierReport.text(rows),
            RunSummary(document, changes: ["a change"]).text,
        ].joined(separator: "\n").replacing("\u{1B}", with: "ESC")
        #expect(RecordedText.differences(of: text, from: "Tables/run\(isColoured ? "-coloured" : "").txt") == [])
        let lines = MarkdownReport.text(document).split(separator: "\n", omittingEmptySubsequences: false)
        let markdown = lines.filter { $0.hasPrefix("|") }.joined(separator: "\n")
        #expect(RecordedText.differences(of: markdown, from: "Tables/run.md") == [])
        #expect(RecordedText.differences(of: CSVReport.text(rows), from: "Tables/run.csv") == [])
    }
}
