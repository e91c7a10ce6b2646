import Foundation
import Testing

@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

/// Each figure of a simulation in its own place, in figures that all differ.
@Suite("Report of a simulation") struct SimulationReportTests {
    private static let result: SimulationResult = {
        var result = SimulationResult()
        (result.visits, result.requests, result.puts, result.removals) = (40, 200, 7, 9)
        result.sources = [.memory: 61, .disk: 17, .revalidated: 23, .stale: 5, .fetched: 80, .bypass: 14]
        (result.outdated, result.answeredBytes) = (3, 5 << 20)
        (result.origin.requests, result.origin.notModified, result.origin.bodyBytes) = (117, 21, 2 << 20)
        // Their mean is 33.835 ms, the median 25 ms, the 95th percentile 90.25 ms.
        result.waits = (1...100).map { Double($0 * $0) / 1e5 }.reversed()
        result.waitWithoutCache = 12.5
        return result
    }()

    private static let plan: WorkloadPlan = {
        var plan = WorkloadPlan()
        plan.name = "mine"
        return plan
    }()

    private static let report = SimulationReport(
        workload: Workload(plan, seed: 11), cache: "tiered", memory: ByteSize(bytes: 4 << 20),
        disk: ByteSize(bytes: 20 << 20), policy: .lru, days: 2.5,
        network: Simulation.Network(roundTrip: 0.04, bandwidth: 2_500_000), judgesHeaders: true)

    @Test("JSON") func json() throws {
        let json = try JSONDecoder().decode(
            JSONValue.self, from: Data(try Self.report.json(Self.result, wrong: 2).utf8))
        guard case .object(let members) = json else {
            Issue.record("\(json)")
            return
        }
        let expected: [String: Double] = [
            "days": 2.5, "memory_capacity": 4_194_304, "disk_capacity": 20_971_520, "round_trip_seconds": 0.04,
            "bytes_per_second": 2_500_000, "visits": 40, "requests": 200, "puts": 7, "removals": 9, "memory_hits": 61,
            "disk_hits": 17, "revalidated": 23, "stale_served": 5, "fetched": 80, "bypassed": 14, "outdated": 3,
            "origin_requests": 117, "origin_not_modified": 21, "origin_body_bytes": 2_097_152,
            "answered_bytes": 5_242_880, "saved_bytes": 3_145_728, "wait_mean_seconds": 0.033835,
            "wait_p50_seconds": 0.025, "wait_p95_seconds": 0.09025, "wait_total_seconds": 3.3835,
            "wait_total_without_cache_seconds": 12.5, "wrong": 2,
        ]
        let found = members.compactMapValues { $0.double }
        #expect(Set(found.keys) == Set(expected.keys))
        for (name, value) in expected { #expect(abs((found[name] ?? .nan) - value) < 1e-9, "\(name)") }
        #expect(json["workload"]?.string == "mine" && json["cache"]?.string == "tiered")
        #expect(json["seed"]?.string == "11")
        #expect(json["headers_judged"]?.flag == true && json["complete"]?.flag == true)
    }

    @Test("the text fits the terminal") func width() {
        let text = Self.report.text(Self.result, wrong: 2, width: 80)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 } && text.contains("asked,\n"), "\(text)")
    }

    @Test("the text for people") func text() {
        let text = Self.report.text(Self.result, wrong: 2)
        for line in [
            "cache           tiered, memory tier 4 MiB, disk tier 20 MiB", "virtual time    2.5 days from",
            "visits          40", "requests        200, beside 7 PUT and 9 removals",
            "memory hits     61  30.5 %", "disk hits       17  8.5 %", "revalidated     23  11.5 %",
            "stale served    5  2.5 %", "fetched         80  40.0 %", "past the cache  14  7.0 %",
            "outdated        3  1.5 % fresh", "at the origin   117 requests, 21 answered 304",
            "bytes           5 MiB answered, 2 MiB from the origin, 3 MiB saved",
            "for a visit, modelled as one round trip of 40.0 ms", "at 20 Mbit/s:",
            "mean 33.8 ms, median 25.0 ms, p95 90.2 ms; without a cache mean 125 ms", "wrong           2\n",
        ] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
    }

    @Test("an empty result divides by nothing, and the text tells other policies, a day and a stop") func variants() {
        var result = SimulationResult()
        #expect(result.share(1) == 0 && result.meanWait == 0 && result.wait(quantile: 0.5) == 0)
        result.waits = [0.054, 0]
        #expect(result.wait(quantile: 0.5) == 0 && result.wait(quantile: 0.51) == 0.054)
        #expect(result.wait(quantile: 0) == 0 && result.wait(quantile: 1) == 0.054)
        result.waits = []
        (result.isStopped, result.answeredBytes, result.origin.bodyBytes) = (true, 1_023, 2_148)
        func report(days: Double, policy: SubjectEvictionPolicy, judgesHeaders: Bool) -> [String] {
            SimulationReport(
                workload: Self.report.workload, cache: "tiered", memory: ByteSize(bytes: 1 << 20),
                disk: ByteSize(bytes: 0), policy: policy, days: days, network: Self.report.network,
                judgesHeaders: judgesHeaders
            ).text(result, wrong: 0).split(separator: "\n").map(String.init)
        }
        let lines = report(days: 1, policy: .gdsf, judgesHeaders: false)
        #expect(lines[1] == "cache           tiered, memory tier 1 MiB, disk tier 0 B, policy gdsf")
        #expect(lines[2] == "virtual time    1 day from Fri, 15 Jan 2027 08:00:00 GMT")
        #expect(lines[4...5] == ["requests        0, beside 0 PUT and 0 removals", "memory hits     0  0.0 %"])
        #expect(
            lines.suffix(6) == [
                "bytes           1023 B answered, 2.1 KiB from the origin, -1.1 KiB saved",
                "waiting         for a visit, modelled as one round trip of 40.0 ms where the origin is asked,",
                "                and what comes from it at 20 Mbit/s:",
                "                mean 0, median 0, p95 0; without a cache mean 0",
                "wrong           0, header fields not judged",
                "                stopped before the end of the virtual time",
            ])
        result.isStopped = false
        result.answeredBytes = 3 << 40
        let others = report(days: 2, policy: .lru, judgesHeaders: true)
        #expect(others[2].hasPrefix("virtual time    2 days from ") && others.last == "wrong           0")
        #expect(others.contains { $0.hasPrefix("bytes           3 TiB answered, 2.1 KiB from") })
        #expect(others[1].hasSuffix("disk tier 0 B"))
    }
}
