import Platform

/// Takes the time of single operations, apart by outcome.
public struct LatencyRecorder {
    /// Nanoseconds of each operation, by outcome.
    public private(set) var samples: [Outcome: [UInt64]] = [:]

    /// Nothing recorded yet.
    public init() {}

    /// The monotonic clock, nanoseconds.
    public static func now() -> UInt64 { clock_gettime_nsec_np_or_linux() }

    /// Adds one operation of `nanoseconds`.
    public mutating func record(_ outcome: Outcome, nanoseconds: UInt64) { samples[outcome, default: []].append(nanoseconds) }
}

func clock_gettime_nsec_np_or_linux() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
