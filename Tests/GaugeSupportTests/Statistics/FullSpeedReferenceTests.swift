import Foundation
import Testing

@testable import GaugeSupport

/// Full speed, undisturbed times and modes against slow second implementations, on random inputs.
@Suite("Full speed and modes against a second implementation") struct FullSpeedReferenceTests {
    /// Times of a machine with a fast and a slow mode and rare interruptions, as whole numbers with many ties.
    private static func times(_ random: inout Xoshiro256, atMost most: UInt64) -> [Double] {
        let slowPart = random.nextUnit()
        let ratio = 1 + random.nextUnit()
        let width = 1 + random.next(below: 120)
        return (0..<(1 + random.next(below: most))).map { _ in
            let time = Double(1_000 + random.next(below: width)) * (random.nextUnit() < slowPart ? ratio : 1)
            return (random.next(below: 60) == 0 ? 9 * time : time).rounded()
        }
    }

    /// The value at the rank of `over` in a hundred, counted in whole numbers.
    private static func atRank(_ over: Int, _ values: [Double]) -> Double {
        values.sorted()[max(1, (values.count * over + 99) / 100) - 1]
    }

    @Test("full speed ends 6 % above the second percentile") func fullSpeed() throws {
        var random = Xoshiro256(seed: 51)
        for _ in 0..<1_000 {
            let probes = Self.times(&random, atMost: 300)
            let readings = probes.map { SpeedReading(parallel: $0) }
            let speed = try #require(FullSpeed(Dictionary(readings.map { ($0, 1) }) { $0 + $1 }))
            let longest = Self.atRank(2, probes) * 1.06
            let fast = probes.filter { $0 <= longest }
            #expect(abs(speed.longest - longest) < 1e-9)
            #expect(speed.part == Double(fast.count) / Double(probes.count))
            #expect(readings.allSatisfy { speed.holds($0) == ($0.parallel <= longest) })
        }
    }

    @Test("the clock's cycle is the mean of its middle half at full speed, and times are corrected by their median")
    func clock() throws {
        var random = Xoshiro256(seed: 54)
        for _ in 0..<500 {
            // All at full speed but the interrupted, which are far off; few different cycles, so that many are equal.
            let chains = (0..<(1 + random.next(below: 40))).map { _ in
                0.25 + Double(random.next(below: 12)) / 128 + (random.next(below: 9) == 0 ? 0.5 : 0)
            }
            let cycles = chains.filter { $0 <= 1.5 * Self.atRank(2, chains) }
            let readings = chains.map { SpeedReading(parallel: 1_000 * $0, cycle: $0) }
            let reference = try #require(cycles.first)
            let speed = try #require(FullSpeed(Dictionary(readings.map { ($0, 1) }) { $0 + $1 }, reference: reference))
            let middle = cycles.filter { (Self.atRank(25, cycles)...Self.atRank(75, cycles)).contains($0) }
            let cycle = middle.reduce(0, +) / Double(middle.count)
            #expect(abs(try #require(speed.cycle) - cycle) < 1e-12 && speed.reference == reference)
            #expect(speed.part == Double(cycles.count) / Double(chains.count))
            #expect(zip(readings, chains).allSatisfy { speed.holds($0) == cycles.contains($1) })
            let sorted = cycles.sorted()
            let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
            #expect(abs(speed.correction(cycles) - reference / median) < 1e-12)
        }
    }

    @Test("a rounded reading is within half a unit of 8 bits, and of 12 bits for the cycle") func rounded() throws {
        var random = Xoshiro256(seed: 55)
        var (worst, worstOfCycles) = (0.0, 0.0)
        for _ in 0..<2_000 {
            let reading = SpeedReading(parallel: 1 + 1e6 * random.nextUnit(), cycle: 0.1 + random.nextUnit())
            let (cycle, rounded) = (try #require(reading.cycle), reading.rounded)
            worst = max(worst, abs(rounded.parallel / reading.parallel - 1))
            worstOfCycles = max(worstOfCycles, abs(try #require(rounded.cycle) / cycle - 1))
        }
        #expect((0x1p-10...0x1p-9).contains(worst), "\(worst)")
        #expect((0x1p-14...0x1p-13).contains(worstOfCycles), "\(worstOfCycles)")
    }

    @Test("an undisturbed time is the lower quartile of the undisturbed, when they are six or a quarter of all")
    func undisturbed() {
        var random = Xoshiro256(seed: 52)
        for _ in 0..<2_000 {
            let times = Self.times(&random, atMost: 40)
            let marked = times.map { (time: $0, isUndisturbed: random.next(below: 3) == 0) }
            let chosen = marked.filter(\.isUndisturbed).map(\.time).sorted()
            var expected: Double?
            if !chosen.isEmpty, chosen.count >= 6 || chosen.count >= marked.count / 4 {
                let (below, rest) = (chosen.count - 1).quotientAndRemainder(dividingBy: 4)
                let above = chosen[min(below + 1, chosen.count - 1)]
                expected = (chosen[below] * Double(4 - rest) + above * Double(rest)) / 4
            }
            let found = UndisturbedTime.of(marked)
            #expect((found == nil) == (expected == nil), "\(chosen.count) of \(marked.count)")
            #expect(abs((found ?? 0) - (expected ?? 0)) < 1e-9)
        }
    }

    private struct Split {
        let fast: Double
        let slow: Double
        let slowPart: Double
    }

    /// Otsu's threshold by trying each, with the variances computed from the values themselves.
    private static func modes(_ times: [Double]) -> Split? {
        let sorted = times.sorted().map { log($0) }
        let values = Array(sorted[..<(sorted.count - sorted.count / 50)])
        guard values.count >= 20 else { return nil }
        func mean(_ values: ArraySlice<Double>) -> Double { values.reduce(0, +) / Double(values.count) }
        func squares(_ values: ArraySlice<Double>) -> Double {
            let center = mean(values)
            return values.reduce(0) { $0 + ($1 - center) * ($1 - center) }
        }
        let least = values.count / 20 + (values.count.isMultiple(of: 20) ? 0 : 1)
        let within = (least...(values.count - least)).map { ($0, squares(values[..<$0]) + squares(values[$0...])) }
        guard let best = within.min(by: { $0.1 < $1.1 }) else { return nil }
        let (low, high) = (mean(values[..<best.0]), mean(values[best.0...]))
        let deviation = (best.1 / Double(values.count)).squareRoot()
        guard high - low > 0.05, high - low > 5 * deviation else { return nil }
        let between = values.count { $0 >= low + (high - low) / 4 && $0 <= high - (high - low) / 4 }
        guard 2 * between < min(best.0, values.count - best.0) else { return nil }
        return Split(fast: exp(low), slow: exp(high), slowPart: Double(values.count - best.0) / Double(values.count))
    }

    @Test("two modes are those of the threshold with the least variance within, and are told apart alike") func modes()
    {
        var random = Xoshiro256(seed: 53)
        var found = 0
        for _ in 0..<400 {
            let times = Self.times(&random, atMost: 160)
            let (modes, expected) = (Modes(times), Self.modes(times))
            #expect((modes == nil) == (expected == nil), "\(times.count) times")
            guard let modes, let expected else { continue }
            found += 1
            #expect(abs(modes.fast / expected.fast - 1) < 1e-9 && abs(modes.slow / expected.slow - 1) < 1e-9)
            #expect(abs(modes.slowPart - expected.slowPart) < 1e-12)
        }
        #expect((100...300).contains(found), "\(found)")
    }
}
