import Testing

@testable import GaugeSupport

@Suite("Undisturbed time") struct UndisturbedTimeTests {
    @Test("the time is the lower quartile of those at full speed") func quartile() {
        let fast = (0..<9).map { (time: 100 + Double($0), isUndisturbed: true) }
        #expect(UndisturbedTime.of(fast) == 102)
        #expect(UndisturbedTime.of(fast + [(time: 50, isUndisturbed: false)]) == 102)
    }

    @Test("too few times at full speed give none, unless there are few at all") func few() {
        func times(_ fast: Int, _ slow: Int) -> [(time: Double, isUndisturbed: Bool)] {
            (0..<fast).map { _ in (10, true) } + (0..<slow).map { _ in (10, false) }
        }
        #expect(UndisturbedTime.of(times(5, 19)) == nil)
        #expect(UndisturbedTime.of(times(6, 500)) == 10)
        #expect(UndisturbedTime.of(times(1, 3)) == 10)
        #expect(UndisturbedTime.of(times(0, 1)) == nil)
        #expect(UndisturbedTime.of([]) == nil)
    }

    @Test(
        "four sets are enough, or a quarter of them and two, or one of two",
        arguments: [
            (0, 0, false), (0, 1, false), (1, 1, true), (1, 2, true), (1, 3, false), (2, 3, true), (3, 12, true),
            (3, 13, false), (4, 100, true),
        ])
    func enough(undisturbed: Int, sets: Int, isEnough: Bool) {
        #expect(UndisturbedTime.isEnough(undisturbed, of: sets) == isEnough)
    }

    @Test("full speed is that of the quickest probes but for a lucky few") func fullSpeed() throws {
        let speed = try #require(FullSpeed([3_000: 1, 4_000: 59, 7_000: 40].probes()))
        #expect(speed.part == 0.6 && speed.cycle == nil && speed.correction([]) == 1)
        #expect(speed.holds(SpeedReading(parallel: 4_200)) && !speed.holds(SpeedReading(parallel: 4_300)))
        #expect(FullSpeed([:]) == nil)
        #expect(FullSpeed([0: 2].probes()) == nil)
    }

    @Test("a slower clock is not a shared core, and times are told for the reference rate") func clock() throws {
        // A quarter of a nanosecond a cycle, then 5 % more; the core is shared during the last third.
        let readings = [5_000: 10].probes(cycle: 0.25).merging([5_250: 10].probes(cycle: 0.2625)) { $1 }
            .merging([8_000: 10].probes(cycle: 0.25)) { $1 }
        let own = try #require(FullSpeed(readings))
        #expect(abs(own.part - 2.0 / 3) < 1e-9)
        #expect(try abs(#require(own.cycle) - 0.25625) < 1e-9)
        #expect(own.reference == own.cycle && own.error(isCorrected: false) == 0)
        let other = try #require(FullSpeed(readings, reference: 0.2))
        #expect(abs(other.correction([0.25]) - 0.8) < 1e-9)
        #expect(abs(other.error(isCorrected: false) - 0.28125) < 1e-9)
        #expect(abs(other.error(isCorrected: true) - 0.28125 / 3) < 1e-9)
    }

    @Test("a probe whose chain was interrupted is not at full speed, although its loop seems quick for such a clock")
    func interruptedChain() throws {
        // On a busy machine most loops are slow, and a few chains take eight times as long as the others.
        let readings = [8_000: 95].probes(cycle: 0.25).merging([8_000: 5].probes(cycle: 2)) { $1 }
        let speed = try #require(FullSpeed(readings))
        #expect(speed.cycle == 0.25 && speed.part == 0.95)
        #expect(!speed.holds(SpeedReading(parallel: 8_000, cycle: 2)))
    }

    @Test("a reference beyond the range of one processor's clock rates is not taken", arguments: [0.1, 0.16, 0.38, 2])
    func strangeReference(reference: Double) throws {
        let speed = try #require(FullSpeed([5_000: 10].probes(cycle: 0.25), reference: reference))
        #expect(speed.reference == 0.25 && speed.correction([0.25]) == 1)
    }

    @Test("in recorded stretches of a busy machine the undisturbed time repeats within 3 %, and the median does not")
    func recorded() throws {
        let stretches = RecordedBatches.stretches
        let readings = stretches.joined().map { SpeedReading(parallel: $0.probe) }
        let speed = try #require(FullSpeed(Dictionary(grouping: readings, by: \.self).mapValues { UInt64($0.count) }))
        let undisturbed = stretches.compactMap { batches in
            UndisturbedTime.of(
                batches.map { ($0.time, speed.holds(SpeedReading(parallel: $0.probe)) && !$0.isInterrupted) })
        }
        let medians = stretches.compactMap { Samples($0.map(\.time)).median }
        #expect(undisturbed.count == 3)
        #expect(try #require(undisturbed.max()) < 1.03 * #require(undisturbed.min()), "\(undisturbed)")
        #expect(try #require(medians.max()) > 1.3 * #require(medians.min()), "\(medians)")
    }

    @Test("one mode is not taken for two, whatever its shape") func oneMode() {
        #expect(Modes([Double](repeating: 10, count: 100)) == nil)
        #expect(Modes((0..<100).map { 100 + Double($0) }) == nil)
        #expect(Modes((1..<100).map { 100 + 1_000 / Double($0) }) == nil)
        #expect(Modes((0..<100).map { number in 100 + Double(number % 10) * 0.4 }) == nil)
        #expect(Modes([10, 20]) == nil)
    }

    @Test("two modes are told with their times and the part of the slower") func twoModes() throws {
        let times = (0..<100).map { number -> Double in
            let time = number < 70 ? 11.0 : 19.0
            return time + time * Double(number % 7) / 300
        }
        let modes = try #require(Modes(times))
        #expect(abs(modes.fast - 11.1) < 0.1 && abs(modes.slow - 19.2) < 0.2)
        #expect(abs(modes.slowPart - 0.29) < 0.02)
    }
}

extension [Int: UInt64] {
    /// Readings of probes with these times, each so often.
    fileprivate func probes(cycle: Double? = nil) -> [SpeedReading: UInt64] {
        [SpeedReading: UInt64](
            uniqueKeysWithValues: map { (SpeedReading(parallel: Double($0.key), cycle: cycle), $0.value) })
    }
}
