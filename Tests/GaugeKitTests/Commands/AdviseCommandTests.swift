import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeTraces

/// The command `advise`.
@Suite("Command advise") struct AdviseCommandTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Ten objects of 10 KiB, asked for in turns.
    private func trace(rounds: Int = 20) throws -> String {
        let path = scratch.path + "/trace.csv"
        let lines = (0..<rounds).flatMap { _ in (0..<10).map { "\($0),10240\n" } }
        try Data(("key,size\n" + lines.joined()).utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("says which capacity is enough, above which nothing is gained, and draws a bar for each")
    func answer() throws {
        let run = try ChildRun("PlantedGauge", ["advise", try trace()])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("128 KiB gets 100.0 % of what any size can get: 95.0 % of the requests are hits"))
        #expect(run.output.contains("█") && run.output.contains("gdsf*"))
    }

    @Test("what is gained above the full capacity is nothing only if it is none") func hardlyAnything() throws {
        let file = try trace(rounds: 200)
        let above = "Above 128 KiB"
        #expect(!(try ChildRun("PlantedGauge", ["advise", file]).output.contains("hardly")))
        var lines = try String(contentsOfFile: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        for place in [1_900, 1_000, 1] { lines.insert("99,600000", at: place) }
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try ChildRun("PlantedGauge", ["advise", file])
        #expect(run.output.contains("\(above) hardly anything is gained."), "\(run.output)\(run.errors)")
    }

    @Test("a pipe is read once, and the same is said of it as of a file", arguments: [true, false])
    func pipe(hasSizes: Bool) throws {
        let pipe = scratch.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let file = try trace()
        if !hasSizes {
            let keys = try String(contentsOfFile: file, encoding: .utf8).replacing("size", with: "")
                .replacing(",10240", with: "").replacing(",", with: "")
            try keys.write(toFile: file, atomically: true, encoding: .utf8)
        }
        let bytes = try Data(contentsOf: URL(filePath: file))
        let child = try RunningChild("PlantedGauge", ["advise", "--trace-format=csv", pipe])
        // Opens once the command has.
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: bytes)
        try writer.close()
        let (output, errors) = child.collect()
        #expect(child.wait() == 0 && output.contains("gdsf*"), "\(errors)")
        let run = try ChildRun("PlantedGauge", ["advise", "--trace-format=csv", file])
        #expect(output.replacing(pipe, with: file) == run.output)
    }

    @Test("writes the same as JSON") func json() throws {
        let run = try ChildRun("PlantedGauge", ["advise", "--format=json", try trace()])
        struct Report: Decodable {
            struct Point: Decodable { let policy: String, capacity, hits: Int }
            let capacity, full_capacity, working_set, objects: Int
            let points: [Point]
            let advice: [String]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.capacity == 128 << 10 && report.full_capacity == 128 << 10 && report.objects == 10)
        #expect(Set(report.points.map(\.policy)) == ["lru", "gdsf"] && !report.advice.isEmpty)
    }

    @Test("where nothing is asked for again, says so") func nothing() throws {
        let run = try ChildRun("PlantedGauge", ["advise", try trace(rounds: 1)])
        #expect(run.status == 0 && run.output.contains("No capacity gains anything"))
    }

    @Test(
        "a trace of which more is skipped than read ends with a failure, and with the figures, unless that was asked for"
    )
    func loss() throws {
        let path = scratch.path + "/noise.log"
        let line = "192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET /x HTTP/1.1\" 200 5 \"-\" \"-\"\n"
        try Data((line + String(repeating: "noise\n", count: 4)).utf8).write(to: URL(filePath: path))
        for command in ["advise", "mrc"] {
            let run = try ChildRun("PlantedGauge", [command, path])
            #expect(run.status == 1 && run.errors.contains("more was skipped than read") && !run.output.isEmpty)
            #expect(try ChildRun("PlantedGauge", [command, "--skip-damaged", path]).status == 0)
        }
    }

    @Test("a layout that the user describes is passed to the process of a replay") func layouts() throws {
        let arguments = ["--log-format=%h %^ %^ [%x] \"%r\" %s %b", "a.log"]
        let first = try ReplayOptions(ParsedArguments(arguments, of: ReplayCommand.specification))
        let again = try ReplayOptions(
            ParsedArguments(first.arguments(directory: "/d"), of: ReplayWorkerCommand.specification))
        #expect(first.trace.layout?.format == .textLog && again.trace.layout == first.trace.layout)
        let named = try ReplayOptions(
            ParsedArguments(["--fields=url=a,status=b", "a.log"], of: ReplayCommand.specification))
        #expect(named.trace.layout?.fields?.text == "url=a,status=b")
        #expect(named.arguments(directory: nil).contains("--fields=url=a,status=b"))
    }
}
