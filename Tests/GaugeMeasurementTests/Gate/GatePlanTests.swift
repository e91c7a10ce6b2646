import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// How long the gate and the comparison measure, and what their self-tests plant, as their guides say.
@Suite("Plans of the gate and of compare") struct GatePlanTests {
    @Test("a set of the gate has all its slices, or those of a second and a half, and no fewer than six")
    func slices() {
        let plan = SetPlan.gate
        for (isTimed, all) in [(false, 16), (true, 32)] {
            #expect(!plan.isComplete(rows: all - 1, seconds: 1.5, isTimed: isTimed))
            #expect(plan.isComplete(rows: all, seconds: 0, isTimed: isTimed))
            #expect(plan.isComplete(rows: 6, seconds: 1.51, isTimed: isTimed))
            #expect(!plan.isComplete(rows: 6, seconds: 1.5, isTimed: isTimed))
            #expect(!plan.isComplete(rows: 5, seconds: 60, isTimed: isTimed))
            #expect(!plan.isComplete(rows: 2 * all - 1, seconds: 3, isTimed: isTimed, stretch: 2))
            #expect(plan.isComplete(rows: 2 * all, seconds: 0, isTimed: isTimed, stretch: 2))
        }
        #expect((plan.slice, SetPlan.tailSlice, SetPlan.tailSlices, SetPlan.warmUps) == (4, 2, 12, 2))
        #expect(
            SetPlan.tailRows(after: 16, isTimed: true) == 0 && SetPlan.tailRows(after: 48, isTimed: false) == 12)
        #expect(SetPlan.tailRows(after: 16, isTimed: false) == 4 && SetPlan.tailRows(after: 2, isTimed: false) == 1)
    }

    @Test("a set of a comparison takes a part of its seconds, from 40 to 250 ms, and at least eight slices")
    func sets() {
        for (seconds, length) in [(0.2, 0.04), (1.28, 0.04), (1.6, 0.05), (3.2, 0.1), (8, 0.25), (10, 0.25)] {
            let plan = SetPlan.comparison(seconds: seconds)
            #expect(!plan.isComplete(rows: 100, seconds: length - 1e-9, isTimed: false), "\(seconds)")
            #expect(plan.isComplete(rows: 8, seconds: length + 1e-9, isTimed: false), "\(seconds)")
            #expect(!plan.isComplete(rows: 7, seconds: 60, isTimed: false), "\(seconds)")
        }
        #expect((SetPlan.comparison(seconds: 10).slice, SetPlan.comparison(seconds: 10).timedSlice) == (2, 4))
    }

    @Test("sets that see few pauses are followed by longer ones, so that each sees eight, within limits")
    func stretch() {
        func sets(_ bursts: [Int], stretch: Double = 1) -> [SetRecord] {
            bursts.map { bursts in
                let arms = [0, bursts].map {
                    SetRecord.Arm(times: [1], course: ArmCourse(mean: 1, pause: 1, bursts: $0, operations: 9))
                }
                return SetRecord(arms: arms, stretch: stretch)
            }
        }
        let plan = SetPlan.gate
        for (bursts, stretch) in [
            ([], 1.0), ([2], 1), ([0, 0, 0], 1), ([4, 4], 2), ([1, 3], 4), ([0, 1], 8), ([20, 9], 1),
        ] {
            #expect(plan.stretch(after: sets(bursts)) == stretch, "\(bursts)")
        }
        // The same rate, seen in longer sets.
        #expect(plan.stretch(after: sets([8, 8], stretch: 4)) == 4)
        #expect(SetPlan.comparison(seconds: 10).stretch(after: sets([0, 1])) == 4)
        #expect(SetPlan.comparison(seconds: 1).stretch(after: sets([0, 1])) == 1)
    }

    @Test("the gate looks seven times, and judges by 1 % and the tails by more unless told otherwise") func looks() {
        #expect(LookPlan.looks == [8, 12, 18, 27, 40, 60, 90])
        #expect((TimeDecision.defaultDelta, TimeDecision.defaultSeconds) == (0.01, 510))
        #expect(abs(LookPlan(benchmarks: 9).equivalenceTail - 0.05 / 7) < 1e-15)
        #expect(LookPlan(benchmarks: 0).accusationTail == LookPlan(benchmarks: 1).accusationTail)
    }

    @Test("a self-test plants 1, 3, 5 and 10 %, that of compare 2 % in a second and 1 % in ten") func planted() {
        #expect(SelfTestPlan.sizes == [0.01, 0.03, 0.05, 0.1])
        #expect((SelfTest.defaultRounds, SelfTest.defaultSeconds, SelfTest.longestSeconds) == (80, 40, 60))
        #expect(
            CompareSelfTest.kinds.map { [$0.planted, $0.seconds] } == [[0, 1], [0, 10], [0.02, 1], [0.01, 10]])
        #expect(CompareSelfTest.usual == 10)
    }

    @Test("a round's seconds are kept to a tenth, rounded to the nearest") func tenths() {
        for (nanoseconds, seconds) in [(20_049_999_999, 20.0), (20_050_000_001, 20.1), (960_000_000, 1.0)]
            as [(UInt64, Double)]
        {
            let round = SelfTestRecord.Round(number: 3, nanoseconds: nanoseconds, decisions: [])
            #expect(round.seconds == seconds && round.number == 3)
        }
    }
}
