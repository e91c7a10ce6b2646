import Foundation
import TestSupport
import Testing

/// A gate between two executables, of which the base is the planted one with something changed.
@Suite("Command gate with a base executable", .timeLimit(.minutes(60))) struct BaseExecutableTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// - Parameter base: see `PlantedGauge.build`.
    private func gate(_ base: String, filter: String, _ arguments: String...) throws -> ChildRun {
        try gate(base, filter: filter, arguments)
    }

    private func gate(_ base: String, filter: String, _ arguments: [String]) throws -> ChildRun {
        let script = try otherBuild(base, in: scratch)
        return try ChildRun(
            "PlantedGauge",
            ["gate", "--base-executable", script, "--no-growth", "--suite=full", "--filter=\(filter)"] + arguments,
            environment: ["PATH": "/nowhere", "TMPDIR": scratch.path, "GITHUB_ACTIONS": ""])
    }

    @Test("what the base does worse is an improvement, and its counts stand first") func direction() throws {
        let gate = try gate("worse", filter: "^planted/timed/", "--fail-on-improvement")
        #expect(gate.status == 4, "\(gate.errors)\(gate.output)")
        let misses = gate.output.split(separator: "\n").first { $0.contains(" misses ") } ?? ""
        let words = misses.split(separator: " ")
        #expect(words.contains("better"), "\(misses)")
        #expect(words.firstIndex(of: "0.5") ?? .max < words.firstIndex(of: "0.25") ?? .min, "\(misses)")
        #expect(gate.output.contains(" 0 worse"), "\(gate.output)")
    }

    @Test("a base that takes longer is the slower one in time as well") func time() throws {
        let gate = try gate("worse", filter: "^planted/timed/", "--times", "--seconds=100", "--fail-on-improvement")
        #expect(gate.status == 4, "\(gate.errors)\(gate.output)")
        #expect(
            gate.output.contains("time of 1 benchmark: 0 worse by more than 1.0 %, 1 better"), "\(gate.output)")
    }

    @Test("an actor that became quicker is better in its time, and what its calls allocate is counted")
    func actor() throws {
        let times = try gate(
            "worse", filter: "^memory/hit/1k/actor", "--times", "--seconds=60", "--fail-on-improvement")
        #expect(times.status == 4, "\(times.errors)\(times.output)")
        #expect(times.output.contains("1 benchmark: 0 worse by more than 1.0 %, 1 better"), "\(times.output)")
        let counts = try gate("honest", filter: "^memory/.*/actor")
        #expect(counts.status == 0, "\(counts.errors)\(counts.output)")
        #expect(counts.output.contains("3 benchmarks"), "\(counts.output)")
    }

    @Test("wrong answers of the base are history, and those of this build are an error") func wrongAnswers() throws {
        let base = try gate("lies", filter: "^planted/timed/")
        #expect(base.status == 0, "\(base.errors)\(base.output)")
        let head = try gate("honest", filter: "^planted/lie-subject/")
        #expect(head.status == 3, "\(head.errors)\(head.output)")
        #expect(head.errors.contains("planted/lie-subject/tiered: it gives "), "\(head.errors)")
    }

    @Test("a base that does not exist is named, with the option") func missing() throws {
        let gate = try ChildRun("PlantedGauge", ["gate", "--base-executable", "nosuch", "--directory", scratch.path])
        #expect(gate.status == 1 && gate.output.isEmpty)
        #expect(gate.errors.contains("nosuch does not exist or cannot be run; name another build"), "\(gate.errors)")
    }

    @Test("a base that is no gauge is an error that says what its main has to be") func noGauge() throws {
        let gate = try ChildRun(
            "PlantedGauge", ["gate", "--base-executable", "/bin/sh", "--no-growth", "--directory", scratch.path])
        #expect(gate.status == 1)
        #expect(gate.errors.contains("the base does not list its benchmarks"), "\(gate.errors)")
        #expect(gate.errors.contains("; its main has to be Gauge.main"), "\(gate.errors)")
    }

    @Test("a benchmark that fails in this build fails the gate with its reason", arguments: ["crash", "refuse"])
    func failing(deed: String) throws {
        let gate = try gate("honest", filter: "^planted/\(deed)-subject/")
        #expect(gate.status == 1, "\(gate.errors)\(gate.output)")
        let reason = deed == "crash" ? "its worker crashed (SIGSEGV)" : "no such library; install it"
        #expect(gate.errors.contains("planted/\(deed)-subject/tiered: \(reason)"), "\(gate.errors)")
    }

    @Test("wrong answers and failures of this build fail the gate on times as well, and those of the base do not")
    func failingTimes() throws {
        let times = ["--times", "--seconds=5"]
        for (base, benchmark, status) in [
            ("lies", "timed", 0), ("honest", "lie-subject", 3), ("honest", "crash-subject", 1),
            ("honest", "refuse-subject", 1), ("honest", "hang-subject", 1),
        ] as [(String, String, Int32)] {
            let gate = try gate(base, filter: "^planted/\(benchmark)/", times)
            #expect(gate.status == status, "\(gate.errors)\(gate.output)")
            let reason = "planted/\(benchmark)/tiered: the current build "
            #expect(gate.errors.contains(reason) == (status != 0), "\(gate.errors)")
        }
    }

    @Test("what workers count themselves is compared, and of several threads nothing else") func figures() throws {
        let gate = try gate("honest", filter: "^planted/(figures|threads)/")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        let ratio = gate.output.split(separator: "\n").first { $0.contains("hit ratio") } ?? ""
        #expect(ratio.split(separator: " ").count { $0 == "0.714" } == 2, "\(gate.output)")
        let threads = gate.output.split(separator: "\n").drop { !$0.hasPrefix("planted/threads/2/tiered") }
            .prefix { !$0.hasPrefix("planted/figures/") }
        // Both counts, and below them the reason that they share.
        #expect(
            threads.count == 3 && threads.prefix(2).allSatisfy { $0.hasSuffix("  not comparable") }, "\(gate.output)")
    }

    @Test("the operations of several threads are timed together, and have no 99th percentile") func threads() throws {
        let gate = try gate("honest", filter: "^planted/threads/", "--times", "--seconds=1")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        #expect(gate.output.contains("time of 1 benchmark: 0 worse"), "\(gate.output)")
        let reason =
            "p99 is not judged for planted/threads/2/tiered: operations on several threads are not timed one by one"
        #expect(gate.output.replacing("\n", with: " ").contains(reason), "\(gate.output)")
    }

    @Test("a benchmark that only the base has is told to be gone") func gone() throws {
        let gate = try gate("more", filter: "^planted/(timed|more)/")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        let rows = gate.output.split(separator: "\n")
        let first = try #require(rows.firstIndex { $0.hasPrefix("planted/more/tiered ") }, "\(gate.output)")
        let gone = rows.indices.filter { rows[$0].hasSuffix("the benchmark is gone") }
        #expect(!gone.isEmpty && gone.allSatisfy { $0 > first }, "\(gate.output)")
    }

    @Test("a time that only one of the builds has is told, and fails a strict gate alone", arguments: ["more", "less"])
    func oneSidedTimes(base: String) throws {
        let filter = base == "more" ? "^planted/more/" : "^planted/figures/"
        for (arguments, status) in [([], 0), (["--strict"], 7)] as [([String], Int32)] {
            let gate = try gate(base, filter: filter, ["--times", "--seconds=5"] + arguments)
            #expect(gate.status == status, "\(gate.errors)\(gate.output)")
            let reasons = ["more/tiered: the benchmark is gone", "figures/tiered: the base has no such benchmark"]
            #expect(gate.output.contains("planted/\(reasons[base == "more" ? 0 : 1])\n"), "\(gate.output)")
            #expect(gate.output.contains("time of 1 benchmark: 0 worse"), "\(gate.output)")
            #expect(gate.errors.contains("warning: 1 of 1 times are not judged"), "\(gate.errors)")
        }
    }
}
