/// The counts of measured times, from which percentiles are computed.
///
/// Takes 35 KB however many times are added. Percentiles are off by less than `HistogramBuckets.relativeError`; count,
/// sum, minimum and maximum are exact (times beyond `HistogramBuckets.longest` count as that long).
@usableFromInline package struct Histogram: Sendable, Equatable {
    package var counts: [UInt64]
    /// The number of times added.
    @usableFromInline package private(set) var count: UInt64 = 0
    /// The sum of all times, nanoseconds.
    @usableFromInline package private(set) var sum: UInt64 = 0
    /// The shortest, nanoseconds; 0 when nothing was added.
    @usableFromInline package private(set) var minimum: UInt64 = 0
    /// The longest, nanoseconds; 0 when nothing was added.
    @usableFromInline package private(set) var maximum: UInt64 = 0

    /// Creates an empty histogram.
    @usableFromInline package init() { counts = [UInt64](repeating: 0, count: HistogramBuckets.count) }

    package init(counts: [UInt64], sum: UInt64, minimum: UInt64, maximum: UInt64) {
        self.counts = counts
        self.count = counts.reduce(0, &+)
        self.sum = sum
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Adds one time.
    @usableFromInline package mutating func add(nanoseconds: UInt64) {
        let value = min(nanoseconds, HistogramBuckets.longest)
        counts[HistogramBuckets.index(of: value)] &+= 1
        minimum = count == 0 ? value : min(minimum, value)
        maximum = max(maximum, value)
        count &+= 1
        sum &+= value
    }

    /// Adds all times of `other`.
    @usableFromInline package mutating func merge(_ other: Histogram) {
        guard other.count > 0 else { return }
        for index in counts.indices { counts[index] &+= other.counts[index] }
        minimum = count == 0 ? other.minimum : min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        count &+= other.count
        sum &+= other.sum
    }

    /// The mean, nanoseconds; `nil` when nothing was added.
    @usableFromInline package var mean: Double? { count == 0 ? nil : Double(sum) / Double(count) }

    /// The time that the given part of all times does not exceed: `quantile(0.5)` is the median.
    ///
    /// - Parameter part: from 0 to 1.
    /// - Returns: nanoseconds, the middle of the bucket; `nil` when nothing was added.
    @usableFromInline package func quantile(_ part: Double) -> Double? {
        value(atRank: UInt64((Double(count) * min(max(part, 0), 1)).rounded(.up)))
    }

    /// The time at a rank in ascending order: rank 1 is the shortest, rank `count` the longest.
    ///
    /// - Returns: nanoseconds, the middle of the bucket; `nil` when nothing was added.
    package func value(atRank rank: UInt64) -> Double? {
        guard count > 0 else { return nil }
        var seen: UInt64 = 0
        let bucket = counts.firstIndex { number in
            seen += number
            return seen >= max(1, rank)
        }
        guard let bucket, rank < count else { return Double(maximum) }
        let (lowest, width) = HistogramBuckets.bounds(ofBucket: bucket)
        let middle = Double(lowest) + Double(width - 1) / 2
        return min(max(middle, Double(minimum)), Double(maximum))
    }

    /// The buckets that are not empty, each with its lowest time, its width and its count.
    @usableFromInline package var buckets: [(lowest: UInt64, width: UInt64, count: UInt64)] {
        counts.enumerated().compactMap { index, number in
            guard number > 0 else { return nil }
            let (lowest, width) = HistogramBuckets.bounds(ofBucket: index)
            return (lowest, width, number)
        }
    }
}
