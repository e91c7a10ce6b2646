import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Whole runs on a simulated machine whose speed changes in bursts. A loop of many instructions a cycle feels the slow
/// speed, and one that waits does not, so that the ratio of their typical times depends on the mood of the machine.
@Suite("Runs on a machine with two speeds") struct TwoSpeedTests {
    private static let parsers = [
        TwoSpeedMachine.Subject(name: "tiered", time: 12, slowdown: 1.8, process: 0.003),
        TwoSpeedMachine.Subject(name: "strptime", time: 1_050, slowdown: 1.02, process: 0.003),
    ]
    private static let allocating = [
        TwoSpeedMachine.Subject(name: "tiered", time: 40, slowdown: 1.6, process: 0.003),
        TwoSpeedMachine.Subject(name: "foundation", time: 900, slowdown: 1.3, process: 0.06),
    ]

    /// Runs that several tests judge.
    private static let parserRows = runs(parsers, sets: 20)

    /// How many runs are judged together.
    private static let runCount = nightly(40, else: 12)

    /// The rows of the second subject in these runs, each on a machine that is slow for another part of the time.
    private static func runs(_ subjects: [TwoSpeedMachine.Subject], sets: Int) -> [ResultRow] {
        (0..<runCount).compactMap { number in
            let part = Double(number) / Double(runCount - 1)
            var machine = TwoSpeedMachine(seed: UInt64(number), slowPart: 0.05 + 0.55 * part)
            return TwoSpeedMachine.rows(machine.run(subjects, sets: sets)).last
        }
    }

    private func spread(_ values: [Double]) throws -> Double {
        let samples = Samples(values)
        return try #require(samples.quantile(0.95)) / #require(samples.quantile(0.05)) - 1
    }

    @Test("the ratio repeats within 3 % however slow the machine was, where that of typical times does not")
    func theRatioRepeatsWithin3HoweverSlow() throws {
        let ratios = Self.parserRows.compactMap(\.ratio)
        #expect(ratios.count == Self.runCount)
        #expect(try spread(ratios) < 0.01)
        #expect(ratios.allSatisfy { abs($0 / (1_050.0 / 12) - 1) < 0.01 })
    }

    @Test("the intervals of ratios contain the truth in 93 of 100 runs") func theIntervalsOfRatiosContainTheTruth() {
        for (subjects, rows) in [
            (Self.parsers, Self.parserRows), (Self.allocating, Self.runs(Self.allocating, sets: 20)),
        ] {
            let truth = subjects[1].time / subjects[0].time
            let covering = rows.count { $0.ratioInterval?.contains(truth) == true }
            #expect(covering >= Self.runCount * 37 / 40, "\(covering) of \(Self.runCount) for \(subjects[1].name)")
        }
    }

    @Test("the ratio to a cache whose processes differ by 6 % repeats within 8 %")
    func theRatioToACacheWhoseProcesses() throws {
        #expect(try spread(Self.runs(Self.allocating, sets: 24).compactMap(\.ratio)) < 0.08)
    }

