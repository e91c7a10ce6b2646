/// Statistics of a few numbers.
package struct Samples {
    private let sorted: [Double]

    package init(_ values: some Sequence<Double>) { sorted = values.sorted() }

    package var median: Double? { quantile(0.5) }
    package var mean: Double? { sorted.isEmpty ? nil : sorted.reduce(0, +) / Double(sorted.count) }

    /// The standard deviation of the population that the numbers were drawn from (n - 1 in the denominator); `nil` for
    /// fewer than two numbers.
    package var standardDeviation: Double? {
        guard sorted.count >= 2, let mean else { return nil }
        let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(sorted.count - 1)).squareRoot()
    }

    /// The quantile by linear interpolation between the two nearest (R's type 7).
    package func quantile(_ part: Double) -> Double? {
        guard let last = sorted.indices.last else { return nil }
        let position = part * Double(last)
        let below = Int(position)
        let above = min(below + 1, last)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }

    /// Half the distance between the quartiles, as a part of the median; `nil` for fewer than three numbers.
    package var spread: Double? {
        guard sorted.count >= 3, let low = quantile(0.25), let high = quantile(0.75), let median, median > 0 else {
            return nil
        }
        return (high - low) / 2 / median
    }
}
