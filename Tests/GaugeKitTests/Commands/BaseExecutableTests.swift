import Foundation
import TestSupport
import Testing

/// A gate between two executables, of which the base is the planted one with something changed.
@Suite("Command gate with a base executable", .timeLimit(.minutes(2))) struct BaseExecutableTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// - Parameter base: see `PlantedGauge.build`.
    private func gate(_ base: String, filter: String, _ arguments: String...) throws -> ChildRun {
        let script = "\(scratch.path)/base"
        try """
        #!/bin/sh
        PLANTED_BUILD=\(base)
        export PLANTED_BUILD
        exec '\(RunningChild.path(of: "PlantedGauge"))' "$@"

        """.write(toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o755)
        return try ChildRun(
            "PlantedGauge",
            ["gate", "--base-executable", script, "--no-growth", "--suite=full", "--filter=\(filter)"] + arguments,
            environment: ["PATH": "/nowhere", "TMPDIR": scratch.path, "GITHUB_ACTIONS": ""])
    }

    @Test("what the base does worse is an improvement, and its counts stand first")
    func direction() throws {
        let gate = try gate("worse", filter: "^planted/timed/", "--fail-on-improvement")
        #expect(gate.status == 4, "\(gate.errors)\(gate.output)")
        let misses = gate.output.split(separator: "\n").first { $0.contains(" misses ") } ?? ""
        let words = misses.split(separator: " ")
        #expect(words.contains("improved"), "\(misses)")
        #expect(words.firstIndex(of: "0.5") ?? .max < words.firstIndex(of: "0.25") ?? .min, "\(misses)")
        #expect(gate.output.contains(" 0 regressed"), "\(gate.output)")
    }

    @Test("wrong answers of the base are history, and those of this build are an error")
    func wrongAnswers() throws {
        let base = try gate("lies", filter: "^planted/timed/")
        #expect(base.status == 0, "\(base.errors)\(base.output)")
        let head = try gate("honest", filter: "^planted/lie-subject/")
        #expect(head.status == 3, "\(head.errors)\(head.output)")
        #expect(head.errors.contains("planted/lie-subject/tiered gives "), "\(head.errors)")
    }

    @Test("a benchmark that only the base has is told to be gone")
    func gone() throws {
        let gate = try gate("more", filter: "^planted/(timed|more)/")
        #expect(gate.status == 0, "\(gate.errors)\(gate.output)")
        let rows = gate.output.split(separator: "\n")
        let first = try #require(rows.firstIndex { $0.hasPrefix("planted/more/tiered ") }, "\(gate.output)")
        let gone = rows.indices.filter { rows[$0].hasSuffix("the benchmark is gone") }
        #expect(!gone.isEmpty && gone.allSatisfy { $0 > first }, "\(gate.output)")
    }
}