    @Test("a row tells its two modes") func aRowTellsItsTwoModes() throws {
        var machine = TwoSpeedMachine(seed: 3)
        let rows = TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 20))
        let modes = try #require(rows[0].modes)
        #expect(abs(modes.fast / 12 - 1) < 0.05 && abs(modes.slow / 21.6 - 1) < 0.05)
        #expect((0.1...0.6).contains(modes.slowPart))
        #expect(rows[1].modes == nil)
    }

    @Test("a run that hardly saw full speed says so, and gives a typical time and the ratio at full speed")
    func aRunThatHardlySawFullSpeed() throws {
        var machine = TwoSpeedMachine(seed: 5, slowPart: 0.5)
        machine.burst = .infinity
        machine.change = { $0.isSlow = $1 > 1 }
        let rows = TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 20))
        #expect(rows[0].undisturbed == nil && rows[0].median != nil && rows[0].lacksFullSpeed)
        #expect(NoiseReport().warnings([rows[0]]).contains { $0.contains("not at full speed often enough") })
        #expect(rows[0].timeMark == "~" && rows[1].ratioMark == "~")
        #expect(rows[0].comparedTime == rows[0].overSets?.value && rows[0].comparedError == rows[0].overSets?.error)
        // A mixture of outcomes has no operations without an outcome, but a mean over its sets.
        var mixture = rows[0]
        (mixture.comparison, mixture.mean) = (.mean, nil)
        #expect(mixture.comparedTime == mixture.overSets?.value && mixture.comparedError == mixture.overSets?.error)
        let typical = try #require(rows[0].overSets?.interval)
        #expect(typical.contains(12 * 1.8 * 1.006) && typical.upperBound < 1.02 * typical.lowerBound)
        let ratio = try #require(rows[1].ratioInterval)
        #expect(ratio.contains(1_050.0 / 12) && ratio.upperBound < 1.05 * ratio.lowerBound, "\(ratio)")
    }

    @Test("times repeat at another clock rate, within intervals of one per cent")
    func timesRepeatAtAnotherClockRate() throws {
        var covering = 0
        var values: [Double] = []
        for number in 0..<Self.runCount {
            var machine = TwoSpeedMachine(seed: UInt64(number), slowPart: 0.4)
            machine.clock = 0.96 + 0.08 * Double(number % 20) / 19
            let rows = TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 20), reference: TwoSpeedMachine.usualClock)
            let estimate = try #require(rows[0].undisturbed)
            values.append(estimate.value)
            // The lower quartile of the simulated noise is 0.3 % above the truth.
            if estimate.interval?.contains(12 * 1.0032) == true { covering += 1 }
            #expect(try #require(estimate.error) < 0.02)
        }
        #expect(covering >= Self.runCount * 37 / 40, "\(covering) of \(Self.runCount)")
        #expect(try spread(values) < 0.005)
    }

    @Test("a clock rate that changes within a run does not change its times")
    func aClockRateThatChangesWithinARun() throws {
        var machine = TwoSpeedMachine(seed: 8, slowPart: 0.2)
        let steady = try #require(
            TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 10), reference: TwoSpeedMachine.usualClock)[0]
                .undisturbed)
        machine.change = { if $1 == 5 { $0.clock = 0.9 } }
        let rows = TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 10), reference: TwoSpeedMachine.usualClock)
        let changing = try #require(rows[0].undisturbed)
        #expect(abs(changing.value / steady.value - 1) < 0.005)
    }

    @Test("many rows of two sets have intervals that are true and useful") func manyRowsOfTwoSets() throws {
        var (covering, rows, errors) = (0, 0, [Double]())
        let runs = nightly(8, else: 3)
        for run in 0..<runs {
            var machine = TwoSpeedMachine(seed: UInt64(run), slowPart: 0.1)
            let subjects = (0..<24).map { number in
                TwoSpeedMachine.Subject(
                    name: "s\(number)", time: 10 + 7 * Double(number), slowdown: 1.5,
                    process: [0.003, 0.006, 0.004, 0.02][number % 4])
            }
            let measured = subjects.map { machine.run([$0], sets: 2) }
            var meter = NoiseMeter(reference: TwoSpeedMachine.usualClock)
            for result in measured.joined() { for set in result.sets { meter.add(set) } }
            let variation = RunVariation(measured, speed: meter.speed)
            for (subject, result) in zip(subjects, measured) {
                let row = ResultRow.rows(of: result, speed: meter.speed, variation: variation)[0]
                guard let estimate = row.undisturbed else { continue }
                errors.append(try #require(estimate.error))
                rows += 1
                if estimate.interval?.contains(subject.time * 1.0032) == true { covering += 1 }
            }
        }
        #expect(rows > 18 * runs)
        #expect(Double(covering) >= 0.92 * Double(rows), "\(covering) of \(rows)")
        // Each row alone: 12.7 standard errors, 5 % in the middle.
        #expect(try #require(Samples(errors).median) < 0.03)
    }

    @Test("one set has times and a ratio, and no interval") func oneSetHasTimesAndARatio() throws {
        var machine = TwoSpeedMachine(seed: 6, slowPart: 0.1)
        let row = try #require(TwoSpeedMachine.rows(machine.run(Self.parsers, sets: 1)).last)
        #expect(row.ratio != nil && row.ratioInterval == nil && row.undisturbed?.interval == nil)
    }
}
