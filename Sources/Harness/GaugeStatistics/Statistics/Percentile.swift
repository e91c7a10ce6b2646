/// One percentile of individually measured times, nanoseconds, with its 95 % confidence interval by order statistics.
package struct Percentile: Equatable {
    /// 0.999 for the 99.9th.
    package let part: Double
    package let value: Double
    package let interval: ClosedRange<Double>

    /// The percentiles that are reported beside the median.
    package static let reported = [0.9, 0.99, 0.999, 0.9999]

    /// - Returns: `nil` when there are too few times for an interval: such a percentile would be little more than the
    ///   maximum.
    package init?(_ part: Double, of histogram: Histogram) {
        guard let ranks = OrderStatistics.ranks(of: part, count: histogram.count),
            let value = histogram.quantile(part), let low = histogram.value(atRank: ranks.lower),
            let high = histogram.value(atRank: ranks.upper)
        else { return nil }
        self.part = part
        self.value = value
        interval = min(low, value)...max(high, value)
    }

    private init(_ part: Double, _ value: Double, _ interval: ClosedRange<Double>) {
        self.part = part
        self.value = value
        self.interval = interval
    }

    /// The same of times that are less by so much, but not below 0.
    package func less(_ time: Double) -> Percentile {
        let (low, high) = (max(0, interval.lowerBound - time), max(0, interval.upperBound - time))
        return Percentile(part, max(0, value - time), low...high)
    }

    /// The distance from the value to the farther end of the interval, as a part of the value.
    package var error: Double { value > 0 ? max(interval.upperBound - value, value - interval.lowerBound) / value : 0 }
}
