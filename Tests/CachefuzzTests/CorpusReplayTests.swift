import Foundation
import Testing

@testable import cachefuzz

/// Replays every input of the repository's packs through its target's oracle, in a child process, because a broken
/// promise ends the process.
@Suite("Replay of the corpora") struct CorpusReplayTests {
    @Test("every input of the corpus keeps its target's promises", arguments: FuzzTarget.all.map(\.name))
    func corpusHolds(target: String) throws {
        let pack = Cachefuzz.pack(of: target)
        let result = try Cachefuzz.run("replay", target, pack)
        #expect(result.status == 0, "the last line names the input:\n\(result.errors.suffix(2_000))")
        let names = try Corpus.pack(at: pack).inputs.map(\.name)
        #expect(result.errors.split(separator: "\n") == names.map { "\(target) \(pack)/\($0)" })
        #expect(result.output == "\(target): \(names.count) inputs, every promise held\n" && !names.isEmpty)
    }

    @Test("a broken promise ends the replay, and the last line before it names the input")
    func brokenPromiseIsSeen() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "cachefuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let planted = directory.appending(path: "planted")
        try Data("...CANARY!".utf8).write(to: planted)

        let result = try Cachefuzz.run("replay", "canary", directory.path)

        #expect(result.status != 0)
        #expect(result.errors.contains("canary \(planted.path)"))
    }

    @Test("an unknown target is wrong usage, and the known ones are named") func unknownTarget() throws {
        let result = try Cachefuzz.run("replay", "nonesuch")
        #expect(result.status == 64)
        #expect(result.errors.contains("canary"))
    }

    @Test("a path that cannot be read is named with the reason") func unreadablePath() throws {
        let result = try Cachefuzz.run("replay", "canary", "/nonexistent/input")
        #expect(result.status == 1)
        #expect(result.errors.contains("/nonexistent/input") && result.errors.contains("No such file"))
    }
}
