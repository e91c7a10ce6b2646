import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// Curves as tables, CSV and JSON, in figures that all differ.
@Suite("Report of a miss-ratio curve") struct CurveReportTests {
    private static let environment = RunEnvironment(settings: RunSettings(seed: 7), directory: nil)

    /// One of two shards of 1,000 requests for 100,000 bytes: the misses and errors of each differ.
    private static func shard(
        _ number: Int, unit: MissRatioCurve.Unit = .bytes, disk: Int? = nil, policies: [String] = ["lru", "arc"],
        admission: String = "any", sizeChanges: SizeChanges = .version, isComplete: Bool = true, checksum: Int = 1
    ) -> CurveReport {
        let points = policies.enumerated().map { index, policy -> MissRatioCurve.Point in
            let step = Double(index)
            let estimate = SampleEstimate(
                misses: 400 + 200 * Double(number) + step, missedBytes: 30_000 + 10_000 * Double(number) + step,
                error: 0.03 + 0.01 * Double(number), byteError: 0.06 + 0.02 * Double(number),
                scaleError: 0.01 * Double(number), byteScaleError: 0.02 + 0.01 * Double(number))
            return .init(
                policy: policy, capacity: 1 << 20, sum: estimate.hits(of: 1_000, bytes: 100_000), estimate: estimate)
        }
        let curve = MissRatioCurve(
            unit: unit, disk: disk, points: points, requests: 1_000, requestedBytes: 100_000, objects: 50 + number,
            sample: SampleSummary(rate: 0.25, seed: 9, shards: [number], of: 2))
        return CurveReport(
            curve: curve, trace: "a.csv", assumedSizes: "one size", admission: admission, sizeChanges: sizeChanges,
            format: .csv, isGuessed: true, isComplete: isComplete,
            digest: TraceDigest(text: "crc32c:0000000\(checksum)", count: 77), environment: environment)
    }

    /// Two results, written as JSON and merged.
    private static func merged(_ one: CurveReport, _ other: CurveReport) throws -> CurveReport {
        let scratch = try ScratchDirectory()
        let paths = ["one", "other"].map { "\(scratch.path)/\($0).json" }
        for (path, report) in zip(paths, [one, other]) {
            try Data(report.text(.json).utf8).write(to: URL(filePath: path))
        }
        return try CurveReport(merging: paths, environment: environment)
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test("the lines above a curve fit the terminal") func width() throws {
        let text = try Self.shard(0, disk: 1 << 20, admission: "an entry counts its key, its body and 128 bytes").text(
            .text, width: 80)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    }

    @Test("the error of an estimate that is told is that of its worst capacity") func worstError() {
        let errors = [0.02, 0.07, 0.04]
        let points = errors.enumerated().map { index, error in
            let estimate = SampleEstimate(misses: 5, missedBytes: 0, error: error, byteError: 0.5)
            return MissRatioCurve.Point(
                policy: "lru", capacity: 10 << index, sum: estimate.hits(of: 10, bytes: 0), estimate: estimate)
        }
        let curve = MissRatioCurve(
            unit: .entries, disk: nil, points: points, requests: 10, requestedBytes: 0, objects: 5,
            sample: SampleSummary(rate: 0.25, seed: 9, shards: [0], of: 1))
        let report = CurveReport(
            curve: curve, trace: "a", assumedSizes: "", format: .csv, isGuessed: false, isComplete: true, digest: nil,
            environment: Self.environment)
        #expect(report.table.contains("right within 7.0 % at every capacity"))
    }

    @Test(
        "two shards are merged by what their files say: misses and errors of scale as a mean, other errors as squares")
    func merging() throws {
        let merged = try Self.merged(Self.shard(0), Self.shard(1))
        #expect(merged.environment.settings.seed == 7, "the seed that was given")
        let point = try #require(merged.curve.points.first)
        let estimate = try #require(point.estimate)
        #expect(estimate.misses == 500 && estimate.missedBytes == 35_000)
        // Of a quarter of the keys each: (0.03² + 0.03²) / 4 / 0.75 × 0.5, and (0.04² + 0.05²) / 4 / 0.75 × 0.5.
        #expect(abs(estimate.error - (0.0003.squareRoot() + 0.005)) < 1e-12, "\(estimate)")
        #expect(abs(estimate.byteError - ((0.0041 / 6).squareRoot() + 0.025)) < 1e-12, "\(estimate)")
        #expect(estimate.scaleError == 0.005 && estimate.byteScaleError == 0.025)
        #expect(point.sum == HitSum(hits: 500, bytes: 65_000))
        #expect(merged.curve.sample == SampleSummary(rate: 0.5, seed: 9, shards: [0, 1], of: 2))
        #expect(merged.curve.objects == 101 && merged.curve.requests == 1_000)
        #expect(merged.trace == "a.csv" && merged.assumedSizes == "one size" && merged.isGuessed && merged.isComplete)
    }

    @Test("results that do not belong together are not merged, for the reason said") func refused() throws {
        let others: [(CurveReport, String)] = [
            (Self.shard(1, admission: "other"), "count entries differently"),
            (Self.shard(1, sizeChanges: .ignore), "count entries differently"),
            (Self.shard(1, isComplete: false), "read to its end"), (Self.shard(1, checksum: 2), "read to its end"),
            (Self.shard(1, disk: 5), "different caches"), (Self.shard(1, policies: ["lru"]), "different caches"),
            (Self.shard(0), "both results hold shard 1/2"),
        ]
        for (other, reason) in others {
            let error = #expect(throws: GaugeError.self) { try Self.merged(Self.shard(0), other) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/other.json"
        for text in ["{}", "{\"trace_format\":\"csv\"}"] {
            try Data(text.utf8).write(to: URL(filePath: path))
            let error = #expect(throws: GaugeError.self) {
                try CurveReport(merging: [path, path], environment: Self.environment)
            }
            #expect(error?.description.contains("is not a result of a shard") == true)
        }
        #expect(throws: GaugeError.self) { try CurveReport(merging: [], environment: Self.environment) }
    }

    @Test("the table of one policy of a sample has its error, and tells a trace that was cut") func table() throws {
        let lines = Self.words(
            try Self.shard(0, disk: 20 << 20, policies: ["lru"], sizeChanges: .ignore, isComplete: false).text(.text))
        for line in [
            "requests 1000 for 50 objects of the sample", "caches LRU by bytes, simulated; any", "changed sizes ignore",
            "body sizes one size", "stopped before the end of the trace",
            "estimate from 25 % of the keys, right within 3.0 % at every capacity, with 95 % confidence at each",
            "capacity hits hit ratio miss ratio ± byte miss ratio", "1 MiB 600 60.0 % 40.0 % 3.0 % 30.0 %",
        ] {
            #expect(lines.contains(line), "\(line) in \(lines)")
        }
        #expect(lines.contains { $0.hasPrefix("disk tier 20 MiB behind the memory") })
    }

    @Test("a table has its lines in the recorded order and columns", arguments: [1, 2])
    func whole(policies: Int) {
        let names = ["lru", "a policy of a long name"].prefix(policies)
        let bytes = Self.shard(1, disk: 20 << 20, policies: Array(names), sizeChanges: .ignore)
        let entries = Self.shard(0, unit: .entries, disk: 7, policies: Array(names), isComplete: false)
        #expect(RecordedText.differences(of: bytes.table, from: "Curves/bytes-\(policies).txt") == [])
        #expect(RecordedText.differences(of: entries.table, from: "Curves/entries-\(policies).txt") == [])
    }

    @Test("the table of several policies has a column for each, by hits and by bytes") func columns() throws {
        let lines = Self.words(try Self.shard(1).text(.text))
        let titles = try #require(lines.firstIndex(of: "hit ratio, %"))
        #expect(lines[titles + 1] == "capacity lru arc" && lines[titles + 2] == "1 MiB 40 39.9")
        let bytes = try #require(lines.firstIndex(of: "byte hit ratio, %"))
        #expect(lines[bytes + 2] == "1 MiB 60 60")
        #expect(
            Self.words(try Self.shard(1, unit: .entries, disk: 5).text(.text)).contains {
                $0.hasPrefix("disk tier 5 entries behind")
            })
    }

