import Foundation
import GaugeSupport

/// Google Benchmark's JSON, which its `compare.py` and github-action-benchmark read. Each entry is on one line; values
/// outside the schema are added like user counters.
package struct GoogleBenchmarkReport {
    private let document: RunDocument
    private let hasRepetitions: Bool

    /// - Parameter hasRepetitions: whether each set of processes has its own entry, rather than each row.
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
        return """
            {
              "context": {
            \(context.joined(separator: ",\n"))
              },
              "benchmarks": [
            \(try entries.map { "    \(try line($0))" }.joined(separator: ",\n"))
              ]
            }

            """
    }

    package var value: JSONValue {
        .object(["context": .object(context), "benchmarks": .list(entries)])
    }

    private var entries: [JSONValue] {
        document.rows.enumerated().flatMap {
            GoogleBenchmarkEntry.entries($1, family: $0, hasRepetitions: hasRepetitions).map(JSONValue.object)
        }
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
            "stolen_part": number(noise.stolen), "io_pressure_part": number(noise.ioPressure),
            "load_before": number(noise.loadBefore),
            "load_after": number(noise.loadAfter), "involuntary_switches_per_second": number(noise.switchesPerSecond),
            "same_benchmark_differences": .list(noise.pairs.map { .number($0) }),
            "clock_ghz": number(noise.clock), "reference_clock_ghz": number(noise.referenceClock),
            "full_speed_part": number(noise.fullSpeed), "smallest_difference": number(noise.floor),
            "warnings": .list(noise.warnings(document.rows).map { .text($0) }),
        ])
    }
}

