import Foundation
import GaugeSupport

/// What two runs' contexts say about whether their times compare.
package enum RunConditions {
    /// Members of the context without whose equality two times do not compare.
    private static let members = [
        ("cpu_model", "processor"), ("num_cpus", "number of processors"), ("kernel", "kernel"),
        ("library_build_type", "build type"), ("seed", "seed"), ("memory_capacity", "memory tier"),
        ("disk_capacity", "disk tier"), ("workload", "workload"), ("file_system", "file system"),
    ]

    /// The conditions that differ: `processor`.
    package static func differences(_ a: JSONValue, _ b: JSONValue) -> [String] {
        members.filter { a[$0.0] != b[$0.0] }.map(\.1)
    }

    /// The logarithm of the ratio of the clock rates for which times are told: B's over A's; 0 where one is unknown.
    package static func clocks(_ a: JSONValue, _ b: JSONValue) -> Double {
        guard let first = cycle(a), let second = cycle(b) else { return 0 }
        return log(first / second)
    }

    /// The time of a cycle for which times are told, nanoseconds; `nil` for an older file.
    private static func cycle(_ context: JSONValue) -> Double? {
        context["noise"]?["reference_clock_ghz"]?.double.flatMap { $0 > 0 && $0.isFinite ? 1 / $0 : nil }
    }
}
