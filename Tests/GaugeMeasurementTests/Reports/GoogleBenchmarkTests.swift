import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Reads a document by the rules of the tools that read Google Benchmark's format.
@Suite("Google Benchmark JSON") struct GoogleBenchmarkTests {
    private func document(_ rows: [ResultRow]? = nil) throws -> (context: [String: Any], entries: [[String: Any]]) {
        let text = try RunFormat.json.text(SampleDocument.make(rows))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        return (
            try #require(object["context"] as? [String: Any]), try #require(object["benchmarks"] as? [[String: Any]])
        )
    }

    /// `load_benchmark_results` in `tools/gbench/util.py`, and the assumptions of `tools/gbench/report.py`.
    @Test("compare.py finds every entry comparable") func comparable() throws {
        let (context, entries) = try document()
        #expect(context["json_schema_version"] as? Int == 1)
        for entry in entries {
            #expect(entry["name"] is String && entry["run_name"] is String)
            // The coefficient of variation has a time unit too.
            #expect(["s", "ms", "us", "ns"].contains(try #require(entry["time_unit"] as? String)))
            let times = ["real_time", "cpu_time"].map { entry[$0] as? Double }
            #expect(times.allSatisfy { $0.map { $0.isFinite && $0 >= 0 } == true }, "\(entry)")
            switch entry["run_type"] as? String {
            case "iteration":
                #expect(entry["aggregate_name"] == nil && entry["repetition_index"] is Int)
            case "aggregate":
                let name = try #require(entry["aggregate_name"] as? String)
                #expect(entry["name"] as? String == "\(try #require(entry["run_name"] as? String))_\(name)")
                #expect(entry["repetition_index"] == nil)
            default: Issue.record("\(entry)")
            }
        }
    }

    /// `partition_benchmarks` groups by name; `calc_utest` requires two repetitions and recommends nine.
    @Test("compare.py has repetitions enough for its U test") func repetitions() throws {
        let entries = try document([SampleDocument.batched]).entries
        let repetitions = entries.filter { $0["name"] as? String == "key-hash/40/tiered" }
        #expect(repetitions.count >= 9)
        #expect(repetitions.compactMap { $0["real_time"] as? Double } == (0..<12).map { 100 + Double($0) })
        #expect(repetitions.map { $0["repetition_index"] as? Int } == Array(0..<12))
        #expect(repetitions.allSatisfy { $0["repetitions"] as? Int == 12 })
    }

    @Test("the aggregates are those of Google Benchmark, computed over the repetitions") func aggregates() throws {
        let entries = try document([SampleDocument.batched]).entries.filter { $0["run_type"] as? String == "aggregate" }
        #expect(entries.map { $0["aggregate_name"] as? String } == ["mean", "median", "stddev", "cv"])
        #expect(entries.map { $0["aggregate_unit"] as? String } == ["time", "time", "time", "percentage"])
        let times = entries.compactMap { $0["real_time"] as? Double }
        // 100 to 111: the mean is 105.5, the variance 143 / 11.
        for (time, expected) in zip(times, [105.5, 105.25, 13.0.squareRoot(), 13.0.squareRoot() / 105.5]) {
            #expect(abs(time - expected) < 1e-9, "\(time) and not \(expected)")
        }
    }

    @Test("the processor time of each aggregate is computed as its time is") func aggregatesOfProcessorTime() throws {
        var row = SampleDocument.batched
        // 90 to 100, and 113: the mean is 96.5, the median 95.5.
        row.sets[11].cpu = 113
        let entries = try document([row]).entries.filter { $0["run_type"] as? String == "aggregate" }
        let cpus: [Double] = [90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 113]
        let squares: [Double] = cpus.map { ($0 - 96.5) * ($0 - 96.5) }
        let deviation = (squares.reduce(0, +) / 11).squareRoot()
        for (entry, expected) in zip(entries, [96.5, 95.5, deviation, deviation / 96.5]) {
            #expect(abs(try #require(entry["cpu_time"] as? Double) - expected) < 1e-9, "\(entry)")
        }
    }