/// The entries of one row in Google Benchmark's JSON: a repetition for each set of processes, with its undisturbed time
/// (or else its typical time), and the library's four aggregates of repetitions. The aggregate `median` holds the
/// values of the whole row; its time is the typical one, the median over all batches or operations. A row with fewer
/// than two sets is a single repetition with all values.
///
/// Values of version 2 (`cachegauge_schema_version` in the context), all times in nanoseconds: `undisturbed`,
/// `undisturbed_low`, `undisturbed_high`; `over_sets`, `over_sets_low` and `over_sets_high`, the mean over sets of a
/// row compared by means, or the typical time if there's no undisturbed one; `ratio_low`, `ratio_high`; `ratio_of`,
/// which is `undisturbed`, `mean` or `paired` (undisturbed, from slices in which both were slowed alike); `modes`, the
/// times `fast` and `slow` and the `slow_part` of a row with two; and `sets`, each with `undisturbed`, `mean` and the
/// times of its `slices`. Version 1 had a repetition for each slice, and `ratio` was of medians.
package enum GoogleBenchmarkEntry {
    private static func newer(_ before: JSONValue, _ after: JSONValue) -> JSONValue { after }

    package static func entries(_ row: ResultRow, family: Int, hasRepetitions: Bool = true) -> [[String: JSONValue]] {
        var common: [String: JSONValue] = [
            "run_name": .text(row.name.description), "family_index": .whole(family),
            "per_family_instance_index": .whole(0), "repetitions": .whole(max(1, row.measuredSets.count)),
            "threads": .whole(row.threads), "time_unit": .text("ns"),
        ]
        // Points of a history must mean the same on another day, so they are undisturbed times.
        let typical = (hasRepetitions ? nil : row.undisturbed?.value) ?? row.median
        let time = typical ?? row.operationsPerSecond.map { $0 > 0 ? 1e9 / $0 : 0 } ?? 0
        let sets = row.measuredSets
        guard hasRepetitions, sets.count >= 2, row.median != nil else {
            common.merge(whole(row), uniquingKeysWith: newer)
            common.merge(
                [
                    "name": .text(row.name.description), "run_type": .text("iteration"), "repetitions": .whole(1),
                    "repetition_index": .whole(0), "iterations": .whole(row.operations), "real_time": .number(time),
                    "cpu_time": .number(row.cpu ?? time),
                ], uniquingKeysWith: newer)
            return [common]
        }
        let repetitions = sets.enumerated().map { index, set in
            common.merging(
                [
                    "name": .text(row.name.description), "run_type": .text("iteration"),
                    "repetition_index": .whole(index), "iterations": .whole(set.operations),
                    "real_time": .number(set.time), "cpu_time": .number(set.cpu ?? set.time),
                ], uniquingKeysWith: newer)
        }
        return repetitions + aggregates(row, time, common)
    }

    private static func aggregates(
        _ row: ResultRow, _ time: Double, _ common: [String: JSONValue]
    ) -> [[String: JSONValue]] {
        let sets = row.measuredSets
        let (times, cpus) = (Samples(sets.map(\.time)), Samples(sets.compactMap(\.cpu)))
        func part(_ samples: Samples) -> Double {
            guard let mean = samples.mean, mean > 0 else { return 0 }
            return (samples.standardDeviation ?? 0) / mean
        }
        func aggregate(_ name: String, _ time: Double, _ cpu: Double, unit: String = "time") -> [String: JSONValue] {
            common.merging(
                [
                    "name": .text("\(row.name)_\(name)"), "run_type": .text("aggregate"),
                    "aggregate_name": .text(name), "aggregate_unit": .text(unit), "iterations": .whole(sets.count),
                    "real_time": .number(time), "cpu_time": .number(cpu),
                ], uniquingKeysWith: newer)
        }
        return [
            aggregate("mean", times.mean ?? 0, cpus.mean ?? 0),
            aggregate("median", time, cpus.median ?? 0).merging(whole(row), uniquingKeysWith: newer),
            aggregate("stddev", times.standardDeviation ?? 0, cpus.standardDeviation ?? 0),
            aggregate("cv", part(times), part(cpus), unit: "percentage"),
        ]
    }

    private static func whole(_ row: ResultRow) -> [String: JSONValue] {
        var entry: [String: JSONValue] = [
            "operations": .whole(row.operations), "wrong": .whole(row.wrong), "peer": .flag(row.isPeer),
            "stage": .text(row.name.stage), "case": .text(row.name.case), "subject": .text(row.name.subject),
        ]
        func add(_ name: String, _ value: Double?, _ interval: ClosedRange<Double>?) {
            let numbers = [name: value, "\(name)_low": interval?.lowerBound, "\(name)_high": interval?.upperBound]
            entry.merge(JSONValue.members(numbers), uniquingKeysWith: newer)
        }
        if row.isUsual { entry["usual"] = .flag(true) }
        if let failure = row.failure {
            entry["error_occurred"] = .flag(true)
            entry["error_message"] = .text(failure.description)
        }
        add("undisturbed", row.undisturbed?.value, row.undisturbed?.interval)
        add("over_sets", row.overSets?.value, row.overSets?.interval)
        add("ratio", row.ratio, row.ratioInterval)
        add("median", row.median, row.interval)
        for percentile in row.percentiles {
            add("p" + Quantity.plain(percentile.part * 100), percentile.value, percentile.interval)
        }
        let measured: [String: Double?] = [
            "minimum": row.minimum, "mean": row.mean, "maximum": row.maximum, "spread": row.spread,
            "items_per_second": row.operationsPerSecond,
            "instructions_per_operation": row.instructions?.perOperation,
            "allocations_per_operation": row.allocations,
            "allocated_bytes_per_operation": row.perOperation(\.allocatedBytes),
            "read_calls_per_operation": row.perOperation(\.readCalls),
            "write_calls_per_operation": row.perOperation(\.writeCalls),
            "written_bytes_per_operation": row.perOperation(\.writtenBytes),
            "storage_bytes_per_operation": row.perOperation(\.storageBytes),
            "process_cpu": row.processCPU, "other_threads_cpu": row.otherCPU,
            "wakeups_per_operation": row.wakeUps,
            "page_faults_per_operation": row.perOperation { $0.pageFaults },
            "involuntary_switches": row.counters.map { Double($0.involuntarySwitches) },
            "peak_resident_bytes": row.peakResidentBytes.map { Double($0) },
        ]
        if let singles = row.singles {
            entry["p50"] = .number(singles.median)
            entry["clock_cost"] = .number(singles.clock)
            entry["single_operations"] = .whole(singles.operations)
        }
        entry.merge(JSONValue.members(measured), uniquingKeysWith: newer)
        entry["ratio_of"] = .text(row.isRatioPaired ? "paired" : row.comparison.rawValue)
        if let modes = row.modes {
            entry["modes"] = .object([
                "fast": .number(modes.fast), "slow": .number(modes.slow), "slow_part": .number(modes.slowPart),
            ])
        }
        entry["sets"] = .list(row.sets.map(Self.set))
        if !row.quantiles.isEmpty { entry["quantiles"] = .list(row.quantiles.map { .number($0) }) }
        if row.outliers.total > 0 {
            entry["samples"] = .whole(row.outliers.total)
            entry["outliers"] = .whole(row.outliers.high)
            entry["far_outliers"] = .whole(row.outliers.far)
        }
        if let isSteady = row.isSteady { entry["warm"] = .flag(isSteady) }
        if let functions = row.instructions?.functions.prefix(20), !functions.isEmpty {
            entry["instructions_by_function"] = .list(
                functions.map { .object(["name": .text($0.name), "per_operation": .number($0.perOperation)]) })
        }
        for figure in row.figures {
            entry[figure.name.map { $0 == " " ? "_" : String($0) }.joined()] = .number(figure.value)
        }
        return entry
    }

    private static func set(_ set: SetTimes) -> JSONValue {
        var entry: [String: JSONValue] = ["slices": .list(set.slices.map { .number($0) })]
        if let undisturbed = set.undisturbed { entry["undisturbed"] = .number(undisturbed) }
        if let mean = set.mean { entry["mean"] = .number(mean) }
        return .object(entry)
    }
}
