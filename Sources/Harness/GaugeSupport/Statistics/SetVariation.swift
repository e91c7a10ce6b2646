import Foundation

/// The usual variation between sets of processes, estimated from all rows of a run.
///
/// Two or three sets of one row hardly tell how far sets of that row differ: Student's quantile for two is 12.7. The
/// many rows of a run tell how far they usually differ, and how reliable that is. So a row's variance is combined with
/// the usual one, each weighted by its degrees of freedom, and the combination has the sum of both (Smyth, "Linear
/// models and empirical Bayes methods for assessing differential expression", Statistical Applications in Genetics and
/// Molecular Biology 3, 2004). The usual variance depends on the scatter of slices within sets, which even one set
/// shows: if a row's slices scatter, its sets differ more. If many rows are far from the usual, it has few degrees and
/// counts for little.
package struct SetVariation: Equatable, Sendable {
    /// A row's variation, in squares of logarithms.
    package struct Row: Equatable, Sendable {
        /// The variance between sets, and its degrees of freedom.
        package let variance: Double
        package let degrees: Double
        /// The variance of a set's value that the scatter of its slices explains.
        package let within: Double
    }

    /// The fewest rows for an estimate.
    package static let leastRows = 8
    /// The most degrees of freedom that all rows may give one row. More would require rows to be known to be alike.
    package static let mostDegrees = 12.0
    /// A slice scatter below this, squared, comes from the clock.
    private static let leastWithin = 1e-8

    /// The degrees of freedom of the usual variance.
    package let degrees: Double
    /// Its logarithm is `intercept` + `slope` × the logarithm of the variance within sets.
    private let intercept: Double
    private let slope: Double

    /// - Returns: `nil` for fewer than `leastRows` rows with two sets.
    package init?(_ rows: [Row]) {
        let points = rows.filter { $0.variance > 0 && $0.variance.isFinite && $0.degrees > 0 && $0.within.isFinite }
            .map { row -> (x: Double, y: Double, noise: Double) in
                let half = row.degrees / 2
                // The logarithm of an estimate with few degrees is low on average.
                let y = log(row.variance) - Polygamma.digamma(half) + log(half)
                return (log(max(row.within, Self.leastWithin)), y, Polygamma.trigamma(half))
            }
        guard points.count >= Self.leastRows else { return nil }
        // You know the scatter of rows around the line only once you know the line.
        var scatter = 1.0
        var line = (intercept: 0.0, slope: 0.0)
        for _ in 0..<4 {
            let weights = points.map { 1 / ($0.noise + scatter) }
            line = Self.line(points, weights)
            let (sum, whole) = zip(points, weights).reduce((0, 0)) { total, next in
                let distance = next.0.y - line.intercept - line.slope * next.0.x
                return (total.0 + next.1 * (distance * distance - next.0.noise), total.1 + next.1)
            }
            scatter = max(sum / whole * Double(points.count) / Double(points.count - 2), 0)
        }
        let degrees = scatter > 0 ? 2 * Polygamma.trigammaInverse(scatter) : Self.mostDegrees
        self.degrees = min(degrees, Self.mostDegrees)
        // The mean of variances' logarithms lies below the logarithm of their scale.
        intercept = line.intercept + Polygamma.digamma(degrees / 2) - log(degrees / 2)
        slope = line.slope
    }

    private static func line(
        _ points: [(x: Double, y: Double, noise: Double)], _ weights: [Double]
    ) -> (intercept: Double, slope: Double) {
        let whole = weights.reduce(0, +)
        let (x, y) = zip(points, weights).reduce((0, 0)) {
            ($0.0 + $1.0.x * $1.1 / whole, $0.1 + $1.0.y * $1.1 / whole)
        }
        let (xx, xy) = zip(points, weights).reduce((0, 0)) { sums, next in
            let distance = next.0.x - x
            return (sums.0 + next.1 * distance * distance, sums.1 + next.1 * distance * (next.0.y - y))
        }
        // More scatter within sets never means less between them.
        let slope = xx > 0 ? min(max(xy / xx, 0), 1) : 0
        return (y - slope * x, slope)
    }

    /// The usual variance between a row's sets, given the variance within them.
    package func usual(within: Double) -> Double { exp(intercept + slope * log(max(within, Self.leastWithin))) }

    /// A row's variance combined with the usual one, with its degrees of freedom.
    package func combined(_ row: Row) -> (variance: Double, degrees: Double) {
        let all = degrees + max(0, row.degrees)
        return ((degrees * usual(within: row.within) + max(0, row.degrees) * row.variance) / all, all)
    }
}

/// The derivatives of the log-gamma function, which describe the logarithm of a variance's estimate.
///
/// The recurrence moves the argument above 8, where the asymptotic series has twelve digits (NIST Digital Library of
/// Mathematical Functions, 5.11.2 and 5.15.8).
package enum Polygamma {
    /// ψ(x) for x > 0.
    package static func digamma(_ x: Double) -> Double {
        var (x, sum) = (x, 0.0)
        while x < 8 {
            sum -= 1 / x
            x += 1
        }
        let y = 1 / (x * x)
        return sum + log(x) - 1 / (2 * x) - y
            * (1 / 12.0 - y * (1 / 120.0 - y * (1 / 252.0 - y * (1 / 240.0 - y / 132))))
    }

    /// ψ′(x) for x > 0.
    package static func trigamma(_ x: Double) -> Double {
        var (x, sum) = (x, 0.0)
        while x < 8 {
            sum += 1 / (x * x)
            x += 1
        }
        let y = 1 / (x * x)
        return sum + 1 / x + y / 2 + y / x * (1 / 6.0 - y * (1 / 30.0 - y * (1 / 42.0 - y * (1 / 30.0 - y * 5 / 66))))
    }

    /// The x at which ψ′ has this value, above 0, by bisecting its logarithm: ψ′ falls from infinity to 0.
    package static func trigammaInverse(_ value: Double) -> Double {
        var (low, high) = (-20.0, 20.0)
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if trigamma(exp(middle)) > value { low = middle } else { high = middle }
        }
        return exp((low + high) / 2)
    }
}
