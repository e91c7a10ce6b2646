import GaugeSupport
import Platform

/// Times single operations, separately by outcome.
///
/// Recording costs about 3 ns, and the two clock readings around the operation about 40 ns. Memory is fixed: 360 KB of
/// address space, untouched for outcomes that don't occur. Times are kept with a relative error below
/// `HistogramBuckets.relativeError`.
///
/// Invariant of the storage: `Outcome.count` rows of `rowLength` words; a row is the buckets, then sum, minimum (stored
/// inverted, so that fresh zero pages mean "none yet") and maximum. Freed once, in `deinit`.
public struct LatencyRecorder: ~Copyable {
    @usableFromInline package let rows: UnsafeMutablePointer<UInt64>
    /// The sum of all recorded times, nanoseconds. Never reset; wraps around after 584 years.
    @usableFromInline package var total: UInt64 = 0

    /// Creates an empty recorder.
    public init() {
        // calloc returns fresh pages without touching them. If it failed, so would any array.
        let bytes = calloc(Outcome.count * Self.rowLength, MemoryLayout<UInt64>.stride)
        guard let bytes else { preconditionFailure("no memory for a latency recorder (360 KB)") }
        rows = bytes.bindMemory(to: UInt64.self, capacity: Outcome.count * Self.rowLength)
    }

    deinit { free(rows) }

    @inlinable package static var rowLength: Int { HistogramBuckets.count + 3 }

    /// The monotonic clock, nanoseconds.
    @inlinable
    public static func now() -> UInt64 { monotonicNanoseconds() }

    /// Adds one operation of `nanoseconds`.
    @inlinable
    public mutating func record(_ outcome: Outcome, nanoseconds: UInt64) {
        let row = rows + outcome.ordinal &* Self.rowLength
        let value = min(nanoseconds, HistogramBuckets.longest)
        total &+= value
        row[HistogramBuckets.index(of: value)] &+= 1
        row[HistogramBuckets.count] &+= value
        row[HistogramBuckets.count &+ 1] = max(row[HistogramBuckets.count &+ 1], ~value)
        row[HistogramBuckets.count &+ 2] = max(row[HistogramBuckets.count &+ 2], value)
    }

    /// Runs one operation, and records its time under the outcome that it returns.
    @inlinable
    public mutating func time(_ operation: () throws -> Outcome) rethrows {
        let start = Self.now()
        let outcome = try operation()
        record(outcome, nanoseconds: Self.now() &- start)
    }

    /// The recorded times of one outcome; `nil` if it didn't occur.
    package func histogram(of outcome: Outcome) -> Histogram? {
        let row = rows + outcome.ordinal * Self.rowLength
        // The minimum is at most 2^41 and stored inverted, so zero means that nothing was recorded.
        guard row[HistogramBuckets.count + 1] != 0 else { return nil }
        return Histogram(
            counts: Array(UnsafeBufferPointer(start: row, count: HistogramBuckets.count)),
            sum: row[HistogramBuckets.count], minimum: ~row[HistogramBuckets.count + 1],
            maximum: row[HistogramBuckets.count + 2])
    }

    package var histograms: [Outcome: Histogram] {
        var histograms: [Outcome: Histogram] = [:]
        for outcome in Outcome.allCases { histograms[outcome] = histogram(of: outcome) }
        return histograms
    }

    /// Removes all recorded times, except from `total`.
    package mutating func removeAll() {
        for outcome in Outcome.allCases {
            let row = rows + outcome.ordinal * Self.rowLength
            if row[HistogramBuckets.count + 1] != 0 { row.update(repeating: 0, count: Self.rowLength) }
        }
    }
}
