/// The counts of measured times, for percentiles.
///
/// Takes 35 KB however many times are added. Percentiles are off by less than `HistogramBuckets.relativeError`; count,
/// sum, minimum and maximum are exact (times beyond `HistogramBuckets.longest` count as that long).
@usableFromInline package struct Histogram: Sendable, Equatable {
    package var counts: [UInt64]
    @usableFromInline package private(set) var count: UInt64 = 0
    /// The sum of all times, nanoseconds.
    @usableFromInline package private(set) var sum: UInt64 = 0
    /// The shortest, nanoseconds; 0 if there is none.
    @usableFromInline package private(set) var minimum: UInt64 = 0
    /// The longest, nanoseconds; 0 if there is none.
    @usableFromInline package private(set) var maximum: UInt64 = 0

    @usableFromInline package init() { counts = [UInt64](repeating: 0, count: HistogramBuckets.count) }

    package init(counts: [UInt64], sum: UInt64, minimum: UInt64, maximum: UInt64) {
        self.counts = counts
        self.count = counts.reduce(0, &+)
        (self.sum, self.minimum, self.maximum) = (sum, minimum, maximum)
    }

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

    /// The mean, nanoseconds; `nil` if there is none.
    @usableFromInline package var mean: Double? { count == 0 ? nil : Double(sum) / Double(count) }

    /// The time that this share of all times doesn't exceed: `quantile(0.5)` is the median.
    ///
    /// - Parameter part: from 0 to 1.
    /// - Returns: nanoseconds, the middle of the bucket; `nil` if the histogram is empty.
    @usableFromInline package func quantile(_ part: Double) -> Double? {
        value(atRank: UInt64((Double(count) * min(max(part, 0), 1)).rounded(.up)))
    }

    /// The time at a rank in ascending order: rank 1 is the shortest, rank `count` the longest.
    ///
    /// - Returns: nanoseconds, the middle of the bucket; `nil` if the histogram is empty.
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

    /// The non-empty buckets, each with its lowest time, width and count.
    @usableFromInline package var buckets: [(lowest: UInt64, width: UInt64, count: UInt64)] {
        counts.enumerated().compactMap { index, number in
            guard number > 0 else { return nil }
            let (lowest, width) = HistogramBuckets.bounds(ofBucket: index)
            return (lowest, width, number)
        }
    }
}

/// Maps times to buckets: log-linear, as in HdrHistogram (Gil Tene).
///
/// Times below 256 have a bucket each; above, every power of two is divided into 128 equal buckets, so a bucket is
/// never wider than 1/128 of the times in it.
@usableFromInline package enum HistogramBuckets {
    /// A reported time differs from the recorded one by less than this share of it.
    @usableFromInline package static let relativeError = 1.0 / 128

    /// The longest time: 2^41 - 1 ns, about 37 minutes. Longer ones count as this long.
    @inlinable
    package static var longest: UInt64 { 1 << 41 - 1 }

    @inlinable
    package static var count: Int { 34 * 128 + 128 }

    /// The bucket of `value`, which is at most `longest`.
    @inlinable
    package static func index(of value: UInt64) -> Int {
        let shift = max(0, 56 - value.leadingZeroBitCount)
        return shift &<< 7 &+ Int(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: shift))
    }

    /// The smallest value in a bucket, and the number of values that it covers.
    @usableFromInline package static func bounds(ofBucket index: Int) -> (lowest: UInt64, width: UInt64) {
        guard index >= 256 else { return (UInt64(index), 1) }
        let shift = index / 128 - 1
        return (UInt64(index - shift * 128) << shift, 1 << shift)
    }
}

/// Encoded as the non-empty buckets, `[index, count, index, count, …]`, since most are empty.
extension Histogram: Codable {
    private enum CodingKeys: String, CodingKey { case buckets, sum, minimum, maximum }

    /// Throws `DecodingError` for invalid buckets.
    @usableFromInline package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let pairs = try container.decode([UInt64].self, forKey: .buckets)
        var counts = [UInt64](repeating: 0, count: HistogramBuckets.count)
        guard pairs.count.isMultiple(of: 2) else {
            throw DecodingError.dataCorruptedError(forKey: .buckets, in: container, debugDescription: "odd length")
        }
        for pair in stride(from: 0, to: pairs.count, by: 2) {
            guard let index = Int(exactly: pairs[pair]), counts.indices.contains(index) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .buckets, in: container, debugDescription: "no such bucket")
            }
            counts[index] = pairs[pair + 1]
        }
        self.init(
            counts: counts, sum: try container.decode(UInt64.self, forKey: .sum),
            minimum: try container.decode(UInt64.self, forKey: .minimum),
            maximum: try container.decode(UInt64.self, forKey: .maximum))
    }

    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var pairs: [UInt64] = []
        for (index, number) in counts.enumerated() where number > 0 { pairs += [UInt64(index), number] }
        try container.encode(pairs, forKey: .buckets)
        try container.encode(sum, forKey: .sum)
        try container.encode(minimum, forKey: .minimum)
        try container.encode(maximum, forKey: .maximum)
    }
}

/// One percentile of individually measured times, nanoseconds, with its 95 % confidence interval by order statistics.
package struct Percentile: Equatable {
    /// 0.999 for the 99.9th.
    package let part: Double
    package let value: Double
    package let interval: ClosedRange<Double>

    /// The percentiles reported beside the median.
    package static let reported = [0.9, 0.99, 0.999, 0.9999]

    /// - Returns: `nil` if there are too few times for an interval: such a percentile would be little more than the
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
        (self.part, self.value, self.interval) = (part, value, interval)
    }

    /// The same for times that are shorter by this much, but not below 0.
    package func less(_ time: Double) -> Percentile {
        let (low, high) = (max(0, interval.lowerBound - time), max(0, interval.upperBound - time))
        return Percentile(part, max(0, value - time), low...high)
    }

    /// The distance from the value to the farther end of the interval, relative to the value.
    package var error: Double { value > 0 ? max(interval.upperBound - value, value - interval.lowerBound) / value : 0 }
}
