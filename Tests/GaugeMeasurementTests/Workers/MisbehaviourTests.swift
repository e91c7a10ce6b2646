import Foundation
import Platform
import TestSupport
import Testing

/// Runs in which the benchmarks of `Fixtures/PlantedGauge` crash, hang or lie, in each role.
@Suite("Misbehaving benchmarks") struct MisbehaviourTests {
    private func run(_ benchmark: String) throws -> ChildRun {
        try ChildRun(
            "PlantedGauge",
            [
                "run", "--verbose", "--suite", "full", "--filter", "^planted/\(benchmark)/", "--seconds", "0.2",
                // Too short a time would make a slow machine's workers hang, too.
                "--time-out", benchmark.hasPrefix("hang") ? "10" : "600",
            ])
    }

    /// The row of one benchmark, which begins with its name and spaces.
    private func row(_ name: String, of run: ChildRun) -> String {
        run.output.split(separator: "\n").first { $0.hasPrefix("planted/\(name) ") }.map(String.init) ?? ""
    }

    /// Whether the row has a time, in whatever unit.
    private func hasTime(_ row: String) -> Bool {
        row.split(separator: " ").contains { ["ns", "µs", "ms", "s"].contains($0) }
    }

    @Test(
        "a peer that fails loses its own row alone",
        arguments: [
            ("crash", "crashed (SIGSEGV)"), ("crash-early", "crashed (SIGSEGV)"), ("trap", "crashed (SIG"),
            ("exit", "exited (7)"), ("hang", "timed out"), ("refuse", "failed: no such library; install it"),
        ])
    func aPeerThatFailsLosesItsOwnRowAlone(misdeed: String, told: String) throws {
        let run = try run("\(misdeed)-peer")
        #expect(run.status == 0)
        #expect(row("\(misdeed)-peer/peer", of: run).contains(told), "\(run.output)")
        #expect(row("\(misdeed)-peer/tiered", of: run).contains("1.00×"), "\(run.output)")
    }

    @Test(
        "a subject under test that fails ends the run with exit code 3",
        arguments: [
            ("crash", "crashed (SIGSEGV)"), ("crash-early", "crashed (SIGSEGV)"), ("trap", "crashed (SIG"),
            ("exit", "exited (7)"), ("hang", "timed out"),
        ])
    func aSubjectUnderTestThatFailsEndsTheRunWithExitCode3(misdeed: String, told: String) throws {
        let run = try run("\(misdeed)-subject")
        #expect(run.status == 3)
        #expect(row("\(misdeed)-subject/tiered", of: run).contains(told), "\(run.output)")
        #expect(run.errors.contains("planted/\(misdeed)-subject/tiered"), "\(run.errors)")
    }

    @Test("a subject under test that fails to prepare is an error, and the run continues")
    func aSubjectUnderTestThatFailsToPrepareIsAnErrorAndTheRunContinues() throws {
        let run = try run("refuse-subject")
        #expect(run.status == 1)
        #expect(hasTime(row("refuse-subject/peer", of: run)), "\(run.output)")
    }

    @Test("a peer's wrong answers are counted in its row") func aPeersWrongAnswersAreCountedInItsRow() throws {
        let run = try run("lie-peer")
        #expect(run.status == 0)
        let wrong = row("lie-peer/peer", of: run).split(separator: " ").last.flatMap { Int($0) }
        #expect(try #require(wrong) > 0)
        #expect(row("lie-peer/tiered", of: run).hasSuffix(" 0"))
    }

    @Test("a wrong answer of the subject under test ends with exit code 3 and the history of the key")
    func aWrongAnswerOfTheSubjectUnderTestEndsWithExitCode3AndTheHistoryOfTheKey() throws {
        let run = try run("lie-subject")
        #expect(run.status == 3)
        #expect(run.errors.contains("key /a: expected version 2, got version 1\n      stored version 1\n"))
    }

    @Test("rows measured before a wrong answer are printed") func rowsMeasuredBeforeAWrongAnswerArePrinted() throws {
        let run = try ChildRun(
            "PlantedGauge",
            ["run", "--verbose", "--suite", "full", "--filter", "honest-peer|lie-subject|refuse", "--seconds", "0.2"]
        )
        #expect(run.status == 3)
        #expect(hasTime(row("honest-peer/tiered", of: run)), "\(run.output)")
        // This benchmark comes after the lie in the list.
        #expect(row("refuse-peer/tiered", of: run) == "")
    }

    @Test("a body may print without disturbing the protocol") func aBodyMayPrintWithoutDisturbingTheProtocol() throws {
        let run = try run("chatter-peer")
        #expect(run.status == 0)
        #expect(hasTime(row("chatter-peer/peer", of: run)), "\(run.output)")
        #expect(!run.output.contains("_0"))
    }

    @Test("no temporary file is left, whatever happens") func noTemporaryFileIsLeftWhateverHappens() throws {
        let scratch = try ScratchDirectory()
        for misdeed in ["honest-peer", "crash-subject", "lie-subject"] {
            let run = try ChildRun(
                "PlantedGauge",
                ["run", "--verbose", "--suite", "full", "--filter", "/\(misdeed)/", "--seconds", "0.2"],
                environment: ["TMPDIR": scratch.path])
            #expect(run.output.contains("planted/\(misdeed)"))
            #expect(scratch.contents == [])
        }
    }
}
