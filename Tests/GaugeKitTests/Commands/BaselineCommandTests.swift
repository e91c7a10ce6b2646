import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement

@Suite("Command baseline", .timeLimit(.minutes(60))) struct BaselineCommandTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func baseline(_ arguments: String...) throws -> ChildRun {
        try ChildRun(
            "PlantedGauge",
            ["baseline"] + arguments + ["--baselines", "\(scratch.path)/kept", "--suite=full"],
            environment: ["PATH": "/nowhere", "TMPDIR": scratch.path, "GITHUB_ACTIONS": ""])
    }

    private let timed = "--filter=^planted/timed/"

    @Test("a baseline is kept, listed, read, checked and deleted") func life() throws {
        let updated = try baseline("update", "main", "--reason", "the beginning", timed)
        #expect(updated.status == 0, "\(updated.errors)")
        let told = try #require(
            updated.output.firstMatch(of: /: (\d+) figures in place of 0, (\d+) of them as a range/))
        // Hardly any count of fixed times does not repeat.
        #expect(try #require(Int(told.output.2)) < #require(Int(told.output.1)), "\(updated.output)")
        let listed = try baseline("list")
        #expect(listed.output.hasPrefix("main\n    Swift \(SwiftVersion.compiler), "), "\(listed.output)")
        #expect(listed.output.contains(": the beginning"))
        let read = try baseline("read", "main")
        #expect(read.output.contains("planted/timed/tiered  memory hits"), "\(read.output)")
        let checked = try baseline("check", "main", timed, "--require", "misses")
        #expect(checked.status == 0, "\(checked.errors)\(checked.output)")
        #expect(checked.output.contains(" 0 worse, 0 better"), "\(checked.output)")
        #expect(try baseline("delete", "main").status == 0)
        #expect(try baseline("list").output.hasPrefix("no baselines in "))
        #expect(scratch.contents == ["kept"])
    }

    @Test("an update of some rows leaves the others as they are, except for those that are gone")
    func partial() throws {
        let both = "--filter=^planted/(timed|figures)/"
        #expect(try baseline("update", "main", "--reason", "the beginning", both).status == 0)
        let file = "\(scratch.path)/kept/main.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let figure = "\"planted/timed/tiered: misses\""
        let more = text.replacing(
            figure, with: "\"planted/timed/gone: misses\": 1, \"planted/vanished/tiered: misses\": 1, \(figure)")
        #expect(more != text)
        try more.write(toFile: file, atomically: true, encoding: .utf8)
        let updated = try baseline("update", "main", "--reason", "a part", timed)
        #expect(updated.status == 0, "\(updated.errors)")
        #expect(updated.output.contains(/since they do not repeat; \d+ of other rows stay as they were\n/))
        let read = try baseline("read", "main").output
        for row in ["planted/timed/tiered ", "planted/figures/tiered ", "planted/vanished/tiered "] {
            #expect(read.contains(row), "\(read)")
        }
        let words = read.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(!read.contains("planted/timed/gone ") && words.contains(": a part planted/"), "\(read)")
        // An entry has one set of settings.
        let refused = try baseline("update", "main", "--reason", "another seed", timed, "--seed=99")
        #expect(refused.status == 1 && refused.errors.contains("such as planted/figures/tiered; "), "\(refused.errors)")
        #expect(try baseline("read", "main").output == read)
        let replaced = try baseline(
            "update", "main", "--reason", "all", "--filter=^planted/(timed|figures|vanished)/", "--seed=99")
        #expect(replaced.status == 0 && !replaced.output.contains("stay"), "\(replaced.errors)\(replaced.output)")
        #expect(try !baseline("read", "main").output.contains("planted/vanished/"))
    }

    @Test("what was kept and got worse is told by compare and fails check") func worse() throws {
        #expect(try baseline("update", "main", "--reason", "the beginning", timed).status == 0)
        let file = "\(scratch.path)/kept/main.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let better = text.replacing("tiered: misses\" : 0.25", with: "tiered: misses\" : 0.125")
        #expect(better != text)
        try better.write(toFile: file, atomically: true, encoding: .utf8)
        let compared = try baseline("compare", "main", timed)
        #expect(compared.status == 0)
        #expect(compared.output.contains("WORSE"), "\(compared.output)")
        #expect(try baseline("check", "main", timed).status == 2)
        let same = try baseline("compare", "main", "main")
        #expect(same.status == 0 && !same.errors.contains("not gated"), "\(same.errors)")
    }

    @Test("of a chosen part nothing else is told to be gone, and two files are compared whatever this build has")
    func chosenPart() throws {
        #expect(try baseline("update", "main", "--reason", "the beginning", timed).status == 0)
        let text = try String(contentsOfFile: "\(scratch.path)/kept/main.json", encoding: .utf8)
        let figure = "\"planted/timed/tiered: misses\""
        let more = text.replacing(
            figure, with: "\"planted/timed/peer: misses\": 1, \"planted/vanished/tiered: misses\": 1, \(figure)")
        #expect(more != text)
        try more.write(toFile: "\(scratch.path)/kept/more.json", atomically: true, encoding: .utf8)
        let (peer, vanished) = ("planted/timed/peer ", "planted/vanished/tiered ")
        let chosen = try baseline("compare", "more", timed).output
        #expect(!chosen.contains(peer) && !chosen.contains(vanished), "\(chosen)")
        let both = try baseline("compare", "more", "--filter=^planted/(timed|vanished)/").output
        #expect(!both.contains(peer) && both.contains(vanished), "\(both)")
        let files = try baseline("compare", "more", "main", timed).output
        #expect(files.contains(peer) && !files.contains(vanished), "\(files)")
        let same = try baseline("compare", "more", "more", "--filter=^planted/vanished/").output
        #expect(!same.contains("planted/timed/") && same.contains(vanished), "\(same)")
        let summary = "\(scratch.path)/summary.md"
        let job = try ChildRun(
            "PlantedGauge", ["baseline", "compare", "more", "main", "--baselines", "\(scratch.path)/kept"],
            environment: ["PATH": "/nowhere", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
        #expect(job.status == 0, "\(job.errors)")
        let page = try String(contentsOfFile: summary, encoding: .utf8)
        #expect(page.contains("### Baseline more\n") && page.contains("Base: baseline more. Current: baseline main."))
    }

    @Test("two files are compared by their own settings, and without options of counting")
    func settingsOfFiles() throws {
        #expect(try baseline("update", "main", "--reason", "the beginning", timed, "--seed", "99").status == 0)
        let file = "\(scratch.path)/kept/main.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let otherSeed = text.replacing("99", with: "98")
        #expect(otherSeed != text)
        try otherSeed.write(toFile: "\(scratch.path)/kept/other.json", atomically: true, encoding: .utf8)
        let same = try baseline("compare", "main", "main")
        #expect(same.output.contains("equivalent") && !same.errors.contains("not comparable"), "\(same.errors)")
        #expect(try baseline("compare", "main", "other").errors.contains("counted with other capacities, seed"))
        let refused = try baseline("compare", "main", "other", "--seed=99")
        #expect(
            refused.status == 64
                && refused.errors.contains("two baselines are compared without counting; leave out --seed"))
    }

    @Test("two files of another machine are compared by its key, and without a common one it is said why")
    func keysOfFiles() throws {
        #expect(try baseline("update", "main", "--reason", "the beginning", timed).status == 0)
        let text = try String(contentsOfFile: "\(scratch.path)/kept/main.json", encoding: .utf8)
        let other = text.replacing("\"swift\" : \"", with: "\"swift\" : \"1.")
        let worse = other.replacing("tiered: misses\" : 0.25", with: "tiered: misses\" : 0.5")
        #expect(other != text && worse != other)
        for (name, text) in [("other", other), ("worse", worse)] {
            try text.write(toFile: "\(scratch.path)/kept/\(name).json", atomically: true, encoding: .utf8)
        }
        let compared = try baseline("compare", "other", "worse")
        #expect(compared.status == 0, "\(compared.errors)")
        #expect(compared.output.hasPrefix("Swift 1."), "\(compared.output)")
        #expect(
            compared.output.contains("WORSE") && compared.output.contains(", 0 not comparable\n"), "\(compared.output)")
        let none = try baseline("compare", "main", "other")
        #expect(none.status == 1 && none.output.isEmpty)
        #expect(none.errors.contains("baselines main and other have no key in common"), "\(none.errors)")
    }

    @Test("a benchmark that fails or lies is a line of check, and cannot be kept") func failing() throws {
        #expect(try baseline("update", "main", "--reason", "the beginning", timed).status == 0)
        let both = "--filter=^planted/(timed|lie-subject)/"
        let checked = try baseline("check", "main", both)
        #expect(checked.status == 3, "\(checked.errors)")
        #expect(checked.output.contains("planted/timed/tiered") && checked.output.contains(", 1 failed"))
        #expect(checked.errors.contains("planted/lie-subject/tiered: it gives "), "\(checked.errors)")
        #expect(try baseline("update", "main", "--reason", "lies", both).status == 3)
    }

    @Test("another key is not comparable: a warning, and 5 where a metric is required") func otherKey() throws {
        #expect(try baseline("update", "main", "--reason", "the beginning", timed).status == 0)
        let file = "\(scratch.path)/kept/main.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("\"swift\" : \"", with: "\"swift\" : \"1.").write(
            toFile: file, atomically: true, encoding: .utf8)
        let checked = try baseline("check", "main", timed)
        #expect(checked.status == 0)
        #expect(checked.output.contains("\n    baseline main has no counts for Swift"), "\(checked.output)")
        let open = checked.output.split(separator: "\n").count { $0.hasSuffix("  not comparable") }
        #expect(checked.errors.contains("warning: \(open) counts are not gated; see their verdicts\n"))
        #expect(try baseline("check", "main", timed, "--require", "misses").status == 5)
    }

    @Test("a chosen benchmark that the baseline does not have is compared, and 5 where a metric is required")
    func added() throws {
        #expect(try baseline("update", "main", "--reason", "the beginning", timed).status == 0)
        let file = "\(scratch.path)/kept/main.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("planted/timed/", with: "planted/gone/").write(
            toFile: file, atomically: true, encoding: .utf8)
        let checked = try baseline("check", "main", timed, "--require", "misses")
        #expect(checked.status == 5 && checked.errors.contains("planted/timed/tiered: misses"), "\(checked.errors)")
    }

    @Test("a missing name is 5, and nonsense is refused") func missing() throws {
        let missing = try baseline("check", "main", timed)
        #expect(missing.status == 5)
        #expect(missing.errors.contains("there is no baseline 'main' in"))
        #expect(try baseline("read", "main").status == 5)
        #expect(try baseline("delete", "main").status == 5)
        #expect(try baseline("update", "main").status == 64)
        #expect(try baseline("update", "main", "--reason", " ").status == 64)
        #expect(try baseline("update", "../main", "--reason", "x").status == 64)
        #expect(try baseline("forget", "main").status == 64)
        #expect(try baseline("check").status == 64)
        #expect(try baseline("list", "main").status == 64)
    }
}
