import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Ratios from slices in the same mood") struct PairedRatiosTests {
    /// Turns of two rows, of which the second takes 3 ns and feels nothing, and the first 6 ns and `feeling`.
    private func turns(
        _ moods: [Double], _ others: [Double]? = nil, feeling: Double = 0
    ) -> (ours: [TurnTime?], theirs: [TurnTime?]) {
        let ours = moods.map { TurnTime(time: 6 * pow($0, feeling), mood: $0) }
        return (ours, (others ?? moods).map { TurnTime(time: 3, mood: $0) })
    }

    @Test("slices are divided where the moods differ by 6 % at most, and both were interrupted or neither")
    func pairs() {
        var set = turns([1, 1.05, 1.3, 1.3], [1.05, 1, 1.2, 1])
        set.ours[1]?.time = 9
        #expect(PairedRatios([set]).values.map { ($0 * 100).rounded() } == [245])
        set.theirs[1]?.isInterrupted = true
        #expect(PairedRatios([set]).values.map { ($0 * 100).rounded() } == [200])
        set.ours[1]?.isInterrupted = true
        #expect(PairedRatios([set]).values.map { ($0 * 100).rounded() } == [245])
        set.ours[0] = nil
        #expect(PairedRatios([set]).values.map { ($0 * 100).rounded() } == [300])
        set.theirs[1] = nil
        #expect(PairedRatios([set]).values.isEmpty && PairedRatios([]).values.isEmpty)
        // Sets without pairs have no value.
        #expect(PairedRatios([set, turns([1, 1]), turns([2], [1])]).values.count == 1)
    }

    @Test("the ratio is told for full speed, with the slope that the moods show", arguments: [-0.5, 0, 0.3, 0.8])
    func slope(feeling: Double) throws {
        let paired = PairedRatios(
            (0..<6).map { set in turns([1.1, 1.2, 1.3 + 0.05 * Double(set), 1.5], feeling: feeling) })
        #expect(paired.values.count == 6 && paired.values.allSatisfy { abs($0 / 2 - 1) < 0.005 }, "\(paired.values)")
        #expect((0.0001..<0.01).contains(paired.conversion))
    }

    @Test("where all moods are alike, the slope is unknown, and the error of the conversion says so")
    func unknownSlope() {
        let paired = PairedRatios((0..<6).map { _ in turns([1.5, 1.5, 1.5], feeling: 0.5) })
        #expect(paired.values.allSatisfy { abs($0 / (2 * 1.5.squareRoot()) - 1) < 1e-6 })
        #expect(abs(paired.conversion / (2.306 * log(1.5) * PairedRatios.usualSlope) - 1) < 1e-3)
        // At full speed there is nothing to convert.
        #expect(PairedRatios([turns([1, 1, 1])]).conversion == 0)
    }

    @Test("a few slices of another speed within do not turn the slope") func outliers() {
        let sets = (0..<8).map { set in
            var set = turns([1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.05 + 0.02 * Double(set)], feeling: 0.4)
            set.ours[5]?.time = 20
            return set
        }
        #expect(PairedRatios(sets).values.allSatisfy { abs($0 / 2 - 1) < 0.03 })
    }

    @Test("a turn has the lower quartile of its uninterrupted batches, and the mood beside the same")
    func turn() throws {
        var report = SliceReply()
        report.batchOperations = 10
        report.batches = [1_000, 1_100, 1_200, 1_300, 90_000]
        report.probes = [4_000, 4_000, 6_000, 4_000, 4_000, 40_000]
        report.interruptions = [4]
        let speed = try #require(FullSpeed([SpeedReading(parallel: 4_000): 10]))
        let turn = try #require(MeasuredSlice(report).turn(of: nil, speed))
        // Of 100, 110, 120, 130; and of 4,000, 6,000, 6,000, 4,000.
        #expect(abs(turn.time - 107.5) < 1e-9 && turn.mood == 1 && !turn.isInterrupted)
        report.interruptions = [0, 1, 2, 3, 4]
        let all = try #require(MeasuredSlice(report).turn(of: nil, speed))
        #expect(abs(all.time - 110) < 1e-9 && all.mood == 1 && all.isInterrupted)
        // Threads have no probes.
        report.probes = nil
        #expect(MeasuredSlice(report).turn(of: nil, speed)?.mood == 1)
        #expect(MeasuredSlice(report).turn(of: .store, speed) == nil)
    }
}
