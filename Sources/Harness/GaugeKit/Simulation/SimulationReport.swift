import Foundation
import GaugeTraces

/// The report of a simulation. The same for one seed on every run and machine: it contains no time of day, path or
/// duration.
package struct SimulationReport {
    package let workload: Workload
    package let cache: String
    package let memory: ByteSize
    package let disk: ByteSize
    package let policy: SubjectEvictionPolicy
    package let days: Double
    package let network: Simulation.Network
    package let judgesHeaders: Bool

    package func text(_ result: SimulationResult, wrong: Int, width: Int = .max) -> String {
        func counted(_ count: Int) -> String { "\(count)  \(Quantity.percent(result.share(count)))" }
        let origin = result.origin
        let waitedWithout = result.visits == 0 ? 0 : result.waitWithoutCache / Double(max(1, result.waits.count))
        var rows = [
            ("workload", "\(workload.plan.name): \(workload)"),
            (
                "cache",
                "\(cache), memory tier \(memory), disk tier \(disk)"
                    + (policy == .lru ? "" : ", policy \(policy.rawValue)")
            ),
            ("virtual time", "\(JSONFields.text(days)) day\(days == 1 ? "" : "s") from Fri, 15 Jan 2027 08:00:00 GMT"),
            ("visits", "\(result.visits)"),
            ("requests", "\(result.requests), beside \(result.puts) PUT and \(result.removals) removals"),
            ("memory hits", counted(result.count(of: .memory))), ("disk hits", counted(result.count(of: .disk))),
            ("revalidated", counted(result.count(of: .revalidated))),
            ("stale served", counted(result.count(of: .stale))), ("fetched", counted(result.count(of: .fetched))),
        ]
        if result.count(of: .bypass) > 0 { rows.append(("past the cache", counted(result.count(of: .bypass)))) }
        rows += [
            ("outdated", "\(counted(result.outdated)) fresh by their header, although the origin had changed"),
            ("at the origin", "\(origin.requests) requests, \(origin.notModified) answered 304"),
            (
                "bytes",
                "\(Self.bytes(result.answeredBytes)) answered, \(Self.bytes(origin.bodyBytes)) from the origin, "
                    + "\(Self.bytes(result.savedBytes)) saved"
            ),
            (
                "waiting",
                "for a visit, modelled as one round trip of \(Quantity.time(network.roundTrip * 1e9)) where the origin is "
                    + "asked,"
            ),
            ("", "and what comes from it at \(JSONFields.text(network.bandwidth * 8 / 1e6)) Mbit/s:"),
            (
                "",
                "mean \(Self.time(result.meanWait)), median \(Self.time(result.wait(quantile: 0.5))), "
                    + "p95 \(Self.time(result.wait(quantile: 0.95))); without a cache mean \(Self.time(waitedWithout))"
            ),
            ("wrong", judgesHeaders ? "\(wrong)" : "\(wrong), header fields not judged"),
        ]
        if result.isStopped { rows.append(("", "stopped before the end of the virtual time")) }
        return rows.map { Table.labelled($0.0, $0.1, to: width) }.joined()
    }

    package func json(_ result: SimulationResult, wrong: Int) throws -> String {
        let object: [String: JSONValue] = [
            "workload": .text(workload.plan.name), "workload_description": .text(workload.description),
            "cache": .text(cache), "seed": .text(String(workload.seed)), "days": .number(days),
            "memory_capacity": .whole(memory.bytes), "disk_capacity": .whole(disk.bytes),
            "round_trip_seconds": .number(network.roundTrip), "bytes_per_second": .number(network.bandwidth),
            "visits": .whole(result.visits), "requests": .whole(result.requests), "puts": .whole(result.puts),
            "removals": .whole(result.removals), "memory_hits": .whole(result.count(of: .memory)),
            "disk_hits": .whole(result.count(of: .disk)), "revalidated": .whole(result.count(of: .revalidated)),
            "stale_served": .whole(result.count(of: .stale)), "fetched": .whole(result.count(of: .fetched)),
            "bypassed": .whole(result.count(of: .bypass)), "outdated": .whole(result.outdated),
            "origin_requests": .whole(result.origin.requests), "origin_not_modified": .whole(result.origin.notModified),
            "origin_body_bytes": .whole(result.origin.bodyBytes), "answered_bytes": .whole(result.answeredBytes),
            "saved_bytes": .whole(result.savedBytes), "wait_mean_seconds": .number(result.meanWait),
            "wait_p50_seconds": .number(result.wait(quantile: 0.5)),
            "wait_p95_seconds": .number(result.wait(quantile: 0.95)),
            "wait_total_seconds": .number(result.waits.reduce(0, +)),
            "wait_total_without_cache_seconds": .number(result.waitWithoutCache), "wrong": .whole(wrong),
            "headers_judged": .flag(judgesHeaders), "complete": .flag(!result.isStopped),
        ]
        return try JSONValue.object(object).document()
    }

    private static func time(_ seconds: Double) -> String { seconds == 0 ? "0" : Quantity.time(seconds * 1e9) }

    private static func bytes(_ bytes: Int) -> String {
        (bytes < 0 ? "-" : "") + Quantity.binary(Double(bytes.magnitude))
    }
}
