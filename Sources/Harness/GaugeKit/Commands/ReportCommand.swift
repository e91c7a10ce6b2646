import Foundation
import Platform

/// `report`: writes one HTML file with the results of runs, replays and curves.
struct ReportCommand: GaugeCommand {
    static let output = CommandOption.text("output", "FILE", help: "the file of the page; standard output by default")
    static let allCurves = CommandOption.flag(
        "all-curves", help: "draws every policy of a miss-ratio curve; by default LRU and the five that miss least")

    static let history = CommandOption.flag(
        "history",
        help: "draws the versions of each file that git keeps, the newest \(RecordHistory.mostVersions), as a trend")

    static let specification = CommandSpecification(
        name: "report", summary: "Draws the results of runs, replays and curves on one HTML page.",
        operands: ["RESULTS.json…"], options: [output, allCurves, history],
        notes: [
            """
            RESULTS.json are files written by run --json FILE, or by run, mrc and replay with --format json, in any
            number, or folders of them, read in the order of their dates. The page opens with a summary; a line of a stage unfolds to its figures and distributions, and the
            files of several runs, in their order, are a trend. It needs no network, follows the reader's choice of
            light or dark, and is the same for the same results. A script filters rows and shows values under the
            pointer; without it everything else is there.
            """
        ])

    let paths: [String]
    let output: OutputFile?
    let drawsAllCurves: Bool
    let readsHistory: Bool

    init(_ arguments: ParsedArguments) throws {
        paths = arguments.operands
        drawsAllCurves = arguments.has(Self.allCurves)
        readsHistory = arguments.has(Self.history)
        output = try arguments[Self.output].map {
            try OutputFile($0, remedy: "name another file with --output")
        }
    }

    /// The last parts of the paths, or whole paths if these are equal.
    private static func names(_ paths: [String]) -> [String] {
        let last = paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        return Set(last).count == last.count ? last : paths
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let interruption = try Interruption()
        let records = try paths.flatMap {
            try readsHistory
                ? RecordHistory.versions(of: $0, interruption: interruption) {
                    console.note("warning: left out: \($0)\n")
                } : RecordHistory.records(at: $0)
        }
        let page = HTMLReport(
            records.map(\.document), names: Self.names(records.map(\.name)), words: gauge.words,
            drawsAllCurves: drawsAllCurves
        ).text
        guard let output else {
            try console.write(page)
            return .ok
        }
        try output.write(page)
        return .ok
    }
}
