import Foundation
import GaugeStatistics
import GaugeSupport

/// The JSON of Google Benchmark, which its `compare.py` and github-action-benchmark read. Each entry is on one line;
/// values outside the schema are added in the same way as user counters.
package struct GoogleBenchmarkReport {
    private let document: RunDocument
    private let hasRepetitions: Bool

    /// - Parameter hasRepetitions: whether each slice has its own entry; otherwise there is one entry for each row.
    package init(_ document: RunDocument, hasRepetitions: Bool = true) {
        self.document = document
        self.hasRepetitions = hasRepetitions
    }

    /// The whole document, ending with a newline.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func line(_ value: JSONValue) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
        let context = try self.context.sorted { $0.key < $1.key }.map {
            "    \(try line(.text($0.key))): \(try line($0.value))"
        }
        let entries = document.rows.enumerated().flatMap {
            GoogleBenchmarkEntry.entries($1, family: $0, hasRepetitions: hasRepetitions)
        }
        return """
            {
              "context": {
            \(context.joined(separator: ",\n"))
              },
              "benchmarks": [
            \(try entries.map { "    \(try line(.object($0)))" }.joined(separator: ",\n"))
              ]
            }

            """
    }

    private var context: [String: JSONValue] {
        let environment = document.environment
        var context = environment.members
        context["cpu_scaling_enabled"] = .flag(false)
        context["aslr_enabled"] = .flag(true)
        context["caches"] = .list([])
        context["json_schema_version"] = .whole(1)
        context["cachegauge_schema_version"] = .whole(2)
        context["memory_capacity"] = .whole(environment.settings.memory.bytes)
        context["disk_capacity"] = .whole(environment.settings.disk.bytes)
        context["subjects"] = .list(environment.subjects.map { .text($0) })
        context["workload"] = .text(environment.settings.load?.summary ?? "")
        context["noise"] = noise
        return context
    }

    private var noise: JSONValue {
        let noise = document.noise
        func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
        return .object([
            "stolen_part": number(noise.stolen), "load_before": number(noise.loadBefore),
            "load_after": number(noise.loadAfter), "involuntary_switches_per_second": number(noise.switchesPerSecond),
            "same_benchmark_differences": .list(noise.pairs.map { .number($0) }),
            "clock_ghz": number(noise.clock), "reference_clock_ghz": number(noise.referenceClock),
            "full_speed_part": number(noise.fullSpeed), "smallest_difference": number(noise.floor),
            "warnings": .list(noise.warnings(document.rows).map { .text($0) }),
        ])
    }
}
