import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// The axes of plots, on random values: a value stands between the ticks where it belongs.
@Suite("Scales of plots") struct PlotScaleTests {
    private static func label(_ value: Double) -> String { "\(value)" }

    private struct Axis {
        let places: [(position: Double, value: Double)]

        init(_ scale: PlotScale) { places = scale.ticks.map { ($0.position, Double($0.label) ?? .nan) } }

        /// The position of a value by interpolation between the outermost ticks.
        func position(_ value: Double, _ curve: (Double) -> Double = { $0 }) -> Double {
            guard let first = places.first, let last = places.last else { return .nan }
            let part = (curve(value) - curve(first.value)) / (curve(last.value) - curve(first.value))
            return first.position + part * (last.position - first.position)
        }
    }

    private func check(
        _ scale: PlotScale, _ values: [Double], _ curve: (Double) -> Double = { $0 }, ticks: ClosedRange<Int>
    ) {
        let axis = Axis(scale)
        #expect(ticks.contains(axis.places.count), "\(axis.places.count) ticks for \(values)")
        #expect(
            zip(axis.places, axis.places.dropFirst()).allSatisfy { $0.position < $1.position && $0.value < $1.value })
        #expect(axis.places.allSatisfy { (0...1).contains($0.position) })
        for (value, place) in axis.places.map({ ($0.value, $0.position) })
            + values.map({ ($0, axis.position($0, curve)) })
        {
            #expect(abs(scale.position(value) - place) < 1e-3, "\(value) among \(values)")
        }
    }

    private static func values(_ random: inout Xoshiro256, from low: Double, to high: Double) -> [Double] {
        (0..<(2 + Int(random.next(below: 8)))).map { _ in exp(log(low) + random.nextUnit() * log(high / low)) }
    }

    @Test("a linear axis goes from 0 to the next round number above the largest value, in quarters")
    func linear() throws {
        var random = Xoshiro256(seed: 71)
        for _ in 0..<300 {
            let values = Self.values(&random, from: 1, to: 1e9)
            let scale = PlotScale.linear(values, label: Self.label)
            check(scale, values, ticks: 5...5)
            let most = try #require(values.max())
            let top = try #require(scale.ticks.last.flatMap { Double($0.label) })
            #expect(scale.ticks.map(\.position) == [0, 0.25, 0.5, 0.75, 1] && scale.position(0) == 0)
            // The steps 1, 1.5, 2, 3, 4, 5, 8, 10 are at most 60 % apart.
            #expect(top >= most * 0.999 && top <= 1.6 * most, "\(top) for \(most)")
        }
    }

    @Test("a logarithmic axis has powers of its base at both ends", arguments: [10.0, 2])
    func logarithmic(base: Double) throws {
        var random = Xoshiro256(seed: 72)
        for _ in 0..<300 {
            let values = Self.values(&random, from: 1e-3, to: 1e6)
            let scale = PlotScale.logarithmic(values, base: base, label: Self.label)
            check(scale, values, { log($0) }, ticks: 2...7)
            let ends = [try #require(values.min()), try #require(values.max())].map { log($0) / log(base) }
            let first = try #require(scale.ticks.first.flatMap { Double($0.label) })
            #expect(abs(log(first) / log(base) - ends[0].rounded(.down)) < 1e-6)
            #expect(abs(scale.position(pow(base, ends[1].rounded(.up))) - 1) < 1e-6)
            #expect(scale.ticks[0].position == 0)
        }
    }

    @Test("an axis that fits shares goes from the round number below the least to that above the largest")
    func fitted() throws {
        var random = Xoshiro256(seed: 73)
        for _ in 0..<300 {
            let values = Self.values(&random, from: 0.01, to: 0.99)
            let scale = PlotScale.fitted(values, within: 0...1, label: Self.label)
            check(scale, values, ticks: 2...8)
            let ticks = scale.ticks.compactMap { Double($0.label) }
            let (least, most, step) = (try #require(values.min()), try #require(values.max()), ticks[1] - ticks[0])
            #expect(ticks[0] <= least + 1e-9 && ticks[0] > least - step - 1e-9)
            #expect(ticks[ticks.count - 1] >= most - 1e-9 && ticks[ticks.count - 1] < most + step + 1e-9)
            #expect(ticks.allSatisfy { abs(($0 / step).rounded() - $0 / step) < 1e-6 }, "\(ticks)")
            // A step is 1, 2 or 5 times a power of ten.
            let digits = step / pow(10, (log10(step) + 1e-9).rounded(.down))
            #expect([1, 2, 5].contains { abs(digits - $0) < 1e-6 }, "\(step)")
        }
    }

    @Test("an axis that fits capacities begins and ends with its values, and has powers within") func capacities()
        throws
    {
        var random = Xoshiro256(seed: 74)
        for _ in 0..<300 {
            let values = Self.values(&random, from: 1, to: 1e9)
            let scale = PlotScale.fittedLogarithmic(values, base: 2, label: Self.label)
            let (least, most) = (try #require(values.min()), try #require(values.max()))
            check(scale, values, { log($0) }, ticks: 2...7)
            #expect(scale.position(least) < 1e-9 && scale.position(most) > 1 - 1e-9)
            #expect(abs(scale.position((least * most).squareRoot()) - 0.5) < 1e-9)
        }
    }

    @Test("an axis within bounds begins below a value that is a little less than a label, but for an error of rounding")
    func slightlyLess() {
        func first(_ least: Double) -> String? {
            PlotScale.fitted([least, 0.9], within: 0...1, label: Self.label).ticks.first?.label
        }
        #expect(first(0.4) == "0.4" && first(0.4 * (1 - 1e-11)) == "0.4")
        #expect(first(0.4 * (1 - 1e-7)) == "0.30000000000000004" || first(0.4 * (1 - 1e-7)) == "0.3")
        func last(_ most: Double) -> Double? {
            PlotScale.fitted([0.1, most], within: 0...1, label: Self.label).ticks.last.flatMap { Double($0.label) }
        }
        #expect(abs((last(0.6 * (1 + 1e-11)) ?? 0) - 0.6) < 1e-9 && abs((last(0.6 * (1 + 1e-7)) ?? 0) - 0.7) < 1e-9)
    }

    @Test("an axis without values, and one of values that have no place on it, goes from one round number to the next")
    func withoutValues() {
        func labels(_ scale: PlotScale) -> [String] { scale.ticks.map(\.label) }
        for values in [[], [0, -1, .infinity, .nan]] as [[Double]] {
            #expect(labels(.logarithmic(values, label: Self.label)) == ["1.0", "10.0"])
            #expect(labels(.logarithmic(values, base: 2, label: Self.label)) == ["1.0", "2.0"])
            #expect(labels(.fittedLogarithmic(values, base: 2, label: Self.label)) == ["1.0", "2.0"])
        }
        #expect(labels(.linear([], label: Self.label)) == ["0.0", "0.25", "0.5", "0.75", "1.0"])
        #expect(labels(.linear([9, .infinity], label: Self.label)).last == "10.0")
        #expect(labels(.linear([8, .nan], label: Self.label)).last == "8.0")
        let whole = PlotScale.fitted([0, 1], within: 0...1, label: Self.label)
        #expect(labels(.fitted([2, -1], within: 0...1, label: Self.label)) == labels(whole))
    }

    @Test("what lies beyond an axis is placed at its end, and what is no number at its beginning") func beyond() {
        let scales = [
            PlotScale.logarithmic([1, 100], label: Self.label), .linear([1, 100], label: Self.label),
            .fittedLogarithmic([1, 100], base: 10, label: Self.label),
            .fitted([0, 1], within: 0...1, label: Self.label),
        ]
        for scale in scales {
            #expect([0, -1, -.infinity, .nan].map(scale.position) == [0, 0, 0, 0])
            #expect([1e9, 100.0].map(scale.position) == [1, 1])
        }
        #expect(PlotScale.steps([1, 2]).position(7) == 0 && PlotScale.steps([1, 2]).position(2) == 1)
    }

    @Test("a coordinate has two decimals at most, and no more than seven digits before them") func coordinates() {
        let numbers: [(Double, String)] = [
            (.infinity, "0"), (-.infinity, "0"), (.nan, "0"), (3, "3"), (2.5, "2.50"), (0.125, "0.13"), (-0.5, "-0.50"),
            (1e8, "10000000"), (-1e8, "-10000000"), (9_999_999.5, "9999999.50"), (0.001, "0"),
        ]
        for (number, text) in numbers { #expect(HTMLText.number(number) == text) }
    }

    @Test("threads are evenly spaced, in their order") func steps() {
        let scale = PlotScale.steps([4, 1, 2, 1, 8])
        #expect(scale.ticks.map(\.label) == ["1", "2", "4", "8"])
        let thirds: [Double] = [0, 1.0 / 3, 2.0 / 3, 1]
        #expect(scale.ticks.map(\.position) == thirds)
        let threads: [Double] = [1, 2, 4, 8]
        #expect(threads.map(scale.position) == thirds)
        #expect(PlotScale.steps([3]).ticks.map(\.position) == [0])
    }

    @Test("quantiles are spaced by their nines") func nines() {
        let scale = PlotScale.nines([0.5, 0.99999])
        for (part, place) in [(0.0, 0.0), (0.9, 0.2), (0.99, 0.4), (0.999, 0.6), (0.9999, 0.8), (0.99999, 1), (1, 1)] {
            #expect(abs(scale.position(part) - place) < 1e-9)
        }
        #expect(scale.ticks.map(\.label) == ["0", "90", "99", "99.9", "99.99", "99.999"])
        #expect(scale.ticks.map(\.position) == [0, 0.2, 0.4, 0.6, 0.8, 1])
    }

    @Test("an axis of quantiles ends at the nine after the largest, with at most six labels") func fittedNines() {
        #expect(PlotScale.nines([0.3, 0.95]).ticks.map(\.label) == ["0", "90", "99"])
        #expect(PlotScale.nines([0]).ticks.map(\.label) == ["0", "90"])
        #expect(PlotScale.nines([1 - 1e-7]).ticks.map(\.label) == ["0", "99", "99.99", "99.9999"])
        #expect(PlotScale.nines([1 - 1e-6]).position(1 - 1e-6) > 0.999)
        #expect(PlotScale.nines([]).ticks.count == 6)
        // All operations are as far as nine nines.
        #expect(abs(PlotScale.nines([0.5, 1]).position(0.99999) - 5.0 / 9) < 1e-6)
    }

    @Test("of many runs the first and the last are named, and others where there is room, and no label lies on another")
    func names() {
        func labels(_ count: Int, _ name: (Int) -> String) -> [String] {
            PlotScale.names((0..<count).map(name)).ticks.map(\.label)
        }
        #expect(labels(3) { "run-\($0).json" } == ["run-0.json", "run-1.json", "run-2.json"])
        #expect(labels(4) { "\($0)00.json" } == ["000.json", "100.json", "200.json", "300.json"])
        #expect(labels(14) { "2026-11-\(10 + $0) c2923e4d" } == ["2026-11-10 c2923e4d", "2026-11-23 c2923e4d"])
        #expect(
            labels(26) { String("ABCDEFGHIJKLMNOPQRSTUVWXYZ".prefix($0 + 1).suffix(1)) } == [
                "A", "C", "E", "G", "I", "K", "M", "O", "Q", "S", "U", "W", "Z",
            ])
        #expect(
            labels(2) { "a-name-that-goes-on-and-on-\($0).json" }
                == ["…goes-on-and-on-0.json", "…goes-on-and-on-1.json"].map { "…" + $0.suffix(19) })
        for length in 1...40 {
            for count in 1...60 {
                let scale = PlotScale.names((0..<count).map { _ in String(repeating: "x", count: length) })
                #expect(scale.ticks.first?.position == 0 && (count == 1 || scale.ticks.last?.position == 1))
                let spans = scale.ticks.map { tick in
                    let (place, width) = (tick.position * 42, Double(tick.label.count))
                    return tick.style == "x start"
                        ? place...place + width
                        : tick.style == "x end" ? place - width...place : place - width / 2...place + width / 2
                }
                #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "\(spans)")
            }
        }
    }
}
