/// A value that was estimated from measurements, with its confidence interval.
package struct Estimate: Equatable, Sendable {
    package let value: Double
    /// The 95 % confidence interval; `nil` when there are too few sets for one.
    package let interval: ClosedRange<Double>?

    package init(_ value: Double, in interval: ClosedRange<Double>? = nil) {
        self.value = value
        self.interval = interval
    }

    /// The larger distance from the value to an end of its interval, as a part of the value.
    package var error: Double? {
        guard let interval, value > 0 else { return nil }
        return max(interval.upperBound - value, value - interval.lowerBound) / value
    }
}
