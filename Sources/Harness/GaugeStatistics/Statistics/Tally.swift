/// The count of each value, in ascending order: the measurements of one slice, of batches or of single operations.
package struct Tally: Equatable {
    package struct Entry: Equatable {
        package let value: Double
        package let count: UInt64

        package init(value: Double, count: UInt64) {
            self.value = value
            self.count = count
        }
    }

    package let entries: [Entry]
    package let count: UInt64

    package init(_ entries: [Entry]) {
        self.entries = entries.filter { $0.count > 0 }.sorted { $0.value < $1.value }
        count = self.entries.reduce(0) { $0 + $1.count }
    }

    /// Counts each value once.
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

    /// Merges several tallies.
    package init(merging tallies: [Tally]) { self.init(tallies.flatMap(\.entries)) }

    /// The mean of the middle half of the values, by count; `nil` for an empty tally.
    package var midMean: Double? {
        guard let low = quantile(0.25), let high = quantile(0.75) else { return nil }
        let middle = entries.filter { (low...high).contains($0.value) }
        let number = middle.reduce(0) { $0 + Double($1.count) }
        return middle.reduce(0) { $0 + $1.value * Double($1.count) } / number
    }

    /// The smallest value that at least the given part of all values does not exceed; `nil` for an empty tally.
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
