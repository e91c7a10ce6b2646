import Foundation

/// Whether the measured times have one mode or two.
///
/// The times are split where the variance within both parts is smallest (Otsu, "A threshold selection method from
/// gray-level histograms", IEEE Transactions on Systems, Man and Cybernetics 9, 1979). They are two modes if the means
/// of both parts are more than `least` apart and `separation` times their standard deviation (Ashman, Bird and Zepf,
/// "Detecting bimodality in astronomical datasets", Astronomical Journal 108, 1994; halves of one normal mode are 2.7
/// apart, halves of a uniform one 3.5), and few times lie between them, unlike in a long tail.
package struct Modes: Equatable, Sendable {
    package static let least = 0.05
    package static let separation = 5.0
    /// The smallest share of the times that makes a mode.
    package static let smallestPart = 0.05

    package let fast: Double
    package let slow: Double
    /// The share of times in the slower mode.
    package let slowPart: Double

    package init(fast: Double, slow: Double, slowPart: Double) {
        (self.fast, self.slow, self.slowPart) = (fast, slow, slowPart)
    }

    /// - Returns: `nil` for one mode.
    package init?(_ times: [Double]) {
        // Interruptions are no mode.
        let sorted = times.filter { $0 > 0 }.sorted().map { log($0) }
        let values = sorted.prefix(sorted.count - sorted.count / 50)
        guard values.count >= 20, let first = values.first, let last = values.last, last - first > Self.least else {
            return nil
        }
        let count = Double(values.count)
        let (sum, squares) = values.reduce((0, 0)) { ($0.0 + $1, $0.1 + $1 * $1) }
        var best = (within: Double.infinity, low: 0.0, high: 0.0, part: 0.0)
        var (lowSum, lowSquares) = (0.0, 0.0)
        for (index, value) in values.dropLast().enumerated() {
            lowSum += value
            lowSquares += value * value
            let (low, high) = (Double(index + 1), count - Double(index + 1))
            guard min(low, high) / count >= Self.smallestPart else { continue }
            let within =
                lowSquares - lowSum * lowSum / low + (squares - lowSquares) - (sum - lowSum) * (sum - lowSum) / high
            if within < best.within { best = (within, lowSum / low, (sum - lowSum) / high, high / count) }
        }
        let deviation = (max(0, best.within) / count).squareRoot()
        let distance = best.high - best.low
        guard best.within.isFinite, distance > Self.least, distance > Self.separation * deviation else { return nil }
        let between = (best.low + distance / 4)...(best.high - distance / 4)
        let fewer = min(best.part, 1 - best.part) * count
        guard Double(values.count { between.contains($0) }) < fewer / 2 else { return nil }
        self.init(fast: exp(best.low), slow: exp(best.high), slowPart: best.part)
    }
}
