import Testing

@testable import GaugeMeasurement
@testable import GaugeStatistics

/// Whole runs on a simulated machine whose speed changes in bursts. A loop of many instructions a cycle feels the slow
/// speed, and one that waits does not, so that the ratio of their typical times depends on the mood of the machine.
@Suite("Runs on a machine with two speeds")
struct TwoSpeedTests {
    private static let parsers = [
        TwoSpeedMachine.Subject(name: "tiered", time: 12, slowdown: 1.8, process: 0.003),
        TwoSpeedMachine.Subject(name: "strptime", time: 1_050, slowdown: 1.02, process: 0.003),
    ]
    private static let allocating = [
        TwoSpeedMachine.Subject(name: "tiered", time: 40, slowdown: 1.6, process: 0.003),
        TwoSpeedMachine.Subject(name: "foundation", time: 900, slowdown: 1.3, process: 0.06),
    ]

    /// The rows of the second subject in 40 runs, each on a machine that is slow for another part of the time.
    private func runs(_ subjects: [TwoSpeedMachine.Subject], sets: Int) -> [ResultRow] {
        (0..<40).compactMap { number in
            var machine = TwoSpeedMachine(seed: UInt64(number), slowPart: 0.05 + 0.55 * Double(number) / 39)
            return TwoSpeedMachine.rows(machine.run(subjects, sets: sets)).last
        }
    }

    private func spread(_ values: [Double]) throws -> Double {
        let samples = Samples(values)
        return try #require(samples.quantile(0.95)) / #require(samples.quantile(0.05)) - 1
    }

    @Test("the ratio repeats within 3 % however slow the machine was, where that of typical times does not")
    func theRatioRepeatsWithin3HoweverSlow() throws {
        let rows = runs(Self.parsers, sets: 20)
        let ratios = rows.compactMap(\.ratio)
        #expect(ratios.count == 40)
        #expect(try spread(ratios) < 0.01)
        #expect(ratios.allSatisfy { abs($0 / (1_050.0 / 12) - 1) < 0.01 })
    }

    @Test("the intervals of ratios contain the truth in 93 of 100 runs")
    func theIntervalsOfRatiosContainTheTruth() {
        for subjects in [Self.parsers, Self.allocating] {
            let truth = subjects[1].time / subjects[0].time
            let covering = runs(subjects, sets: 20).count { $0.ratioInterval?.contains(truth) == true }
            #expect(covering >= 37, "\(covering) of 40 for \(subjects[1].name)")
        }
    }

    @Test("the ratio to a cache whose processes differ by 6 % repeats within 8 %")
    func theRatioToACacheWhoseProcesses() throws {
        #expect(try spread(runs(Self.allocating, sets: 24).compactMap(\.ratio)) < 0.08)
    }

    @Test("a row tells its two modes")
    func aRowTellsItsTwoModes() throws {
        var machine = TwoSpeedMachine(seed: 3)
        let rows = TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 20))
        let modes = try #require(rows[0].modes)
        #expect(abs(modes.fast / 12 - 1) < 0.05 && abs(modes.slow / 21.6 - 1) < 0.05)
        #expect((0.1...0.6).contains(modes.slowPart))
        #expect(rows[1].modes == nil)
    }

    @Test("a run that hardly saw full speed says so instead of a time")
    func aRunThatHardlySawFullSpeed() throws {
        var machine = TwoSpeedMachine(seed: 5, slowPart: 0.97)
        machine.burst = 20_000
        let row = try #require(TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 20)).first)
        #expect(row.undisturbed == nil && row.median != nil && row.lacksFullSpeed)
        #expect(NoiseReport().warnings([row]).contains { $0.contains("at full speed too seldom") })
    }

    @Test("one set has times and a ratio, and no interval")
    func oneSetHasTimesAndARatio() throws {
        var machine = TwoSpeedMachine(seed: 6, slowPart: 0.1)
        let row = try #require(TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 1)).last)
        #expect(row.ratio != nil && row.ratioInterval == nil && row.undisturbed?.interval == nil)
    }
}
