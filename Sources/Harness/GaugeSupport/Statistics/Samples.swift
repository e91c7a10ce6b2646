/// Statistics of a few numbers.
package struct Samples {
    private let sorted: [Double]

    package init(_ values: some Sequence<Double>) { sorted = values.sorted() }

    package var median: Double? { quantile(0.5) }
    package var mean: Double? { sorted.isEmpty ? nil : sorted.reduce(0, +) / Double(sorted.count) }

    /// The standard deviation of the population that the numbers were drawn from (n - 1 in the denominator); `nil` for
    /// fewer than two.
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

    /// Half the interquartile range, relative to the median; `nil` for fewer than three numbers.
    package var spread: Double? {
        guard sorted.count >= 3, let low = quantile(0.25), let high = quantile(0.75), let median, median > 0 else {
            return nil
        }
        return (high - low) / 2 / median
    }
}

/// The count of each value, in ascending order: one slice's measurements, of batches or of single operations.
package struct Tally: Equatable {
    package struct Entry: Equatable {
        package let value: Double
        package let count: UInt64
    }

    package let entries: [Entry]
    package let count: UInt64

    package init(_ entries: [Entry]) {
        self.entries = entries.filter { $0.count > 0 }.sorted { $0.value < $1.value }
        count = self.entries.reduce(0) { $0 + $1.count }
    }

    package init(_ values: some Sequence<Double>) { self.init(values.map { Entry(value: $0, count: 1) }) }

    /// The times of a histogram, accurate to `HistogramBuckets.relativeError`.
    package init(_ histogram: Histogram) {
        let (least, most) = (Double(histogram.minimum), Double(histogram.maximum))
        self.init(
            histogram.buckets.map { bucket in
                let middle = Double(bucket.lowest) + Double(bucket.width - 1) / 2
                return Entry(value: min(max(middle, least), most), count: bucket.count)
            })
    }

    package init(merging tallies: [Tally]) { self.init(tallies.flatMap(\.entries)) }

    /// The mean of the middle half of the values, by count; `nil` for an empty tally.
    package var midMean: Double? {
        guard let low = quantile(0.25), let high = quantile(0.75) else { return nil }
        let middle = entries.filter { (low...high).contains($0.value) }
        let number = middle.reduce(0) { $0 + Double($1.count) }
        return middle.reduce(0) { $0 + $1.value * Double($1.count) } / number
    }

    /// The smallest value that at least this share of all values doesn't exceed; `nil` for an empty tally.
    package func quantile(_ part: Double) -> Double? {
        let rank = UInt64((Double(count) * min(max(part, 0), 1)).rounded(.up))
        var seen: UInt64 = 0
        for entry in entries {
            seen += entry.count
            if seen >= max(1, rank) { return entry.value }
        }
        return nil
    }
}

/// How many values lie far above the others, by Tukey's fences ("Exploratory Data Analysis", 1977): more than 1.5 times
/// the interquartile range above the upper quartile, and more than 3 times.
///
/// They are counted and kept: an interruption is part of the time that a caller sees, and every figure includes them.
package struct Outliers: Equatable {
    /// Values beyond 1.5 times, including the far ones.
    package var high = 0
    /// Values beyond 3 times.
    package var far = 0
    /// How many values there are.
    package var total = 0

    package init() {}

    package init(_ tally: Tally) {
        guard let lower = tally.quantile(0.25), let upper = tally.quantile(0.75) else { return }
        let distance = upper - lower
        func beyond(_ times: Double) -> Int {
            let count = tally.entries.lazy.filter { $0.value > upper + times * distance }.reduce(0) { $0 + $1.count }
            return Int(clamping: count)
        }
        (high, far, total) = (beyond(1.5), beyond(3), Int(clamping: tally.count))
    }
}
