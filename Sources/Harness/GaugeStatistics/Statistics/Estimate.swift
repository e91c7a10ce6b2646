/// A value that was estimated from measurements, with its confidence interval.
package struct Estimate: Equatable, Sendable {
    package let value: Double
    /// The 95 % confidence interval; `nil` when there are too few sets for one.
    package let interval: ClosedRange<Double>?

    package init(_ value: Double, in interval: ClosedRange<Double>? = nil) {
        self.value = value
        self.interval = interval
    }

    /// The estimate with an error that is independent of its interval and common to all its measurements, such as that of
    /// the clock rate.
    ///
    /// - Parameter part: the error as a part of the value.
    package func widened(by part: Double) -> Estimate {
        guard let interval, value > 0 else { return self }
        func reach(_ end: Double) -> Double {
            let distance = end / value - 1
            return value * (distance * distance + part * part).squareRoot()
        }
        return Estimate(value, in: max(0, value - reach(interval.lowerBound))...(value + reach(interval.upperBound)))
    }

    /// The ratio to an independent estimate, whose relative errors add as squares; both are above 0.
    package func over(_ other: Estimate) -> Estimate {
        let ratio = value / other.value
        guard let error, let theirs = other.error else { return Estimate(ratio) }
        return Estimate(ratio, in: ratio...ratio).widened(by: (error * error + theirs * theirs).squareRoot())
    }

    /// The larger distance from the value to an end of its interval, as a part of the value.
    package var error: Double? {
        guard let interval, value > 0 else { return nil }
        return max(interval.upperBound - value, value - interval.lowerBound) / value
    }
}
