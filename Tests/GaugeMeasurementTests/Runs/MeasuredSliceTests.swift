import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Measured slices") struct MeasuredSliceTests {
    /// A slice of operations that were timed one by one, with as much time between them.
    private func timed(_ times: [Outcome: [UInt64]]) -> SliceReply {
        var report = SliceReply()
        for (outcome, values) in times {
            for value in values { report.histograms[outcome, default: Histogram()].add(nanoseconds: value) }
            report.operations += values.count
            report.nanoseconds += 2 * values.reduce(0, +)
        }
        return report
    }

    @Test("one outcome has a typical time, and several have a mean alone") func typical() {
        let one = MeasuredSlice(timed([.miss: [10, 20, 90]]))
        #expect(one.typical == 20 && one.typicalOrMean == 20 && one.mean == 80 && one.timedMean == 40)
        let two = MeasuredSlice(timed([.miss: [10, 20, 90], .memoryHit: [4]]))
        #expect(two.typical == nil && two.typicalOrMean == 62 && two.mean == 62 && two.timedMean == 31)
        let none = MeasuredSlice(SliceReply())
        #expect(none.typicalOrMean == nil && none.timedMean == nil)
        var batched = SliceReply()
        (batched.operations, batched.batchOperations, batched.batches) = (6, 2, [10, 20, 60])
        batched.nanoseconds = 90
        let batches = MeasuredSlice(batched)
        #expect(batches.typical == 10 && batches.mean == 15 && batches.timedMean == 15)
    }

    /// A slice at four fifths of the reference's clock rate, with probes at full speed unless said otherwise.
    private func probed(_ probes: [UInt64], interruptions: [Int] = [], outcome: Outcome? = nil) -> MeasuredSlice {
        var report = outcome.map { timed([$0: [10, 20, 90]]) } ?? SliceReply()
        if outcome == nil {
            report.batches = Array(repeating: 100, count: probes.count - 1)
            report.batchOperations = 1
            report.operations = report.batches.count
        }
        report.probes = probes
        report.chains = probes.map { _ in UInt64(SpeedProbe.steps * 5 / 4) }
        report.interruptions = interruptions
        return MeasuredSlice(report)
    }

    /// Readings of 1,000 ns with 1.25 ns a cycle, told for one nanosecond.
    private let full = FullSpeed([SpeedReading(parallel: 1_000, cycle: 1.25): 1], reference: 1)

    private func told(_ slice: MeasuredSlice, _ outcome: Outcome?, _ speed: FullSpeed?) -> [String] {
        slice.times(of: outcome, speed).map { "\($0.time) \($0.isUndisturbed)" }
    }

    @Test("a batch between probes at full speed is told for the reference rate, and an interrupted one as it was")
    func batches() {
        let slice = probed([1_000, 1_000, 1_900, 1_000, 1_000], interruptions: [3])
        #expect(told(slice, nil, full) == ["80.0 true", "80.0 false", "80.0 false", "100.0 false"])
        #expect(told(slice, nil, nil) == ["100.0 true", "100.0 true", "100.0 true", "100.0 false"])
        #expect(!slice.isUndisturbed(full) && !slice.isUndisturbed(nil))
        #expect(slice.hasClockRate && !MeasuredSlice(SliceReply()).hasClockRate)
    }

    @Test("the clock rate is that of the probes at full speed, and no probe beside them counts")
    func rateOfFullSpeed() {
        var report = SliceReply()
        (report.batches, report.batchOperations, report.operations) = ([100, 100, 100], 1, 3)
        report.probes = [1_000, 4_000, 4_000, 1_000]
        // The probes between ran at half the rate, and waited besides.
        report.chains = [5, 10, 10, 5].map { UInt64(SpeedProbe.steps * $0 / 4) }
        #expect(told(MeasuredSlice(report), nil, full) == ["80.0 false", "80.0 false", "80.0 false"])
    }

    @Test("a slice of single operations is undisturbed when all of its probes are, and nothing interrupted it")
    func operations() {
        let quiet = probed([1_000, 1_000, 1_000], outcome: .miss)
        #expect(told(quiet, .miss, full) == ["16.0 true"] && told(quiet, .miss, nil) == ["20.0 true"])
        #expect(told(quiet, .memoryHit, full) == [] && quiet.isUndisturbed(full))
        let shared = probed([1_000, 1_900, 1_000], outcome: .miss)
        #expect(told(shared, .miss, full) == ["16.0 false"] && told(shared, .miss, nil) == ["20.0 true"])
        let interrupted = probed([1_000, 1_000, 1_000], interruptions: [0], outcome: .miss)
        #expect(told(interrupted, .miss, full) == ["16.0 false"] && told(interrupted, .miss, nil) == ["20.0 false"])
    }
}
