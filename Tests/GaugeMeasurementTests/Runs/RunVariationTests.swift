import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// The usual differences of sets, against a second computation from the sets of the rows.
@Suite("Variation of a run")
struct RunVariationTests {
    /// Twelve cases of two subjects each, of which every third compares the reference with itself.
    private static let measured: [[BenchmarkMeasurements]] = {
        var machine = TwoSpeedMachine(seed: 12, slowPart: 0.1)
        return (0..<12).map { number in
            let process = 0.002 * Double(1 + number)
            let subjects = [
                TwoSpeedMachine.Subject(name: "tiered", time: 20, slowdown: 1.5, process: process),
                TwoSpeedMachine.Subject(name: "peer\(number)", time: 60, slowdown: 1.3, process: 2 * process),
            ]
            return machine.run(number.isMultiple(of: 3) ? [subjects[0]] : subjects, sets: 4, slices: 6)
        }
    }()

    private static let speed: FullSpeed? = {
        var meter = NoiseMeter()
        for result in measured.joined() { for set in result.sets { meter.add(set) } }
        return meter.speed
    }()

    private func middle(_ values: [Double]) -> Double { Samples(values).median ?? 0 }

    @Test("times vary as those of each row's sets do, and ratios as those of the sets of both rows")
    func variation() throws {
        let variation = RunVariation(Self.measured, speed: Self.speed)
        let cases = Self.measured.map { ResultRow.rows(of: $0, speed: Self.speed).map(\.sets) }
        func expected(
            trimmed: Double, value: (SetTimes) -> Double?, scatter: (SetTimes) -> Double,
            ratio: (SetTimes, SetTimes) -> Double?
        ) -> (times: SetVariation?, ratios: SetVariation?) {
            let times = cases.joined().compactMap { sets in
                let known = sets.filter { value($0) != nil }
                return SetEstimate.row(
                    known.compactMap(value), trimmed: trimmed, within: middle(known.map(scatter)))
            }
            let ratios = cases.filter { $0.count == 2 }.compactMap { rows in
                let pairs = zip(rows[1], rows[0]).filter { ratio($0, $1) != nil }
                return SetEstimate.row(
                    pairs.compactMap { ratio($0, $1) }, trimmed: trimmed,
                    within: middle(pairs.map { scatter($0) + scatter($1) }))
            }
            return (SetVariation(times), SetVariation(ratios))
        }
        func quotient(_ time: Double?, _ other: Double?) -> Double? { time.flatMap { time in other.map { time / $0 } } }

        let undisturbed = expected(trimmed: 0.2, value: \.undisturbed, scatter: \.scatter) {
            quotient($0.undisturbed, $1.undisturbed)
        }
        let typical = expected(trimmed: 0.2, value: \.typical, scatter: \.sliceScatter) { $0.pairedRatio(to: $1) }
        let mean = expected(trimmed: 0, value: \.mean, scatter: \.sliceScatter) { quotient($0.mean, $1.mean) }
        for (figure, expected) in [(SetFigure.undisturbed, undisturbed), (.typical, typical), (.mean, mean)] {
            #expect(variation.ofTimes(figure) == expected.times, "\(figure)")
            #expect(variation.ofRatios(figure) == expected.ratios, "\(figure)")
        }
    }

    @Test("the scatter of slices is the variance of their median, from the distance of their quartiles")
    func scatter() {
        let slices = [90.0, 100, 100, 110, 120]
        let deviation = 10 / 100 / 1.35
        #expect(abs(SetTimes(slices: slices).sliceScatter - deviation * deviation / 5) < 1e-15)
        #expect(SetTimes(slices: [1, 2]).sliceScatter == 0)
    }

    /// Of `count` slices of 6 ns and 3 ns, those where both machines had the same mood.
    private func ratio(_ moods: [Double], _ others: [Double]) -> Double? {
        var (one, other) = (SetTimes(slices: moods.map { $0 * 6 }), SetTimes(slices: others.map { _ in 3 }))
        (one.moods, other.moods) = (moods, others)
        return one.pairedRatio(to: other)
    }

    @Test("slices are divided where the moods differ by a tenth at most, of a quarter of the slices or more")
    func pairs() {
        #expect(ratio([1, 1.1, 5, 9], [1, 1, 1, 1]) == 2.1)
        #expect(ratio([1, 2, 3, 4], [1, 1, 1, 1]) == 2)
        #expect(ratio([1, 2, 3, 4, 5], [1, 1, 1, 1, 1]) == nil)
        #expect(ratio([1, 2, 3, 4, 5], [1, 1, 1, 1]) == 2)
        #expect(ratio([1.11], [1]) == nil && ratio([1], [1.11]) == nil && ratio([], []) == nil)
        #expect(SetTimes(slices: [4, 6]).pairedRatio(to: SetTimes(slices: [2, 2, 9])) == 2.5)
    }
}
