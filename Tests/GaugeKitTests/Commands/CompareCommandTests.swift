import Foundation
import TestSupport
import Testing

@testable import GaugeSupport

@Suite("Command compare", .timeLimit(.minutes(5))) struct CompareCommandTests {
    private func compare(_ arguments: String...) throws -> ChildRun {
        try ChildRun("PlantedGauge", ["compare"] + arguments)
    }

    @Test("a subject that takes ten times as long is called slower")
    func subjects() throws {
        let run = try compare("tiered", "peer", "--filter", "^planted/timed/", "--seconds", "1")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("planted/timed  slower"), "\(run.output)")
        #expect(run.output.contains("B ran "), "\(run.output)")
    }

    @Test("the order of the sides decides which of them is faster")
    func order() throws {
        let run = try compare("planted/timed/peer", "planted/timed/tiered", "--seconds", "1", "--format", "json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"verdict\" : \"faster\""), "\(run.output)")
    }

    @Test("two executables are compared in the rows that both have")
    func builds() throws {
        let path = RunningChild.path(of: "PlantedGauge")
        let run = try compare(path, path, "--filter", "^planted/timed/", "--suite", "full", "--seconds", "0.3")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("planted/timed/tiered"), "\(run.output)")
        #expect(!run.output.contains("planted/timed/peer"))
    }

    @Test("a revision and the working tree are built and compared, and nothing is left behind")
    func revisions() throws {
        let package = try PlantedPackage()
        let child = try package.start(
            ["main", ".", "--filter", "^planted/timed/", "--suite", "full", "--seconds", "0.3"], command: "compare")
        let (output, errors) = child.collect()
        #expect(child.wait() == 0, "\(errors)")
        #expect(output.contains("A  main, ") && output.contains("B  the working tree\n"), "\(output)")
        #expect(output.contains("planted/timed/tiered"), "\(output)")
        #expect(try package.leftovers == [])
    }

    @Test("an unknown revision is refused")
    func unknownRevision() throws {
        let package = try PlantedPackage()
        let child = try package.start(["no-such", "."], command: "compare")
        let (_, errors) = child.collect()
        #expect(child.wait() == 64)
        #expect(errors.contains("there is no revision 'no-such' here"), "\(errors)")
    }

    @Test("a benchmark that cannot be measured has the reason beside it")
    func failure() throws {
        let path = RunningChild.path(of: "PlantedGauge")
        let run = try compare(path, path, "--filter", "^planted/crash-subject/tiered", "--suite=full", "--seconds=0.3")
        #expect(run.status == 1)
        #expect(run.output.contains("crashed (SIGSEGV)"), "\(run.output)")
    }

    @Test(
        "sides that cannot be compared are refused, and the message says what to give",
        arguments: [
            (["tiered"], "compare needs two sides"), ([], "compare needs two sides"),
            (["tiered", "no-such-file.json"], "compare two of the same kind"),
            (["tiered", "per"], "did you mean peer?"), (["--self-test", "tiered"], "without tiered"),
            (["planted/timed/tiered", "planted/honest-subject/tiered"], "no case has both"),
            (["tiered", "peer", "surplus"], "compare does not take 'surplus'"),
        ])
    func refused(arguments: [String], told: String) throws {
        let run = try ChildRun("PlantedGauge", ["compare"] + arguments)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(told), "\(run.errors)")
    }

    @Test("a self-test tries each kind of planted work, and counts its verdicts")
    func selfTest() throws {
        let scratch = try ScratchDirectory()
        let run = try compare(
            "--self-test", "--tries=1", "--filter=^planted/crash-subject/", "--suite=full", "--log=\(scratch.path)/log")
        #expect(run.status == 1)
        #expect(run.errors.contains("crashed (SIGSEGV)"), "\(run.errors)")
    }
}
