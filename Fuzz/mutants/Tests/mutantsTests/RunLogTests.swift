import Foundation
import Testing

@testable import mutants

@Suite struct RunLogTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "mutants-\(UUID().uuidString).tsv").path
    private let replay = Trial.replay("etag")
    private let killed = Outcome(kind: .killed, seconds: 0.5, detail: "etag: a promise")
    private let survived = Outcome(kind: .survived, seconds: 2, detail: "")

    private func filled() throws -> RunLog {
        var log = try RunLog(path: path, plan: "abc")
        try log.built(dropped: [4, 9], chosen: [1, 2])
        try log.addFailing(.suite("A.B"))
        try log.add(Baseline(processorSeconds: 0.25, reached: [1, 2]), of: replay)
        try log.add(killed, of: 1, in: .replay)
        try log.add(survived, of: 2, in: .replay)
        return log
    }

    @Test("a run that goes on knows all that was written")
    func resumed() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let before = try filled()
        let after = try RunLog(path: path, plan: "abc")
        #expect(after.dropped == [4, 9] && after.chosen == [1, 2] && after.failing == [.suite("A.B")])
        #expect(after.baselines == [replay: Baseline(processorSeconds: 0.25, reached: [1, 2])])
        #expect(after.outcomes == before.outcomes)
        #expect(after.outcomes == [1: [.replay: killed], 2: [.replay: survived]])
    }

    @Test("wherever the log was cut, complete lines are kept and the rest is written again")
    func torn() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try filled()
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: URL(filePath: path))
            var log = try RunLog(path: path, plan: "abc")
            let isKnown = log.outcomes[2] != nil
            #expect(!isKnown, "a line without its end was believed, \(count) bytes")
            try log.add(survived, of: 2, in: .replay)
            #expect(try RunLog(path: path, plan: "abc").outcomes[2] == [.replay: survived], "torn after \(count) bytes")
        }
    }

    @Test("the log of another choice is refused with the remedy")
    func otherPlan() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try filled()
        let failure = #expect(throws: Failure.self) { try RunLog(path: path, plan: "def") }
        #expect(failure?.description.contains("--fresh") == true)
    }

    @Test("a retry forgets the survivors and the times, and keeps the mutants that were killed or did not compile")
    func retried() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        var log = try filled()
        try log.forgetSurvivors()
        let after = try RunLog(path: path, plan: "abc")
        #expect(after.outcomes == [1: [.replay: killed]] && after.outcomes == log.outcomes)
        #expect(after.baselines.isEmpty && after.dropped == [4, 9])
    }
}
