import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

@Suite("The last run") struct LastRunTests {
    private func run(in directory: String) throws -> String {
        let planted = RunningChild.path(of: "PlantedGauge")
        let run = try ChildRun(
            "sh",
            ["-c", "cd '\(directory)' && exec '\(planted)' run --suite full --filter '^planted/timed/' --seconds 0.3"])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test("a run compares itself with the one before, where the package has a build directory") func compared() throws {
        let scratch = try ScratchDirectory()
        #expect(!(try run(in: scratch.path)).contains("since the last run"))
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/.build", withIntermediateDirectories: true)
        #expect(!(try run(in: scratch.path)).contains("since the last run"))
        let second = try run(in: scratch.path)
        #expect(second.contains("since the last run ("), "\(second)")
        // On a busy machine some rows lack a figure to compare.
        #expect(second.contains(/[1-6] rows: |no row has a figure/), "\(second)")
    }

    private static func row(_ name: String, _ time: Double) -> ResultRow {
        var row = ResultRow(name: BenchmarkName("a", name, "tiered"), isPeer: false)
        (row.operations, row.median) = (10, time)
        row.undisturbed = Estimate(time, in: time * 0.999...time * 1.001)
        return row
    }

    /// Asked for once: it tells the revision of the sources.
    private static let environment = [1, 2].map { RunEnvironment(settings: RunSettings(seed: $0), directory: nil) }

    private static func document(_ times: [(String, Double)], seed: Int = 1, clock: Double = 2.5) -> RunDocument {
        RunDocument(
            environment: environment[seed - 1],
            rows: times.map { row($0.0, $0.1) }, noise: NoiseReport(clock: 3, referenceClock: clock))
    }

    @Test("the rows that changed most are named, largest change first, and the others are counted")
    func changes() throws {
        let scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/.build", withIntermediateDirectories: true)
        let last = LastRun(package: scratch.path)
        let before = Self.document(["a", "b", "c", "d", "e", "gone"].map { ($0, 100) })
        #expect(last.changes(in: before).isEmpty)
        last.keep(before)
        let date = before.environment.date
        let four = [("a", 110.0), ("b", 80), ("c", 130), ("d", 100.5), ("e", 104), ("new", 1)]
        #expect(
            last.changes(in: Self.document(four)) == [
                "since the last run (\(date)), 5 rows: 3 slower, 1 faster",
                "  a/c/tiered +30.0 %, a/b/tiered -20.0 %, a/a/tiered +10.0 %, …",
            ])
        #expect(
            last.changes(in: Self.document(Array(four.prefix(4)))).last
                == "  a/c/tiered +30.0 %, a/b/tiered -20.0 %, a/a/tiered +10.0 %")
        #expect(
            last.changes(in: Self.document([("d", 100.5)])) == [
                "since the last run (\(date)), 1 rows: 0 slower, 0 faster"
            ])
        #expect(
            last.changes(in: Self.document([("new", 1)])) == [
                "since the last run (\(date)): no row has a figure in both runs"
            ])
        #expect(last.changes(in: Self.document(four, seed: 2)) == ["the last run (\(date)) had another seed"])
    }

    @Test("a run of a few rows leaves the others as they are, and one under other conditions leaves all")
    func filtered() throws {
        let scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/.build", withIntermediateDirectories: true)
        let last = LastRun(package: scratch.path)
        let names = ["a", "b", "c"]
        last.keep(Self.document(names.map { ($0, 100) }))
        last.keep(Self.document([("b", 200)]))
        last.keep(Self.document([("c", 900)], seed: 2))
        let line = try #require(last.changes(in: Self.document(names.map { ($0, 100) })).first)
        #expect(line.hasPrefix("since the last runs (") && line.hasSuffix(", 3 rows: 0 slower, 1 faster"), "\(line)")
        #expect(
            last.changes(in: Self.document([("c", 900)], seed: 2)).first?.hasSuffix("1 rows: 0 slower, 0 faster")
                == true)
    }

    @Test("the number of runs that are kept is bounded, and a file that is not a record is no last run")
    func bounded() throws {
        let scratch = try ScratchDirectory()
        let folder = "\(scratch.path)/.build"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let last = LastRun(package: scratch.path)
        for number in 0...LastRun.most { last.keep(Self.document([("row\(number)", 100)])) }
        let none = last.changes(in: Self.document([("row0", 100)]))
        #expect(none.first?.hasSuffix("no row has a figure in both runs") == true, "\(none)")
        #expect(last.changes(in: Self.document([("row1", 100)])).first?.hasSuffix("0 slower, 0 faster") == true)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        for text in ["", "{}", "[1]", "{\"runs\": 3}", "nonsense"] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            #expect(last.changes(in: Self.document([("row1", 100)])).isEmpty, "\(text)")
        }
    }

    @Test("times are told for the clock of the last run of the same build on the same kind of processor")
    func clock() throws {
        let scratch = try ScratchDirectory()
        let folder = "\(scratch.path)/.build"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let last = LastRun(package: scratch.path)
        let document = Self.document([("a", 100)])
        #expect(last.referenceClock(for: document.environment) == nil)
        for (clock, isTaken) in [(0.0099, false), (0.01, true), (0.04, true), (100, true), (100.1, false)] {
            last.keep(Self.document([("a", 100)], clock: clock))
            #expect(last.referenceClock(for: document.environment) == (isTaken ? clock : nil), "\(clock)")
        }
        last.keep(document)
        #expect(last.referenceClock(for: document.environment) == 2.5)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        for member in ["cpu_model", "library_build_type"] {
            let other = text.replacing("\"\(member)\":\"", with: "\"\(member)\":\"other ")
            #expect(other != text)
            try other.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            #expect(last.referenceClock(for: document.environment) == nil, "\(member)")
        }
    }
}
