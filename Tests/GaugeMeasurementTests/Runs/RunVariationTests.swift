import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// The usual differences of sets, against a second computation from the sets of the rows.
@Suite("Variation of a run") struct RunVariationTests {
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
                return SetEstimate.row(known.compactMap(value), trimmed: trimmed, within: middle(known.map(scatter)))
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
        let typical = expected(trimmed: 0.2, value: \.typical, scatter: \.sliceScatter) { _, _ in nil }
        let mean = expected(trimmed: 0, value: \.mean, scatter: \.sliceScatter) { quotient($0.mean, $1.mean) }
        for (figure, expected) in [(SetFigure.undisturbed, undisturbed), (.typical, typical), (.mean, mean)] {
            #expect(variation.ofTimes(figure) == expected.times, "\(figure)")
            guard figure != .typical else { continue }
            #expect(variation.ofRatios(figure) == expected.ratios, "\(figure)")
        }
        let paired = cases.filter { $0.count == 2 }.map { rows in
            PairedRatios(zip(rows[1], rows[0]).map { ($0.turns, $1.turns) })
        }
        #expect(paired.count == 8 && paired.allSatisfy { $0.values.count == 4 })
        #expect(
            variation.ofRatios(.typical)
                == SetVariation(paired.compactMap { SetEstimate.row($0.values, trimmed: 0.2, within: $0.within) }))
    }

    @Test("the scatter of slices is the variance of their median, from the distance of their quartiles")
    func scatter() {
        let slices = [90.0, 100, 100, 110, 120]
        let deviation = 10 / 100 / 1.35
        #expect(abs(SetTimes(slices: slices).sliceScatter - deviation * deviation / 5) < 1e-15)
        #expect(SetTimes(slices: [1, 2]).sliceScatter == 0)
    }
}
