import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeVerdicts

/// How long the gate and the comparison measure, and what their self-tests plant, as their guides say.
@Suite("Plans of the gate and of compare")
struct GatePlanTests {
    @Test("a set of the gate has all its slices, or those of a second and a half, and no fewer than six")
    func slices() {
        for (isTimed, all) in [(false, 16), (true, 32)] {
            #expect(!TimeGate.isComplete(slices: all - 1, seconds: 1.5, isTimed: isTimed))
            #expect(TimeGate.isComplete(slices: all, seconds: 0, isTimed: isTimed))
            #expect(TimeGate.isComplete(slices: 6, seconds: 1.51, isTimed: isTimed))
            #expect(!TimeGate.isComplete(slices: 6, seconds: 1.5, isTimed: isTimed))
            #expect(!TimeGate.isComplete(slices: 5, seconds: 60, isTimed: isTimed))
        }
    }

    @Test("operations are not timed one by one on several threads, nor where a build cannot, unless the body does")
    func obstacles() {
        func obstacle(_ workers: (PreparedReport.Kind, Bool?)...) -> String? {
            TimeGate.tailObstacle(
                workers.map { kind, timesEach in
                    PreparedReport(kind: kind, threads: 1, outcome: .memoryHit, timesEach: timesEach)
                })
        }
        #expect(obstacle((.batched, true), (.batched, true)) == nil)
        #expect(obstacle((.timed, nil), (.timed, false), (.timed, true)) == nil)
        let old = "one of the builds is too old to time operations one by one"
        #expect(
            obstacle((.batched, true), (.batched, nil)) == old && obstacle((.batched, false), (.timed, true)) == old)
        let threaded = "operations on several threads are not timed one by one"
        #expect(obstacle((.batched, nil), (.threaded, true)) == threaded)
    }

    @Test("a set of a comparison takes a part of its seconds, from 40 to 250 ms")
    func sets() {
        for (seconds, length) in [(0.2, 0.04), (1.28, 0.04), (1.6, 0.05), (3.2, 0.1), (8, 0.25), (10, 0.25)] {
            #expect(abs(PairedTiming.setSeconds(of: seconds) - length) < 1e-12, "\(seconds)")
        }
    }

    @Test("the gate looks seven times, and judges by 1 % and the tail by 10 % unless told otherwise")
    func looks() {
        #expect(LookPlan.looks == [8, 12, 18, 27, 40, 60, 90])
        #expect((TimeGate.defaultDelta, TimeGate.defaultTailDelta, TimeGate.defaultSeconds) == (0.01, 0.1, 510))
        #expect((TimeGate.slice, TailTimes.slice, TailTimes.slices, TimeGate.warmUps) == (4, 2, 12, 2))
        #expect(abs(LookPlan(benchmarks: 9).equivalenceTail - 0.05 / 7) < 1e-15)
        #expect(LookPlan(benchmarks: 0).accusationTail == LookPlan(benchmarks: 1).accusationTail)
    }

    @Test("a self-test plants 1, 3, 5 and 10 %, that of compare 2 % in a second and 1 % in ten")
    func planted() {
        #expect(SelfTestPlan.sizes == [0.01, 0.03, 0.05, 0.1])
        #expect((SelfTest.defaultRounds, SelfTest.defaultSeconds, SelfTest.longestSeconds) == (80, 40, 60))
        #expect(
            CompareTrials.kinds.map { [$0.planted, $0.seconds] } == [[0, 1], [0, 10], [0.02, 1], [0.01, 10]])
        #expect(CompareTrials.usual == 10)
    }

    @Test("a round's seconds are kept to a tenth, rounded to the nearest")
    func tenths() {
        for (nanoseconds, seconds) in [(20_049_999_999, 20.0), (20_050_000_001, 20.1), (960_000_000, 1.0)]
            as [(
                UInt64, Double
            )]
        {
            let round = SelfTestRecord.Round(number: 3, nanoseconds: nanoseconds, decisions: [])
            #expect(round.seconds == seconds && round.number == 3)
        }
    }
}
