import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Command compare", .timeLimit(.minutes(60))) struct CompareCommandTests {
    private func compare(_ arguments: String...) throws -> ChildRun {
        try ChildRun("PlantedGauge", ["compare"] + arguments)
    }

    @Test("a subject that takes ten times as long is called slower") func subjects() throws {
        let run = try compare("tiered", "peer", "--filter", "^planted/timed/", "--seconds", "4")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#/\nplanted/timed +worse /#), "\(run.output)")
        #expect(run.output.contains("B ran "), "\(run.output)")
    }

    @Test("the order of the sides decides which of them is faster, and both have their times") func order() throws {
        let run = try compare("planted/timed/peer", "planted/timed/tiered", "--seconds", "4", "--format", "json")
        #expect(run.status == 0, "\(run.errors)")
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8))
        let row = try #require(document["rows"]?.elements.first)
        #expect(row["verdict"]?.string == "better", "\(run.output)")
        let (a, b) = try (#require(row["a_ns"]?.double), #require(row["b_ns"]?.double))
        // If some pairs had one side twice, the ratio would be near 0.3.
        let ratio = try #require(row["ratio"]?.double)
        #expect((0.05...0.2).contains(ratio) && (0.05...0.2).contains(b / a), "\(run.output)")
    }

    @Test(
        "wrong answers are told of the side that gave them",
        arguments: [("tiered", "peer", "B"), ("peer", "tiered", "A")])
    func wrongAnswers(a: String, b: String, side: String) throws {
        let run = try compare(a, b, "--filter", "^planted/lie-peer/", "--seconds", "0.3")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("planted/lie-peer: \(side) gave "), "\(run.output)")
        #expect(run.output.components(separatedBy: " wrong answers").count == 2, "\(run.output)")
    }

    @Test("a build that gives wrong answers is no comparison, and decides the exit code") func lies() throws {
        let path = RunningChild.path(of: "PlantedGauge")
        let run = try compare(
            path, path, "--filter", "^planted/(lie-subject|timed)/", "--suite", "full", "--seconds", "0.3")
        #expect(run.status == 3 && run.output.contains("wrong answers; run it with the command run"), "\(run.output)")
    }

    @Test("two executables are compared in the rows that both have") func builds() throws {
        let path = RunningChild.path(of: "PlantedGauge")
        let run = try compare(path, path, "--filter", "^planted/timed/", "--suite", "full", "--seconds", "0.3")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("planted/timed/tiered"), "\(run.output)")
        #expect(!run.output.contains("planted/timed/peer") && !run.output.contains("that only one of"), "\(run.output)")
    }

    @Test("benchmarks that only one of two executables has are counted, on either side", arguments: [false, true])
    func oneSided(isFirst: Bool) throws {
        let scratch = try ScratchDirectory()
        let sides = [try otherBuild("more", in: scratch), RunningChild.path(of: "PlantedGauge")]
        let run = try compare(
            sides[isFirst ? 0 : 1], sides[isFirst ? 1 : 0], "--filter=^planted/(timed|more)/", "--suite=full",
            "--seconds=0.3")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("The times of 1 benchmarks that only one of the builds has."), "\(run.output)")
    }

    @Test(
        "of two builds the one that takes longer is the slower one, on either side",
        arguments: nightly([false, true], else: [true]))
    func direction(isFirst: Bool) throws {
        let scratch = try ScratchDirectory()
        let sides = [try otherBuild("worse", in: scratch), RunningChild.path(of: "PlantedGauge")]
        let run = try compare(
            sides[isFirst ? 0 : 1], sides[isFirst ? 1 : 0], "--filter=^planted/timed/", "--suite=full", "--seconds=4",
            "--format=json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"verdict\" : \"\(isFirst ? "better" : "worse")\""), "\(run.output)")
    }

    @Test("of two builds of an actor the one whose calls take longer is the slower one") func actors() throws {
        let scratch = try ScratchDirectory()
        let run = try compare(
            RunningChild.path(of: "PlantedGauge"), try otherBuild("worse", in: scratch), "--filter=^memory/.*/actor",
            "--suite=full", "--seconds=6")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#/\nmemory/hit/1k/actor +worse /#), "\(run.output)")
        #expect(run.output.contains("memory/hits/1k/2-tasks/actor"), "\(run.output)")
    }

    @Test("two files of results are read, each for its side") func files() throws {
        let scratch = try ScratchDirectory()
        for (file, filter) in [("a", "^planted/(timed|figures)/tiered"), ("b", "^planted/timed/tiered")] {
            let run = try ChildRun(
                "PlantedGauge",
                [
                    "run", "--suite=full", "--filter=\(filter)", "--sets=2", "--samples=2", "--format=csv",
                    "--json=\(scratch.path)/\(file).json",
                ])
            #expect(run.status == 0, "\(run.errors)")
        }
        let both = try compare("\(scratch.path)/a.json", "\(scratch.path)/b.json")
        #expect(both.status == 0, "\(both.errors)")
        #expect(both.output.contains("planted/timed/tiered") && !both.output.contains("planted/figures/tiered  "))
        #expect(both.output.contains("The times of 1 benchmarks that only one of the files has."), "\(both.output)")
        let chosen = try compare("\(scratch.path)/a.json", "\(scratch.path)/b.json", "--filter=timed")
        #expect(chosen.status == 0 && !chosen.output.contains("that only one of the files has"), "\(chosen.output)")
        let wrong = try String(contentsOfFile: "\(scratch.path)/b.json", encoding: .utf8)
            .replacing(/"wrong" ?: ?0/, with: #""wrong":3"#)
        try wrong.write(toFile: "\(scratch.path)/wrong.json", atomically: false, encoding: .utf8)
        for (a, b) in [("b", "wrong"), ("wrong", "b")] {
            let judged = try compare("\(scratch.path)/\(a).json", "\(scratch.path)/\(b).json")
            #expect(judged.status == 3 && judged.output.contains(" gave 3 wrong answers"), "\(judged.output)")
        }
        let run = [
            "run", "--filter=^planted/figures/tiered$", "--suite=full", "--sets=2", "--samples=2", "--format=csv",
        ]
        _ = try ChildRun("PlantedGauge", run + ["--json=\(scratch.path)/c.json"])
        let apart = try compare("\(scratch.path)/b.json", "\(scratch.path)/c.json")
        #expect(apart.status == 64 && apart.errors.contains("have no row in common"), "\(apart.errors)")
        for (option, reason) in [("--filter=nothing", "matches no benchmark"), ("--seed=3", "leave out --seed")] {
            let refused = try compare("\(scratch.path)/a.json", "\(scratch.path)/b.json", option)
            #expect(refused.status == 64 && refused.errors.contains(reason), "\(refused.errors)")
        }
    }

    @Test("a revision and the working tree are built and compared, and nothing is left behind")
    func revisions() throws {
        let package = try PlantedPackage()
        let child = try package.start(
            ["main", ".", "--filter", "^planted/timed/", "--suite", "full", "--seconds", "0.3"], command: "compare")
        let (output, errors) = child.collect()
        #expect(child.wait() == 0, "\(errors)")
        #expect(output.contains(/A  main, [0-9a-f]{12}\n/) && output.contains("B  the working tree\n"), "\(output)")
        #expect(output.contains("planted/timed/tiered"), "\(output)")
        #expect(try package.leftovers == [])
    }

    @Test("an unknown revision is refused") func unknownRevision() throws {
        let package = try PlantedPackage()
        let child = try package.start(["no-such", "."], command: "compare")
        let (_, errors) = child.collect()
        #expect(child.wait() == 64)
        #expect(errors.contains("there is no revision 'no-such' here"), "\(errors)")
    }

    @Test("a benchmark that cannot be measured has the reason beside it") func failure() throws {
        let path = RunningChild.path(of: "PlantedGauge")
        let run = try compare(path, path, "--filter", "^planted/crash-subject/tiered", "--suite=full", "--seconds=0.3")
        #expect(run.status == 1)
        // The line is as long as the path of the build.
        #expect(run.output.replacing("\n", with: " ").contains("crashed (SIGSEGV)"), "\(run.output)")
    }

    @Test(
        "sides that cannot be compared are refused, and the message says what to give",
        arguments: [
            (["tiered"], "compare needs two sides"), ([], "compare needs two sides"),
            (["tiered", "no-such-file.json"], "compare two of the same kind"),
            (["tiered", "per"], "per is none; did you mean peer?"), (["--self-test", "tiered"], "without tiered"),
            (["planted/timed/tiered", "planted/honest-subject/tiered"], "no case has both"),
            (["tiered", "peer", "surplus"], "compare does not take 'surplus'"),
        ])
    func refused(arguments: [String], told: String) throws {
        let run = try ChildRun("PlantedGauge", ["compare"] + arguments)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(told), "\(run.errors)")
    }

    @Test("two subjects are compared in the cases of the default suite, whose number and duration are told first")
    func told() throws {
        let rare = try ChildRun("PlantedGauge", ["compare", "tiered", "peer", "--filter=^none$", "--suite=default"])
        #expect(rare.status == 64, "\(rare.errors)")
        let told = "no case of suite default has both tiered and peer; see --filter, and add --suite full"
        #expect(rare.errors.contains(told), "\(rare.errors)")
        let one = try compare("planted/timed/tiered", "planted/timed/tiered", "--seconds=0.2")
        #expect(one.errors.hasPrefix("1 row: 0.2 s\n"), "\(one.errors)")
    }

    @Test("a benchmark on several threads is compared on all processors") func threads() throws {
        let path = RunningChild.path(of: "PlantedGauge")
        let run = try compare(path, path, "--filter=^planted/threads/", "--suite=full", "--seconds=0.3")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("planted/threads/2/tiered") && !run.output.contains("NeedsAll"), "\(run.output)")
    }

    @Test("a self-test goes on where its log ends, and refuses one of other options") func goesOn() throws {
        let scratch = try ScratchDirectory()
        let log = "\(scratch.path)/log"
        let begun = try TrialLog(path: log, benchmark: "planted/timed/tiered", lastSeconds: 1)
        let options = ["--self-test", "--tries=1", "--filter=^planted/timed/", "--suite=full", "--log=\(log)"]
        let run = try ChildRun("PlantedGauge", ["compare", "--seed=\(begun.seed)"] + options)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("6/6 planted/timed/tiered  ") && !run.errors.contains("5/6"), "\(run.errors)")
        #expect(run.output.contains("| 6 | planted/timed/tiered | ") && !run.output.contains("| 7 | "))
        let other = try ChildRun("PlantedGauge", ["compare", "--seed=\(begun.seed + 1)"] + options)
        #expect(other.status == 64 && other.errors.contains("was begun with other options"), "\(other.errors)")
    }

    @Test("a self-test tries each kind of planted work, and counts its verdicts") func selfTest() throws {
        let scratch = try ScratchDirectory()
        let run = try compare(
            "--self-test", "--tries=1", "--filter=^planted/crash-subject/", "--suite=full", "--log=\(scratch.path)/log")
        #expect(run.status == 1)
        #expect(run.errors.contains("crashed (SIGSEGV)"), "\(run.errors)")
    }
}

/// The log of a self-test of `compare` that lacks its last try.
private struct TrialLog {
    /// The first seed by whose plan the last try takes so many seconds.
    let seed: UInt64

    init(path: String, benchmark: String, lastSeconds: Double) throws {
        let directory = try TemporaryDirectory(in: nil)
        defer { directory.remove() }
        func selfTest(_ seed: UInt64) -> CompareSelfTest {
            CompareSelfTest(
                benchmarks: [benchmark], tries: 1, delta: JudgingRule.comparisonDelta,
                experiment: Experiment(settings: RunSettings(seed: seed), directory: directory, interruption: nil))
        }
        let seed = try #require((1...100).first { selfTest($0).plan.last?.kind.seconds == lastSeconds })
        self.seed = seed
        let log = try LineLog<CompareSelfTest.Line>(path)
        try log.add(.settings(.init(seed: seed, benchmarks: [benchmark], delta: JudgingRule.comparisonDelta)))
        for next in selfTest(seed).plan.dropLast() {
            try log.add(
                .round(
                    .init(benchmark: next.benchmark, kind: next.kind, isB: next.isB, verdict: .inconclusive, sets: 0)))
        }
    }
}
