import Foundation
import GaugeReports
import GaugeSupport
import Platform

/// `report`: writes one HTML file with the results of runs, replays and curves.
struct ReportCommand: GaugeCommand {
    static let output = CommandOption.text(
        "output", "FILE", help: "the file of the page; standard output by default")

    static let specification = CommandSpecification(
        name: "report", summary: "Draws the results of runs, replays and curves on one HTML page.",
        operands: ["RESULTS.json…"], options: [output.specification],
        notes: [
            """
            RESULTS.json are files written by run --json FILE, or by run, mrc and replay with --format json, in any
            number. The page needs no network and no script, follows the reader's choice of light or dark, and is the
            same for the same results.
            """
        ])

    let paths: [String]
    let output: OutputFile?

    init(_ arguments: ParsedArguments) throws {
        paths = arguments.operands
        output = try arguments[Self.output].map {
            try OutputFile($0, remedy: "name another file with --output")
        }
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let page = HTMLReport(try paths.map(ResultDocument.init(path:))).text
        guard let output else {
            try console.write(page)
            return .ok
        }
        try output.write(page)
        return .ok
    }
}
