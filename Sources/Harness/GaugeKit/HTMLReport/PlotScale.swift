import Foundation

/// Where values lie along an axis, from 0 to 1, and which of them are written beside it.
struct PlotScale {
    struct Tick: Equatable {
        let position: Double
        let label: String
    }

    let ticks: [Tick]
    private let place: @Sendable (Double) -> Double

    /// From 0 to 1; what lies outside is put at the edge.
    func position(_ value: Double) -> Double {
        let position = place(value)
        return position.isFinite ? min(max(position, 0), 1) : 0
    }

    /// Powers of `base` as labels; of too many every other, every third, …
    static func logarithmic(_ values: [Double], base: Double = 10, label: (Double) -> String) -> PlotScale {
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

    /// From zero to a round number above the largest.
    static func linear(_ values: [Double], label: (Double) -> String) -> PlotScale {
        let most = max(values.filter(\.isFinite).max() ?? 1, 1e-12)
        let power = pow(10, log10(most).rounded(.down))
        let top = ([1, 1.5, 2, 3, 4, 5, 8, 10].first { $0 * power >= most * 0.999 } ?? 10) * power
        let ticks = (0...4).map { Tick(position: Double($0) / 4, label: label(top * Double($0) / 4)) }
        return PlotScale(ticks: ticks) { $0 / top }
    }

    /// Parts of all, so that each nine of a percentile takes the same room: 0, 90 %, 99 %, … 99.999 %.
    static let nines = PlotScale(
        ticks: ["0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"].enumerated().map {
            Tick(position: Double($0) / 5, label: $1)
        }
    ) { part in part >= 1 ? 1 : -log10(1 - part) / 5 }

    /// Numbers of threads, each as far from the next.
    static func steps(_ values: [Double]) -> PlotScale {
        let steps = Set(values).sorted()
        let distance = Double(max(1, steps.count - 1))
        let ticks = steps.enumerated().map { Tick(position: Double($0) / distance, label: HTMLText.number($1)) }
        return PlotScale(ticks: ticks) { value in Double(steps.firstIndex(of: value) ?? 0) / distance }
    }
}