    @Test("CSV has the errors of a sample, and bytes where capacities are bytes") func csv() throws {
        let bytes = try Self.shard(0, policies: ["lru"]).text(.csv).split(separator: "\n")
        #expect(
            bytes == [
                "policy,capacity_bytes,hits,hit_ratio,miss_ratio,byte_hit_ratio,byte_miss_ratio,error,byte_error",
                "lru,1048576,600,0.6,0.4,0.7,0.3,0.03,0.06",
            ])
        let entries = try Self.shard(0, unit: .entries, policies: ["lru"]).text(.csv).split(separator: "\n")
        #expect(
            entries == ["policy,capacity_entries,hits,hit_ratio,miss_ratio,error", "lru,1048576,600,0.6,0.4,0.03"])
    }

    @Test("each figure of a point stands under its own name in JSON") func json() throws {
        let text = try Self.shard(0, policies: ["lru"]).text(.json)
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let point = try #require(json["points"]?.elements.first)
        let figures = [
            "capacity": 1_048_576, "hits": 600, "hit_ratio": 0.6, "miss_ratio": 0.4, "byte_hit_ratio": 0.7,
            "byte_miss_ratio": 0.3, "misses": 400, "missed_bytes": 30_000, "error": 0.03, "byte_error": 0.06,
            "scale_error": 0, "byte_scale_error": 0.02,
        ]
        for (name, value) in figures { #expect(point[name]?.double == value, "\(name)") }
        #expect(json["requests"]?.double == 1_000 && json["requested_bytes"]?.double == 100_000)
        #expect(json["objects"]?.double == 50 && json["exact"]?.flag == false && json["unit"]?.string == "bytes")
        #expect(json["sample"]?["rate"]?.double == 0.25 && json["trace_bytes"]?.double == 77)
    }

    @Test("a curve of distances is exact, and one of simulated entries says so") func exact() throws {
        func table(isOfDistances: Bool) throws -> [String] {
            let curve = MissRatioCurve(
                unit: .entries, points: [.init(policy: "lru", capacity: 8, sum: HitSum(hits: 6, bytes: 0))],
                requests: 10, requestedBytes: 0, objects: 4, isOfDistances: isOfDistances)
            let report = CurveReport(
                curve: curve, trace: "a.csv", assumedSizes: "", format: .csv, isGuessed: false, isComplete: true,
                digest: nil, environment: Self.environment)
            return Self.words(try report.text(.text))
        }
        #expect(try table(isOfDistances: true).contains("caches LRU by number of entries: exact"))
        let simulated = try table(isOfDistances: false)
        #expect(simulated.contains("caches LRU by number of entries, simulated"))
        #expect(simulated.contains("8 6 60.0 % 40.0 %") && simulated.contains("requests 10 for 4 objects"))
    }
}
