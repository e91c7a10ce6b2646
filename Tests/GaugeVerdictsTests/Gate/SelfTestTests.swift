import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeVerdicts

@Suite("Self-test of the gate")
struct SelfTestTests {
    private static let names = (0..<8).map { "stage/\($0)/tiered" }

    @Test("rounds follow from the seed and their number, and take sizes in turn")
    func plan() throws {
        let plan = SelfTestPlan(seed: 1, candidates: Self.names)
        for number in 0..<40 {
            let round = try #require(plan.round(number))
            #expect(round == plan.round(number))
            #expect(Set(round.benchmarks).count == SelfTestPlan.most)
            #expect(round.benchmarks.contains(round.planted))
            #expect(round.size == SelfTestPlan.sizes[number % 4])
        }
        #expect(plan.round(3) != SelfTestPlan(seed: 2, candidates: Self.names).round(3))
        #expect(SelfTestPlan(seed: 1, candidates: []).round(0) == nil)
        #expect(SelfTestPlan(seed: 1, candidates: [Self.names[0]]).round(0)?.benchmarks == [Self.names[0]])
    }

    @Test("the usual number of rounds gives twenty decisions of each size and three hundred clean ones")
    func enough() {
        #expect(SelfTest.defaultRounds / SelfTestPlan.sizes.count >= 20)
        #expect(SelfTest.defaultRounds * (SelfTestPlan.most - 1) >= 300)
    }

    private static func decision(
        _ verdict: TimeJudgement.Verdict, planted: Double = 0, failure: String? = nil
    ) -> SelfTestRecord.Decision {
        SelfTestRecord.Decision(
            benchmark: "stage/0/tiered", planted: planted, verdict: verdict, doubt: nil, change: 0.031, low: 0.02,
            high: 0.04, same: 0, layout: 0, resolution: 0.007, sets: 8, failure: failure)
    }

    private static let settings = SelfTestRecord.settings(
        .init(seed: 1, delta: 0.01, seconds: 40, benchmarks: ["stage/0/tiered"]))

    private static func round(_ number: Int) -> SelfTestRecord {
        .round(
            .init(number: number, seconds: 20, decisions: [decision(.regressed, planted: 0.03), decision(.equivalent)]))
    }

    @Test("a log goes on after its last whole line, wherever its process was killed")
    func tornLine() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/log"
        do {
            let log = try SelfTestLog(path)
            #expect(log.records.isEmpty && !log.hadTornLine)
            for record in [Self.settings, Self.round(0), Self.round(1)] { try log.add(record) }
        }
        let whole = try #require(FileManager.default.contents(atPath: path))
        let last = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n")))
        for length in stride(from: last + 2, to: whole.count, by: 37) {
            try whole.prefix(length).write(to: URL(fileURLWithPath: path))
            let log = try SelfTestLog(path)
            #expect(log.hadTornLine)
            #expect(log.records == [Self.settings, Self.round(0)])
            try log.add(Self.round(1))
            #expect(FileManager.default.contents(atPath: path) == whole)
        }
        let log = try SelfTestLog(path)
        #expect(log.rounds.count == 2 && !log.hadTornLine)
    }

    @Test("a file that is no log is refused, and so is one that is being written")
    func otherFiles() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/log"
        try Data("hello\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: GaugeError.self) { try SelfTestLog(path) }
        #expect(FileManager.default.contents(atPath: path) == Data("hello\n".utf8))
        #expect(throws: GaugeError.self) { try SelfTestLog("\(scratch.path)/nowhere/log") }
        let first = try SelfTestLog("\(scratch.path)/other")
        #expect(throws: GaugeError.self) { try SelfTestLog("\(scratch.path)/other") }
        _ = first
    }

    @Test("the table counts caught defects and false accusations, and a failure as not caught")
    func table() {
        let decisions = [
            Self.decision(.regressed, planted: 0.03), Self.decision(.inconclusive, planted: 0.03),
            Self.decision(.regressed, planted: 0.03, failure: "crashed"), Self.decision(.equivalent),
            Self.decision(.equivalent), Self.decision(.regressed),
        ]
        let report = SelfTestReport([Self.settings, .round(.init(number: 0, seconds: 21.5, decisions: decisions))])
        let planted = report.tally(planted: 0.03)
        #expect((planted.decisions, planted.regressed, planted.inconclusive, planted.failed) == (3, 1, 1, 1))
        let lines = report.markdown.split(separator: "\n").map(String.init)
        #expect(lines.contains("| +3.0 % | 3 | 1 | 0.84 % to 90.6 % | 0 | 2 | 0 |"))
        #expect(lines.contains("| 3 | 1 | 86.5 % | 2 | 0 | 0 |"))
        #expect(lines.contains("| stage/0/tiered | 3 | 1 | 2 | 0 | 0.70 % |"))
        #expect(lines.contains("1 rounds of 21.5 s (median), the longest 21.5 s."))
    }

    @Test("the verdicts on 99th percentiles have a table, which an older log lacks")
    func tails() {
        var (clean, planted, failed) = (
            Self.decision(.equivalent), Self.decision(.regressed, planted: 0.1),
            Self.decision(.inconclusive, failure: "crashed")
        )
        let report = { (decisions: [SelfTestRecord.Decision]) in
            SelfTestReport([Self.settings, .round(.init(number: 0, seconds: 20, decisions: decisions))]).markdown
                .split(separator: "\n").map(String.init)
        }
        #expect(!report([clean, planted]).contains { $0.contains("99th percentile") })
        (clean.tail, planted.tail, failed.tail) = (.equivalent, .regressed, .regressed)
        let lines = report([clean, clean, planted, failed])
        #expect(lines.contains("| clean | 2 | 0 | 2 | 0 | 0 |"))
        #expect(lines.contains("| +10.0 % | 1 | 1 | 0 | 0 | 0 |"))
    }

    @Test(
        "planted work is that many more operations in the same call, which are not counted",
        arguments: [0.01, 0.1])
    func extraWork(part: Double) {
        var ran = 0
        let body = ExtraWork.added(part, to: PreparedBenchmark(.batched { ran += $0 }))
        guard case .batched(let run) = body.body else {
            Issue.record("the body is no longer batched")
            return
        }
        for _ in 0..<1_000 { run(7) }
        #expect(abs(Double(ran) - 7_000 * (1 + part)) < 1)

        var runner = SliceRunner(
            ExtraWork.added(
                part,
                to: PreparedBenchmark(
                    .timed { operations, recorder in
                        for _ in 0..<operations { recorder.record(.store, nanoseconds: 100) }
                    })))
        runner.calibrate(budget: 5_000_000)
        let report = runner.run(budget: 2_000_000)
        #expect(abs(VariantWorker.time(of: report) / 100 - 1 - part) < 0.002)
    }
}
