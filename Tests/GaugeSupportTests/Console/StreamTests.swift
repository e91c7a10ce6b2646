import Foundation
import Platform
import TestSupport
import Testing

/// The streams of the output, and failures to write to them.
@Suite("Output streams") struct StreamTests {
    private let planted = RunningChild.path(of: "PlantedGauge")
    private let run = "run --suite full --filter honest-peer --seconds 0.2"

    private func shell(_ script: String, environment: [String: String] = [:]) throws -> ChildRun {
        try ChildRun("sh", ["-c", script.replacing("PLANTED", with: "'\(planted)'")], environment: environment)
    }

    @Test("a reader that leaves early ends the run in silence")
    func aReaderThatLeavesEarlyEndsTheRunInSilence() throws {
        let scratch = try ScratchDirectory()
        let run = try shell("PLANTED \(run) | head -n 1", environment: ["TMPDIR": scratch.path])
        #expect(run.status == 0)
        #expect(!run.errors.contains("planted"))
        #expect(scratch.contents == [])
    }

    @Test("a closed standard input changes nothing") func aClosedStandardInputChangesNothing() throws {
        let run = try shell("PLANTED \(run) <&-")
        #expect(run.status == 0)
        #expect(run.output.contains("honest-peer/peer"))
    }

    @Test("a closed standard output is an error, not lost results")
    func aClosedStandardOutputIsAnErrorNotLostResults() throws {
        let run = try shell("PLANTED \(run) >&-")
        #expect(run.status == 1)
        #expect(run.errors.contains("results cannot be written"))
    }

    @Test("a closed standard error changes nothing") func aClosedStandardErrorChangesNothing() throws {
        #expect(try shell("PLANTED \(run) 2>&-").status == 0)
    }

    @Test("with both outputs closed the results are not lost silently: the exit code tells it") func bothClosed() throws
    {
        let scratch = try ScratchDirectory()
        let run = try shell("PLANTED \(run) >&- 2>&-", environment: ["TMPDIR": scratch.path])
        #expect(run.status == 1)
        #expect(scratch.contents == [])
    }

    @Test("HOME may be unset or point nowhere") func homeMayBeUnsetOrPointNowhere() throws {
        #expect(try shell("unset HOME; PLANTED \(run)").status == 0)
        #expect(try shell("HOME=/nonexistent PLANTED \(run)").status == 0)
    }

    @Test("a piped table has no colours and no progress") func aPipedTableHasNoColoursAndNoProgress() throws {
        let run = try shell("PLANTED \(run)")
        #expect(!run.output.contains("\u{1B}") && !run.errors.contains("\u{1B}"))
    }

    @Test("a directory that cannot be written names the remedy")
    func aDirectoryThatCannotBeWrittenNamesTheRemedy() throws {
        let run = try shell("PLANTED \(run) --directory /nonexistent")
        #expect(run.status == 1)
        #expect(run.errors.contains("no directory can be made in /nonexistent: No such file or directory"))
        #expect(run.errors.contains("--directory"))
    }

    @Test("a file of results that cannot be written is found out before measuring")
    func aFileOfResultsThatCannotBeWritten() throws {
        let run = try shell("PLANTED \(run) --json /nonexistent/a.json")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("/nonexistent/a.json cannot be written: No such file or directory"))
        #expect(run.errors.contains("--json"))
    }

    @Test("a directory named by the user keeps its content") func aDirectoryNamedByTheUserKeepsItsContent() throws {
        let scratch = try ScratchDirectory()
        try Data().write(to: URL(fileURLWithPath: "\(scratch.path)/precious"))
        #expect(try shell("PLANTED \(run) --directory \(scratch.path)").status == 0)
        #expect(scratch.contents == ["precious"])
    }

    @Test("a directory in memory causes a warning", .enabled(if: fileSystemType(at: "/dev/shm") == "tmpfs"))
    func aDirectoryInMemoryCausesAWarning() throws {
        let run = try shell("PLANTED \(run) --verbose --directory /dev/shm")
        #expect(run.status == 0)
        #expect(run.errors.contains("warning: the directory is in memory (tmpfs); name one on a disk with --directory"))
        #expect(run.output.contains("on tmpfs"))
    }

    @Test("a filter that would match for ever is abandoned") func aFilterThatWouldMatchForEverIsAbandoned() throws {
        let run = try shell("PLANTED list --filter '(.+)+Z'")
        #expect(run.status == 64)
        #expect(run.errors.contains("takes too long to match"))
    }
}
