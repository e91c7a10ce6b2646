import Foundation
import GaugeSupport

/// Maps values to positions along an axis, from 0 to 1, and selects the labelled ones.
package struct PlotScale {
    package struct Tick: Equatable {
        package let position: Double
        package let label: String
    }

    package let ticks: [Tick]
    private let place: @Sendable (Double) -> Double

    /// The position from 0 to 1; values outside the scale are placed at its ends.
    package func position(_ value: Double) -> Double {
        let position = place(value)
        return position.isFinite ? min(max(position, 0), 1) : 0
    }

    /// A logarithmic scale with powers of `base` as labels. If there are too many, only every second, third, … is
    /// labelled.
    package static func logarithmic(_ values: [Double], base: Double = 10, label: (Double) -> String) -> PlotScale {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        let (least, most) = (positive.min() ?? 1, positive.max() ?? base)
        func exponent(_ value: Double) -> Double { log(value) / log(base) }
        let low = (exponent(least) + 1e-9).rounded(.down)
        let high = max((exponent(most) - 1e-9).rounded(.up), low + 1)
        let step = max(1, ((high - low) / 6).rounded(.up))
        let ticks = stride(from: low, through: high, by: step).map {
            Tick(position: ($0 - low) / (high - low), label: label(pow(base, $0)))
        }
        return PlotScale(ticks: ticks) { $0 > 0 ? (log($0) / log(base) - low) / (high - low) : 0 }
    }

    /// A linear scale between round numbers just around the values, inside of `bounds`, with about six labels.
    package static func fitted(
        _ values: [Double], within bounds: ClosedRange<Double>, label: (Double) -> String
    ) -> PlotScale {
        let values = values.filter(bounds.contains)
        let (least, most) = (values.min() ?? bounds.lowerBound, values.max() ?? bounds.upperBound)
        let wanted = max(most - least, (bounds.upperBound - bounds.lowerBound) * 0.01) / 5
        let power = pow(10, log10(wanted).rounded(.down))
        let step = ([1, 2, 5].first { $0 * power >= wanted * 0.999 } ?? 10) * power
        let low = max(bounds.lowerBound, (least / step + 1e-9).rounded(.down) * step)
        let high = max(min(bounds.upperBound, (most / step - 1e-9).rounded(.up) * step), low + step)
        let count = Int(((high - low) / step).rounded())
        let ticks = (0...max(1, count)).map {
            Tick(position: min(1, Double($0) * step / (high - low)), label: label(low + Double($0) * step))
        }
        return PlotScale(ticks: ticks) { ($0 - low) / (high - low) }
    }

    /// A logarithmic scale that ends at the smallest and the largest value, with powers of `base` as labels.
    package static func fittedLogarithmic(
        _ values: [Double], base: Double, label: (Double) -> String
    ) -> PlotScale {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        guard let least = positive.min(), let most = positive.max(), most > least else {
            return logarithmic(values, base: base, label: label)
        }
        func exponent(_ value: Double) -> Double { log(value) / log(base) }
        let (low, high) = (exponent(least), exponent(most))
        let step = max(1, ((high - low) / 6).rounded(.up))
        var powers = Array(stride(from: (low - 1e-9).rounded(.up), through: high + 1e-9, by: step))
        if powers.count < 2 { powers = [low, high] }
        let ticks = powers.map {
            Tick(position: min(max(($0 - low) / (high - low), 0), 1), label: label(pow(base, $0)))
        }
        return PlotScale(ticks: ticks) { $0 > 0 ? (log($0) / log(base) - low) / (high - low) : 0 }
    }

    /// A linear scale from zero to a round number above the largest value.
    package static func linear(_ values: [Double], label: (Double) -> String) -> PlotScale {
        let most = max(values.filter(\.isFinite).max() ?? 1, 1e-12)
        let power = pow(10, log10(most).rounded(.down))
        let top = ([1, 1.2, 1.6, 2, 3, 4, 6, 8].first { $0 * power >= most * 0.999 } ?? 10) * power
        let ticks = (0...4).map { Tick(position: Double($0) / 4, label: label(top * Double($0) / 4)) }
        return PlotScale(ticks: ticks) { $0 / top }
    }

    /// A scale for percentiles on which each nine has the same length: 0, 90, 99, 99.9, … as far as the largest part.
    ///
    /// With more than five nines, every second is labelled.
    package static func nines(_ parts: [Double]) -> PlotScale {
        @Sendable func count(_ part: Double) -> Double { part >= 1 ? 9 : -log10(1 - part) }
        let most = min(max(((parts.map(count).max() ?? 5) - 1e-6).rounded(.up), 1), 9)
        let step = most > 5 ? 2.0 : 1
        let ticks = stride(from: 0, through: most, by: step).map { nines in
            Tick(position: nines / most, label: Quantity.plain(100 * (1 - pow(10, -nines))))
        }
        return PlotScale(ticks: ticks) { count($0) / most }
    }

    /// A scale for numbers of threads with equal distances.
    package static func steps(_ values: [Double]) -> PlotScale {
        let steps = Set(values).sorted()
        let distance = Double(max(1, steps.count - 1))
        let ticks = steps.enumerated().map { Tick(position: Double($0) / distance, label: HTMLText.number($1)) }
        return PlotScale(ticks: ticks) { value in Double(steps.firstIndex(of: value) ?? 0) / distance }
    }
}
