/// The mapping from times to buckets: log-linear, as in HdrHistogram (Gil Tene).
///
/// Times below 256 have a bucket each; above, every power of two is divided into 128 equal buckets, so that a bucket is
/// never wider than 1/128 of the times in it.
@usableFromInline package enum HistogramBuckets {
    /// A reported time differs from the recorded one by less than this part of it.
    @usableFromInline package static let relativeError = 1.0 / 128

    /// The longest time; longer ones are counted as this long: 2^41 - 1 ns, about 37 minutes.
    @inlinable
    package static var longest: UInt64 { 1 << 41 - 1 }

    /// The number of buckets.
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