    /// `extractGoogleCppResult` in `src/extract.ts`.
    @Test("github-action-benchmark finds name, value, unit and additional text") func action() throws {
        for entry in try document().entries {
            for key in ["real_time", "cpu_time", "iterations", "threads"] { #expect(entry[key] is NSNumber, "\(key)") }
            for key in ["name", "time_unit"] { #expect(entry[key] is String, "\(key)") }
        }
    }

    @Test("github-action-benchmark gets one point a row from the format googlecpp") func points() throws {
        let text = try RunFormat.googlecpp.text(SampleDocument.make())
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let entries = try #require(object["benchmarks"] as? [[String: Any]])
        #expect(
            entries.map { $0["name"] as? String } == [
                "key-hash/40/tiered", "disk/hit/4k/files", "two-tier/zipf/tiered", "disk/store, \"4k\"|/peer",
            ])
        #expect(entries.map { $0["real_time"] as? Double } == [102, 10_000, 20_000, 0])
        #expect(entries.allSatisfy { $0["repetitions"] as? Int == 1 })
    }

    /// `extractCustomBenchmarkResult` in `src/extract.ts`; an alert compares the first entry of each name.
    @Test("github-action-benchmark gets one point a row from its own format") func custom() throws {
        let text = try RunFormat.githubAction.text(SampleDocument.make())
        let entries = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(entries.compactMap { $0["name"] as? String } == ["key-hash/40/tiered", "disk/hit/4k/files"])
        #expect(entries.compactMap { $0["value"] as? Double } == [102, 10_000])
        #expect(entries.allSatisfy { $0["unit"] as? String == "ns/op" && $0["extra"] is String })
        #expect(entries[0]["range"] as? String == "± 1")
    }

    @Test("sets whose processor time is unknown count as running all of their time, and their aggregates as none")
    func unknownProcessorTime() throws {
        var row = SampleDocument.batched
        row.sets = row.sets.map { SetTimes(operations: $0.operations, mean: $0.mean, slices: $0.slices) }
        let entries = try document([row]).entries
        let (sets, aggregates) = (entries.prefix(12), entries.dropFirst(12))
        #expect(sets.allSatisfy { $0["cpu_time"] as? Double == $0["real_time"] as? Double })
        #expect(aggregates.count == 4 && aggregates.allSatisfy { $0["cpu_time"] as? Double == 0 })
    }

    @Test("a row with a throughput alone has the time that it gives, and none for a throughput of 0")
    func throughput() throws {
        var row = SampleDocument.mixed
        for (rate, time) in [(50_000, 20_000), (0, 0), (nil, 0)] as [(Double?, Double)] {
            row.operationsPerSecond = rate
            let entry = try #require(try document([row]).entries.first)
            #expect(entry["real_time"] as? Double == time && entry["cpu_time"] as? Double == time)
        }
    }

    @Test("the context says where the figures come from") func context() throws {
        let context = try document().context
        for key in [
            "date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "caches", "load_avg",
            "library_build_type", "cpu_model", "architecture", "kernel", "swift_version", "git_revision", "git_dirty",
            "file_system", "seed", "memory_capacity", "disk_capacity", "arguments", "noise",
            "preloaded",
        ] {
            #expect(context[key] != nil, "\(key)")
        }
        let noise = try #require(context["noise"] as? [String: Any])
        #expect(noise["stolen_part"] as? Double == 0.01)
        #expect(noise["load_before"] is NSNull)

        var other = SampleDocument.make()
        other.noise = NoiseReport(loadBefore: 1.5, loadAfter: 2.5, switchesPerSecond: 3.5)
        let text = try RunFormat.json.text(other)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let loads = try #require((object?["context"] as? [String: Any])?["noise"] as? [String: Any])
        #expect(loads["load_before"] as? Double == 1.5 && loads["load_after"] as? Double == 2.5)
        #expect(loads["involuntary_switches_per_second"] as? Double == 3.5)
        #expect(context["memory_capacity"] as? Int == RunSettings.defaultMemory.bytes)
        #expect(context["disk_capacity"] as? Int == RunSettings.defaultDisk.bytes)
    }

    @Test("what belongs to the whole row stands in its median, or in its only repetition") func whole() throws {
        let entries = try document().entries.filter { $0["operations"] != nil }
        #expect(
            entries.map { $0["run_name"] as? String } == [
                "key-hash/40/tiered", "disk/hit/4k/files", "two-tier/zipf/tiered", "disk/store, \"4k\"|/peer",
            ])
        #expect(entries[0]["allocations_per_operation"] as? Double == 2)
        #expect(entries[0]["instructions_per_operation"] as? Double == 321.5)
        #expect((entries[0]["median_low"] as? Double, entries[0]["median_high"] as? Double) == (103, 108))
        #expect(entries[1]["p99"] != nil && entries[1]["p99_low"] != nil)
        #expect(entries[1]["p99.9"] == nil)
        #expect((entries[1]["quantiles"] as? [Double])?.count == ResultRow.curve.count)
        #expect((entries[2]["hit_ratio"] as? Double, entries[2]["real_time"] as? Double) == (0.5, 20_000))
        #expect(entries[3]["error_occurred"] as? Bool == true)
        #expect(entries[3]["real_time"] as? Double == 0)
    }

    @Test("the context has the clocks, the workload and both capacities, each under its own name")
    func clocks() throws {
        var sample = SampleDocument.make()
        sample.noise = NoiseReport(pairs: [0.2], fullSpeed: 0.7, clock: 3, referenceClock: 2.5)
        let load = OfferedLoad(arguments: [], summary: "5 requests a second", isPaced: false)
        let settings = RunSettings(memory: ByteSize(bytes: 3), disk: ByteSize(bytes: 7), load: load)
        let document = RunDocument(
            environment: RunEnvironment(settings: settings, directory: nil), rows: sample.rows, noise: sample.noise)
        let text = try RunFormat.json.text(document)
        let context = try #require(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["context"])
        let noise = try #require(context["noise"])
        let names = ["clock_ghz", "reference_clock_ghz", "full_speed_part", "smallest_difference"]
        #expect(names.map { noise[$0]?.double } == [3, 2.5, 0.7, 0.2])
        #expect(context["memory_capacity"]?.double == 3 && context["disk_capacity"]?.double == 7)
        #expect(context["workload"]?.string == load.summary)
    }

    @Test("each row has its own family, and names the twenty functions with most instructions") func families() throws {
        var row = SampleDocument.batched
        row.instructions = InstructionCount(
            perOperation: 9, operations: 1,
            functions: (0..<25).map { .init(name: "f\($0)", perOperation: Double(25 - $0)) })
        let entries = try document([SampleDocument.timed, row]).entries.filter { $0["operations"] != nil }
        #expect(entries.map { $0["family_index"] as? Int } == [0, 1])
        let functions = entries[1]["instructions_by_function"] as? [[String: Any]]
        #expect(functions?.count == 20 && functions?.last?["name"] as? String == "f19")
    }
}
