import TestSupport
import Testing

@testable import GaugeSupport

@Suite("Interval of a median") struct MedianIntervalTests {
    /// The median of seven values drawn from 1 to 7 is at most k with the probability that a binomial (7, k/7) is at
    /// least 4: 0.0102 for 1 and 0.1068 for 2. So the 2.5 % point of a thousand draws is 2 for every seed: 0.0102 is
    /// five standard deviations away.
    @Test(
        "of single values the interval is where the bootstrap's exact distribution has it",
        arguments: 1...nightly(20, else: 5) as ClosedRange<UInt64>)
    func exact(seed: UInt64) {
        let slices = (1...7).map { Tally([Double($0)]) }
        #expect(MedianInterval.of(slices, seed: seed) == 2...6)
    }

    @Test("whole slices are drawn, not their values") func slices() {
        // If single values were drawn instead of slices, every draw of 700 would have the median 4.
        let slices = (1...7).map { Tally([Double](repeating: Double($0), count: 100)) }
        #expect(MedianInterval.of(slices, seed: 1) == 2...6)
    }

    @Test("a slice counts by the number of its values") func weights() throws {
        // One slice has more values than all others together: it decides every draw that contains it.
        let slices = [Tally([Double](repeating: 9, count: 1_000))] + (1...6).map { _ in Tally([1.0]) }
        let interval = try #require(MedianInterval.of(slices, seed: 1))
        #expect(interval == 1...9)
    }

    @Test("exactly half below and half above give the middle of the two") func even() {
        let slices = (0..<6).map { _ in Tally([1, 3]) }
        #expect(MedianInterval.of(slices, seed: 5) == 2...2)
    }

    @Test("fewer than six slices have no interval, nor do slices of nothing") func tooFew() {
        #expect(MedianInterval.of((1...5).map { Tally([Double($0)]) }, seed: 1) == nil)
        #expect(MedianInterval.of((1...5).map { Tally([Double($0)]) } + [Tally([Double]())], seed: 1) == nil)
    }

    @Test("the same slices and seed give the same interval") func deterministic() {
        var random = Xoshiro256(seed: 7)
        let slices = (0..<12).map { _ in Tally((0..<50).map { _ in Double(random.next(below: 1_000)) }) }
        #expect(MedianInterval.of(slices, seed: 3) == MedianInterval.of(slices, seed: 3))
    }

    /// Twelve slices around a median of 100, each shifted as a whole by noise of the machine. The bootstrap interval of
    /// so few slices is known to be slightly too narrow.
    @Test("the interval holds the true median in about 95 of 100 runs") func coverage() throws {
        var random = Xoshiro256(seed: 11)
        func uniform() -> Double { Double(random.next(below: 1 << 30)) / Double(1 << 30) - 0.5 }
        var held = 0
        let runs = nightly(200, else: 60)
        for run in 0..<runs {
            let slices = (0..<12).map { _ in
                let shift = (0..<4).reduce(0) { sum, _ in sum + uniform() }
                return Tally((0..<20).map { _ in 100 + 3 * shift + uniform() })
            }
            if try #require(MedianInterval.of(slices, seed: UInt64(run))).contains(100) { held += 1 }
        }
        #expect((runs * 88 / 100..<runs).contains(held), "\(held) of \(runs)")
    }
}
