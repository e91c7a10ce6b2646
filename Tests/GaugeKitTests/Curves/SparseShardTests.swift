import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// Results of shards that lack members, and curves that lack points.
@Suite("Curves without some figures") struct SparseShardTests {
    private static let environment = RunEnvironment(settings: RunSettings(seed: 7), directory: nil)

    private func shard(_ more: String = "", rate: Double = 0.5, sample: String = "") throws -> CurveReport {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/shard.json"
        let text = """
            {"trace_format": "csv", "unit": "entries", "requests": 10, "requested_bytes": 20,
             "sample": {"rate": \(rate), "seed": "9", "shard_count": 2\(sample)}\(more)}
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        return try CurveReport(merging: [path], environment: Self.environment)
    }

    @Test("what a result lacks is unknown, empty or 0, and it does not count as read to its end")
    func defaults() throws {
        let report = try shard(#", "trace_hash": "crc32c:00000001""#)
        #expect(report.trace == "a trace" && report.assumedSizes == "" && report.admission == "")
        #expect(report.sizeChanges == .version && !report.isGuessed && !report.isComplete)
        #expect(report.digest == TraceDigest(text: "crc32c:00000001", count: 0))
        #expect(report.curve.points.isEmpty && report.curve.objects == 0 && report.curve.disk == nil)
        #expect(report.curve.sample == SampleSummary(rate: 0.5, seed: 9, shards: [], of: 2))
        let lines = report.table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines == [
                "trace a trace (csv)", "requests 10 for 0 objects of the sample",
                "caches 0 policies by number of entries, simulated",
                "estimate from 50 % of the keys, right within 0.0 % at every capacity, with 95 % confidence at each",
                "stopped before the end of the trace", "hit ratio, %", "capacity",
            ])
        #expect(report.table.hasSuffix("hit ratio, %\n   capacity\n"))
    }

    @Test("the rate of a sample is a part of the keys", arguments: [0, -0.5, 1.5])
    func rate(_ rate: Double) { #expect(throws: (any Error).self) { try shard(rate: rate) } }

    @Test("counts are whole and not negative, and a point without a figure is left out") func counts() throws {
        let figures = #""misses": 4, "missed_bytes": 5, "error": 0.1, "byte_error": 0.2"#
        let report = try shard(
            """
            , "objects": -1, "disk_capacity": 1e30, "points": [{"policy": "lru", "capacity": 8, \(figures)},
             {"policy": "lru", "capacity": 16, "misses": 4, "missed_bytes": 5, "error": 0.1}, {"capacity": 8, \(figures)}]
            """, sample: #", "shards": [1, -1, "x"]"#)
        #expect(report.curve.objects == 0 && report.curve.disk == .max)
        #expect(report.curve.points.map(\.capacity) == [8] && report.curve.sample?.shards == [1])
        let estimate = try #require(report.curve.points.first?.estimate)
        #expect(estimate == SampleEstimate(misses: 4, missedBytes: 5, error: 0.1, byteError: 0.2))
    }

    @Test("a trace without a digest has neither hash nor length in JSON") func withoutDigest() throws {
        for (more, hash, count) in [
            ("", nil, nil), (#", "trace_hash": "crc32c:0000000a", "trace_bytes": 7"#, "crc32c:0000000a", 7),
        ] as [(String, String?, Double?)] {
            let text = try shard(more).text(.json)
            let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(json["trace_hash"]?.string == hash && json["trace_bytes"]?.double == count)
            #expect(json["trace_hash"] != nil && json["trace_bytes"] != nil)
        }
    }

    @Test("a policy without a point at a capacity has an empty place there") func emptyPlaces() {
        func point(_ policy: String, _ capacity: Int, _ hits: Int) -> MissRatioCurve.Point {
            .init(policy: policy, capacity: capacity, sum: HitSum(hits: hits, bytes: 0))
        }
        let curve = MissRatioCurve(
            unit: .entries, points: [point("lru", 8, 6), point("arc", 8, 7), point("arc", 16, 8)], requests: 10,
            requestedBytes: 0, objects: 4)
        let report = CurveReport(
            curve: curve, trace: "a.csv", assumedSizes: "", format: .csv, isGuessed: false, isComplete: true,
            digest: nil,
            environment: Self.environment)
        #expect(
            report.table.hasSuffix(
                """
                hit ratio, %
                   capacity        lru        arc
                          8         60         70
                         16                    80

                """), "\(report.table)")
    }
}
