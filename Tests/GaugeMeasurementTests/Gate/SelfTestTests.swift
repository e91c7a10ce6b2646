import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Self-test of the gate") struct SelfTestTests {
    /// They differ after more than 64 characters.
    private static let names = (0..<8).map { "stage/\(String(repeating: "case-", count: 12))\($0)/tiered" }

    @Test("rounds follow from the seed and their number, and take sizes in turn") func plan() throws {
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

    @Test("the usual number of rounds gives twenty decisions of each size and three hundred clean ones") func enough() {
        #expect(SelfTest.defaultRounds / SelfTestPlan.sizes.count >= 20)
        #expect(SelfTest.defaultRounds * (SelfTestPlan.most - 1) >= 300)
    }

    @Test("planted work is counted once for each benchmark, without and with it, in sizes that take turns")
    func confirmed() throws {
        let scratch = try ScratchDirectory()
        let log = try SelfTestLog("\(scratch.path)/log")
        let test = SelfTest(
            console: Console(write: { _ in }, note: { _ in }), selection: Array(Self.names.prefix(5)),
            settings: RunSettings(seed: 3), rounds: 1, seconds: 1, delta: 0.01,
            recipe: ProductBuild(product: "none"), package: scratch.path)
        try log.add(.instructions(.init(benchmark: Self.names[1], size: 0.5, without: 1, with: 2)))
        var counted: [String] = []
        for _ in 0..<2 {
            try test.confirm(log) { name, settings in
                counted.append(name)
                #expect(settings.seed == 3)
                return 1_000 * (1 + settings.extraWork)
            }
        }
        let others = [0, 2, 3, 4]
        #expect(counted == others.flatMap { [Self.names[$0], Self.names[$0]] })
        #expect(
            log.records.compactMap(\.counted).dropFirst()
                == others.map { number in
                    let size = SelfTestPlan.sizes[number % 4]
                    return .init(benchmark: Self.names[number], size: size, without: 1_000, with: 1_000 * (1 + size))
                }[...])
    }

    private static func decision(
        _ verdict: Verdict, planted: Double = 0, failure: String? = nil
    ) -> SelfTestRecord.Decision {
        SelfTestRecord.Decision(
            benchmark: "stage/0/tiered", planted: planted, verdict: verdict, doubt: nil, change: 0.031, low: 0.02,
            high: 0.04, same: 0, layout: 0, resolution: 0.007, sets: 8, failure: failure)
    }

    private static let settings = SelfTestRecord.Line.settings(
        .init(seed: 1, delta: 0.01, seconds: 40, benchmarks: ["stage/0/tiered"]))

    @Test("the table counts caught defects and false accusations, and a failure as not caught") func table() {
        let decisions = [
            Self.decision(.worse, planted: 0.03), Self.decision(.inconclusive, planted: 0.03),
            Self.decision(.worse, planted: 0.03, failure: "crashed"), Self.decision(.equivalent),
            Self.decision(.equivalent), Self.decision(.worse),
        ]
        let report = SelfTestReport([Self.settings, .round(.init(number: 0, seconds: 21.5, decisions: decisions))])
        #expect(report.verdicts(planted: 0.03) == [.worse, .inconclusive, nil])
        let lines = report.markdown.split(separator: "\n").map(String.init)
        #expect(lines.contains("| +3.0 % | 3 | 1 | 0.84 % to 90.6 % | 0 | 2 | 0 |"))
        #expect(lines.contains("| 3 | 1 | 86.5 % | 2 | 0 | 0 |"))
        #expect(lines.contains("| stage/0/tiered | 3 | 1 | 2 | 0 | 0.70 % |"))
        #expect(lines.contains("1 rounds of 21.5 s (median), the longest 21.5 s."))
    }

    @Test("the verdicts on 99th percentiles have a table, which an older log lacks") func tails() {
        var (clean, planted, failed) = (
            Self.decision(.equivalent), Self.decision(.worse, planted: 0.1),
            Self.decision(.inconclusive, failure: "crashed")
        )
        let report = { (decisions: [SelfTestRecord.Decision]) in
            SelfTestReport([Self.settings, .round(.init(number: 0, seconds: 20, decisions: decisions))]).markdown
                .split(separator: "\n").map(String.init)
        }
        #expect(!report([clean, planted]).contains { $0.contains("99th percentile") })
        (clean.tail, planted.tail, failed.tail) = (.equivalent, .worse, .worse)
        let lines = report([clean, clean, planted, failed])
        #expect(lines.contains("| clean | 2 | 0 | 2 | 0 | 0 |"))
        #expect(lines.contains("| +10.0 % | 1 | 1 | 0 | 0 | 0 |"))
    }

    @Test("planted work is that many more operations in the same call, which are not counted", arguments: [0.01, 0.1])
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
        #expect(abs(report.time / 100 - 1 - part) < 0.002)
    }

    @Test("the table tells clean decisions by benchmark, the length of rounds, and instructions of the planted work")
    func wholeTable() {
        func clean(_ name: String, _ resolution: Double, failure: String? = nil) -> SelfTestRecord.Decision {
            SelfTestRecord.Decision(
                benchmark: name, planted: 0, verdict: failure == nil ? .better : .inconclusive, doubt: nil,
                change: nil, low: nil, high: nil, same: nil, layout: nil, resolution: resolution, sets: 8,
                failure: failure)
        }
        let records: [SelfTestRecord.Line] = [
            .settings(.init(seed: 1, delta: 0.01, seconds: 40, benchmarks: ["a", "b"])),
            .instructions(.init(benchmark: "a", size: 0.05, without: 200, with: 210)),
            .round(.init(number: 0, seconds: 20, decisions: [clean("a", 0.002), clean("b", 0.003)])),
            .round(.init(number: 1, seconds: 60, decisions: [clean("a", 0.004, failure: "crashed")])),
            .round(.init(number: 2, seconds: 25, decisions: [clean("a", 0.009)])),
        ]
        let lines = SelfTestReport(records).markdown.split(separator: "\n").map(String.init)
        for line in [
            "3 rounds of 25 s (median), the longest 60 s.", "| 4 | 0 | 52.7 % | 0 | 1 | 3 |",
            "| a | 3 | 0 | 0 | 1 | 0.40 % |", "| b | 1 | 0 | 0 | 0 | 0.30 % |",
            "| a | +5.0 % | \(Quantity.many(200)) | \(Quantity.many(210)) | +5.0 % |",
            "Work is detected when the verdict is *worse by more than 1.0 %*; inconclusive counts as not detected.",
        ] {
            #expect(lines.contains(line), "\(line) in \(lines)")
        }
    }

    @Test("a decision holds the row's figures as parts of a time, to a millionth") func recorded() throws {
        var row = ExperimentRow("a/b/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        try row.extend(until: .max) { before in
            SetRecord(change: before.count % 2 == 0 ? 0.06 : 0.04, same: 0.0031, layout: 0.004, p99: -0.3)
        }
        let decision = SelfTestRecord.Decision(row, planted: 0.03)
        let interval = try #require(row.judgement.time.change?.interval)
        func part(_ logarithm: Double) -> Double { ((exp(logarithm) - 1) * 1e6).rounded() / 1e6 }
        #expect(decision.benchmark == "a/b/c" && decision.planted == 0.03 && decision.verdict == .worse)
        #expect(decision.change == part(0.05) && decision.same == part(0.0031) && decision.layout == part(0.004))
        #expect(decision.low == part(interval.lowerBound) && decision.high == part(interval.upperBound))
        #expect(decision.resolution == part(0.004) && decision.sets == 8 && decision.doubt == nil)
        #expect(decision.tail == .better)
        let none = SelfTestRecord.Decision(ExperimentRow("a", plan: LookPlan(benchmarks: 1), delta: 0.01), planted: 0)
        #expect(none.doubt == "few-sets" && none.resolution == nil && none.tail == nil)
    }

    @Test("a log has one writer, and a line of another kind is named by its number") func writers() throws {
        let scratch = try ScratchDirectory()
        let log = try SelfTestLog("\(scratch.path)/log")
        try log.add(Self.settings)
        let second = #expect(throws: GaugeError.self) { try SelfTestLog("\(scratch.path)/log") }
        #expect(second?.description.hasPrefix("another process writes to \(scratch.path)/log; ") == true)
        let whole = try #require(FileManager.default.contents(atPath: log.path))
        try (whole + Data("{\"other\":1}\n".utf8)).write(to: URL(fileURLWithPath: "\(scratch.path)/other"))
        let other = #expect(throws: GaugeError.self) { try SelfTestLog("\(scratch.path)/other") }
        #expect(other?.description.hasPrefix("line 2 of \(scratch.path)/other is not of a self-test's log") == true)
    }

    @Test("the line of a round has what was planted and the verdicts on the others, by their names") func line() {
        func decision(_ name: String, _ planted: Double, _ verdict: Verdict)
            -> SelfTestRecord.Decision
        {
            SelfTestRecord.Decision(
                benchmark: name, planted: planted, verdict: verdict, doubt: nil, change: nil, low: nil, high: nil,
                same: nil, layout: nil, resolution: nil, sets: 8, failure: nil)
        }
        let round = SelfTestRecord.Round(
            number: 2, seconds: 24.1,
            decisions: [
                decision("a", 0, .inconclusive), decision("b", 0.03, .worse), decision("c", 0, .equivalent),
                decision("d", 0, .equivalent),
            ])
        #expect(
            SelfTest.line(round, of: 80)
                == "round 3/80, 24.1 s: b +3.0 % worse; clean: 2 equivalent, 1 inconclusive\n")
    }
}
