import Foundation

/// The JSON of Google Benchmark, which its `compare.py` and github-action-benchmark read. One entry a row; what the
/// schema does not name stands beside as user counters do.
struct GoogleBenchmarkReport {
    let environment: RunEnvironment

    /// The whole document, with a line end.
    func text(_ rows: [Row]) throws -> String {
        let document = JSONValue.object([
            "context": context, "benchmarks": .list(rows.enumerated().map { entry($1, family: $0) }),
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }

    private var context: JSONValue {
        .object([
            "date": .text(environment.date),
            "host_name": .text(environment.host),
            "executable": .text(environment.executable),
            "num_cpus": .whole(environment.processors),
            "mhz_per_cpu": .whole(environment.megahertz),
            "cpu_scaling_enabled": .flag(false),
            "aslr_enabled": .flag(true),
            "caches": .list([]),
            "load_avg": .list(environment.load.map { .number($0) }),
            "library_build_type": .text(environment.isDebugBuild ? "debug" : "release"),
            "json_schema_version": .whole(1),
            "cpu_model": .text(environment.processorName),
            "file_system": .text(environment.fileSystem ?? "unknown"),
            "clock_nanoseconds": .whole(environment.clockNanoseconds),
            "seed": .text(String(environment.settings.seed)),
            "memory_capacity": .whole(environment.settings.memory.bytes),
            "disk_capacity": .whole(environment.settings.disk.bytes),
            "subjects": .list(environment.subjects.map { .text($0) }),
            "workload": .text(environment.settings.load?.summary ?? ""),
        ])
    }

    private func entry(_ row: Row, family: Int) -> JSONValue {
        let name = JSONValue.text(row.name.description)
        var entry: [String: JSONValue] = [
            "name": name, "run_name": name, "run_type": .text("iteration"),
            "family_index": .whole(family), "per_family_instance_index": .whole(0),
            "repetitions": .whole(1), "repetition_index": .whole(0), "threads": .whole(row.threads),
            "iterations": .whole(row.operations), "time_unit": .text("ns"), "wrong": .whole(row.wrong),
        ]
        let time = row.median ?? row.operationsPerSecond.map { $0 > 0 ? 1e9 / $0 : 0 } ?? 0
        entry["real_time"] = .number(time)
        entry["cpu_time"] = .number(row.cpu ?? time)
        if let failure = row.failure {
            entry["error_occurred"] = .flag(true)
            entry["error_message"] = .text(failure.description)
        }
        let measured: [String: Double?] = [
            "minimum": row.minimum, "median": row.median, "mean": row.mean, "p99": row.p99,
            "p999": row.p999, "spread": row.spread, "ratio": row.ratio,
            "items_per_second": row.operationsPerSecond,
            "allocations_per_operation": row.allocations,
            "allocated_bytes_per_operation": row.perOperation(\.allocatedBytes),
            "read_calls_per_operation": row.perOperation(\.readCalls),
            "write_calls_per_operation": row.perOperation(\.writeCalls),
            "written_bytes_per_operation": row.perOperation(\.writtenBytes),
            "storage_bytes_per_operation": row.perOperation(\.storageBytes),
            "page_faults_per_operation": row.perOperation { $0.pageFaults },
            "involuntary_switches": row.counters.map { Double($0.involuntarySwitches) },
            "peak_resident_bytes": row.peakResidentBytes.map { Double($0) },
        ]
        for case (let key, let value?) in measured { entry[key] = .number(value) }
        for figure in row.figures {
            entry[figure.name.map { $0 == " " ? "_" : String($0) }.joined()] = .number(figure.value)
        }
        return .object(entry)
    }
}
