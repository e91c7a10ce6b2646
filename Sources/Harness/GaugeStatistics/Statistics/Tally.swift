/// How often each value was seen, in ascending order: what one slice has measured, whether of batches or of single
/// operations.
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

    /// Each value once.
    package init(_ values: some Sequence<Double>) { self.init(values.map { Entry(value: $0, count: 1) }) }

    /// Times as the histogram tells them, which is to within `HistogramBuckets.relativeError`.
    package init(_ histogram: Histogram) {
        let (least, most) = (Double(histogram.minimum), Double(histogram.maximum))
        self.init(
            histogram.buckets.map { bucket in
                let middle = Double(bucket.lowest) + Double(bucket.width - 1) / 2
                return Entry(value: min(max(middle, least), most), count: bucket.count)
            })
    }

    /// All of several.
    package init(merging tallies: [Tally]) { self.init(tallies.flatMap(\.entries)) }

    /// The smallest value that at least the given part of all does not exceed; `nil` when there is none.
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
