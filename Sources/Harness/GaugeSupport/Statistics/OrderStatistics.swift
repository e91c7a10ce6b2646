import Foundation

/// The confidence interval of a quantile between two order statistics, without assumptions about the distribution.
///
/// Of n independent values, the number below the true quantile p is binomial (n, p). So the l-th and u-th smallest
/// enclose it with the probability that this number is at least l and below u (David and Nagaraja, "Order Statistics",
/// 2003, section 7.1). Successive operations aren't quite independent: the interval describes the precision of this
/// sample, not the variation between days.
package enum OrderStatistics {
    /// The narrowest ranks, from 1, with a probability of at most (1 - level) / 2 on either side.
    ///
    /// - Returns: `nil` with too few values: below 6 for p = 0.5, below 368 for 0.99, below 36,887 for 0.9999. Takes
    ///   time proportional to the square root of `count`: 0.2 ms for ten million.
    package static func ranks(of part: Double, count: UInt64, level: Double = 0.95) -> (lower: UInt64, upper: UInt64)? {
        guard count > 0, part > 0, part < 1 else { return nil }
        let n = Double(count)
        let tail = (1 - level) / 2
        let deviation = (n * part * (1 - part)).squareRoot()
        // The sum begins where less than e^-72 of the probability lies below.
        let first = max(0, (n * part - 12 * deviation - 20).rounded(.down))
        let arrangements = lgamma(n + 1) - lgamma(first + 1) - lgamma(n - first + 1)
        let below = first * log(part)
        let above = (n - first) * log1p(-part)
        var term = exp(arrangements + below + above)
        var sum = term
        var k = first
        var lower: Double?
        while true {
            // Now `sum` is the probability of at most k values below the quantile.
            if lower == nil, sum > tail { lower = k }
            if sum >= 1 - tail { break }
            guard k < n else { return nil }
            let odds: Double = part / (1 - part)
            term *= (n - k) / (k + 1) * odds
            k += 1
            sum += term
        }
        guard let lower, lower >= 1, k + 1 <= n else { return nil }
        return (UInt64(lower), UInt64(k + 1))
    }
}
