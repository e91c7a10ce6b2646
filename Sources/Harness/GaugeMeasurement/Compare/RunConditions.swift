import Foundation
import GaugeSupport

extension ReportedRow {
    /// Another run's time, converted to the clock rate of this row's run. Means and typical times are as measured.
    ///
    /// - Parameter clocks: as in `change`.
    package func time(of other: ReportedRow, clocks: Double) -> Double? {
        other.time.map { $0 * exp(other.isTypical || other.isMean ? 0 : clocks) }
    }

    /// The logarithm of another run's time over this one, with the interval that both runs' intervals give it.
    ///
    /// A time follows the clock in part: what waits for memory or a device hardly does. So the interval holds both the
    /// time as it was measured and the converted one.
    ///
    /// - Parameters:
    ///   - noise: the smallest relative difference that either run could tell from noise.
    ///   - clocks: the logarithm of the ratio of the clock rates of undisturbed times: the other run's over this one's.
    /// - Returns: `nil` if one of them has no time; without an interval unless both have one.
    package func change(
        to other: ReportedRow, noise: Double, clocks: Double = 0
    ) -> (value: Double, interval: ClosedRange<Double>?)? {
        guard let first = time, let second = time(of: other, clocks: clocks), first > 0, second > 0 else { return nil }
        let value = log(second / first)
        guard let before = reach, let after = other.reach else { return (value, nil) }
        let reach = max((before * before + after * after).squareRoot(), log1p(max(noise, 0)))
        guard reach.isFinite, value.isFinite else { return (value, nil) }
        let measured = value - log(second / (other.time ?? second))
        return (value, (min(value, measured) - reach)...(max(value, measured) + reach))
    }

    /// The farther distance from the logarithm of the time to an end of its interval.
    private var reach: Double? {
        guard let time, let interval = timeInterval, interval.lowerBound > 0, time > 0 else { return nil }
        return max(log(interval.upperBound / time), log(time / interval.lowerBound), 0)
    }
}

/// What two runs' contexts say about whether their times compare.
package enum RunConditions {
    /// Members of the context that must be equal for two times to compare.
    private static let members = [
        ("cpu_model", "processor"), ("num_cpus", "number of processors"), ("kernel", "kernel"),
        ("library_build_type", "build type"), ("seed", "seed"), ("memory_capacity", "memory tier"),
        ("disk_capacity", "disk tier"), ("workload", "workload"), ("file_system", "file system"),
        ("preloaded", "preloaded libraries"),
    ]

    /// The conditions that differ: `processor`.
    package static func differences(_ a: JSONValue, _ b: JSONValue) -> [String] {
        members.filter { !isSame(a[$0.0], b[$0.0]) }.map(\.1)
    }

    /// Numbers compare by value: a whole number may be read back as another kind.
    private static func isSame(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
        if let a = a?.double, let b = b?.double { return a == b }
        // An older file doesn't say that there were none.
        func known(_ value: JSONValue?) -> JSONValue? { value == .list([]) ? nil : value }
        return known(a) == known(b)
    }

    /// The logarithm of the ratio of the runs' reference clock rates, B's over A's; 0 if one is unknown.
    package static func clocks(_ a: JSONValue, _ b: JSONValue) -> Double {
        guard let first = cycle(a), let second = cycle(b) else { return 0 }
        return log(first / second)
    }

    /// What a comparison of runs with different clock rates can't tell; `nil` for equal rates.
    package static func clockNote(_ a: JSONValue, _ b: JSONValue) -> String? {
        guard let first = cycle(a), let second = cycle(b), abs(first / second - 1) > 0.001 else { return nil }
        return
            "How far each time follows the clock: B's undisturbed times, taken at \(Quantity.decimal(1 / second, 2)) GHz, "
            + "are told for A's \(Quantity.decimal(1 / first, 2)) GHz, and the intervals hold them as they were, too."
    }

    /// The cycle time to which times were converted, nanoseconds; `nil` for an older file.
    private static func cycle(_ context: JSONValue) -> Double? {
        context["noise"]?["reference_clock_ghz"]?.double.flatMap { $0 > 0 && $0.isFinite ? 1 / $0 : nil }
    }
}
