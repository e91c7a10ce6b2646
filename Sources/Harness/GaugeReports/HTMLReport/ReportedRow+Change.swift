import Foundation

extension ReportedRow {
    /// The logarithm of another run's time over this one, with the interval that both runs' intervals give it.
    ///
    /// - Parameters:
    ///   - noise: the smallest relative difference that either run could tell from noise.
    ///   - clocks: the logarithm of the ratio of the clock rates for which undisturbed times are told: the other
    ///     run's over this one's.
    /// - Returns: `nil` when one of them has no time; without an interval unless both have one.
    package func change(
        to other: ReportedRow, noise: Double, clocks: Double = 0
    ) -> (value: Double, interval: ClosedRange<Double>?)? {
        guard let first = time, let second = other.time, first > 0, second > 0 else { return nil }
        let value = log(second / first) + (isTypical || isMean ? 0 : clocks)
        guard let before = reach, let after = other.reach else { return (value, nil) }
        let reach = max((before * before + after * after).squareRoot(), log1p(max(noise, 0)))
        guard reach.isFinite, value.isFinite else { return (value, nil) }
        return (value, (value - reach)...(value + reach))
    }

    /// The farther distance from the logarithm of the time to an end of its interval.
    private var reach: Double? {
        guard let time, let interval = timeInterval, interval.lowerBound > 0, time > 0 else { return nil }
        return max(log(interval.upperBound / time), log(time / interval.lowerBound), 0)
    }
}
