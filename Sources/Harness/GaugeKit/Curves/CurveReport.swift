import Foundation
import GaugeTraces

/// The report of a miss-ratio curve, as text, JSON or CSV.
package struct CurveReport {
    package enum Format: String, CaseIterable, Sendable { case text, json, csv }

    package let curve: MissRatioCurve
    package let trace: String
    /// The lengths of bodies where the trace has none, for people.
    package let assumedSizes: String
    /// How the simulated caches count and admit entries.
    package var admission: String = AdmissionRule.any.description
    /// What it means that an object's size differs from the one before.
    package var sizeChanges: SizeChanges = .version
    package let format: TraceFormat
    package let isGuessed: Bool
    package let isComplete: Bool
    /// Identifies the trace; `nil` if it wasn't read to its end.
    package let digest: TraceDigest?
    package let environment: RunEnvironment
    /// The requests that no cache answers; empty for a sample of a trace, and for one without HTTP metadata.
    package var uncached: UncachedRequests = UncachedRequests()
    /// Sentences about the trace's sizes.
    package var notes: [String] = []

    package func text(_ form: Format, width: Int = .max) throws -> String {
        switch form {
        case .text:
            table(width: width) + "\n" + UncachedReport(uncached, of: curve.requests).text(width: width)
                + environment.footer(digest, width: width)
        case .csv: csv
        case .json: try json
        }
    }

    private var csv: String {
        let hasBytes = curve.unit == .bytes
        var columns = ["policy", "capacity_\(curve.unit.rawValue)", "hits", "hit_ratio", "miss_ratio"]
        if hasBytes { columns += ["byte_hit_ratio", "byte_miss_ratio"] }
        if curve.sample != nil { columns += hasBytes ? ["error", "byte_error"] : ["error"] }
        return columns.joined(separator: ",") + "\n"
            + curve.points.map { point in
                var values = [point.policy, "\(point.capacity)", "\(point.sum.hits)"]
                values += ["\(hitRatio(point))", "\(missRatio(point))"]
                if hasBytes { values += ["\(byteHitRatio(point))", "\(byteMissRatio(point))"] }
                if let estimate = point.estimate {
                    values += ["\(estimate.error)"] + (hasBytes ? ["\(estimate.byteError)"] : [])
                }
                return values.joined(separator: ",") + "\n"
            }.joined()
    }

    func hitRatio(_ point: MissRatioCurve.Point) -> Double { Double(point.sum.hits) / Double(max(1, curve.requests)) }

    func missRatio(_ point: MissRatioCurve.Point) -> Double {
        Double(curve.requests - point.sum.hits) / Double(max(1, curve.requests))
    }

    func byteMissRatio(_ point: MissRatioCurve.Point) -> Double {
        Double(curve.requestedBytes - point.sum.bytes) / Double(max(1, curve.requestedBytes))
    }

    func byteHitRatio(_ point: MissRatioCurve.Point) -> Double {
        Double(point.sum.bytes) / Double(max(1, curve.requestedBytes))
    }
}

extension CurveReport {
    var json: String {
        get throws {
            var document: [String: JSONValue] = [
                "trace": .text(trace), "trace_hash": digest.map { .text($0.text) } ?? .null,
                "trace_bytes": digest.map { .whole($0.count) } ?? .null,
                "environment": .object(environment.members), "trace_format": .text(format.rawValue),
                "trace_format_guessed": .flag(isGuessed), "requests": .whole(curve.requests),
                "requested_bytes": .whole(curve.requestedBytes), "objects": .whole(curve.objects),
                "unit": .text(curve.unit.rawValue), "policies": .list(curve.policies.map(JSONValue.text)),
                "exact": .flag(curve.isOfDistances), "complete": .flag(isComplete),
                "points": .list(curve.points.map(json)),
            ]
            if curve.shared > 0 { document["shared_hits"] = .whole(curve.shared) }
            if !uncached.isEmpty { document["not_cached"] = UncachedReport(uncached, of: curve.requests).json }
            if !notes.isEmpty { document["size_notes"] = .list(notes.map(JSONValue.text)) }
            if curve.unit == .bytes {
                document["body_sizes"] = .text(assumedSizes)
                document["admission"] = .text(admission)
                document["size_changes"] = .text(sizeChanges.rawValue)
            }
            if let disk = curve.disk { document["disk_capacity"] = .whole(disk) }
            if let sample = curve.sample {
                document["sample"] = .object([
                    "rate": .number(sample.rate), "seed": .text("\(sample.seed)"),
                    "shards": .list(sample.shards.map(JSONValue.whole)), "shard_count": .whole(sample.shardCount),
                ])
            }
            return try JSONValue.object(document).document()
        }
    }

    private func json(_ point: MissRatioCurve.Point) -> JSONValue {
        var members: [String: JSONValue] = [
            "policy": .text(point.policy), "capacity": .whole(point.capacity), "hits": .whole(point.sum.hits),
            "hit_ratio": .number(hitRatio(point)), "miss_ratio": .number(missRatio(point)),
        ]
        if curve.unit == .bytes {
            members["byte_hit_ratio"] = .number(byteHitRatio(point))
            members["byte_miss_ratio"] = .number(byteMissRatio(point))
        }
        if let estimate = point.estimate {
            members["misses"] = .number(estimate.misses)
            members["missed_bytes"] = .number(estimate.missedBytes)
            members["error"] = .number(estimate.error)
            members["byte_error"] = .number(estimate.byteError)
            members["scale_error"] = .number(estimate.scaleError)
            members["byte_scale_error"] = .number(estimate.byteScaleError)
        }
        return .object(members)
    }
}

extension CurveReport {
    /// The curve for people: a line per capacity. One policy has a column for each figure; several have a column each,
    /// in a table of hit ratios and one of byte hit ratios, each in as many blocks as the width needs.
    func table(width: Int) -> String {
        var rows = [
            ("trace", "\(trace) (\(format.rawValue)\(isGuessed ? ", recognised by its beginning" : ""))"),
            (
                "requests",
                "\(curve.requests) for \(Quantity.counted(curve.objects, "object"))\(curve.sample == nil ? "" : " of the sample")"
            ),
        ]
        let policies = curve.policies.count == 1 ? curve.policies[0].uppercased() : "\(curve.policies.count) policies"
        switch curve.unit {
        case .entries:
            rows.append(
                ("caches", "\(policies) by number of entries\(curve.isOfDistances ? ": exact" : ", simulated")"))
        case .bytes:
            rows.append(("caches", "\(policies) by bytes, simulated; \(admission)"))
            if sizeChanges != .version { rows.append(("changed sizes", sizeChanges.rawValue)) }
            rows.append(("body sizes", assumedSizes))
        }
        if let disk = curve.disk {
            let size = curve.unit == .bytes ? ByteSize(bytes: disk).description : "\(disk) entries"
            rows.append(
                (
                    "disk tier",
                    "\(size) behind the memory of each line, least recently used first; inclusive: a disk hit is copied to "
                        + "memory, exclusive: it moves"
                ))
        }
        if let sample = curve.sample { rows.append(("estimate", described(sample))) }
        if curve.shared > 0 {
            rows.append(
                (
                    "shared fetches",
                    "up to \(Quantity.counted(curve.shared, "hit")) came while the response was under way"
                ))
        }
        rows += notes.map { ("sizes", $0) }
        var text = rows.map { Table.labelled($0.0, $0.1, to: width) }.joined() + "\n"
        if !isComplete { text += "stopped before the end of the trace\n\n" }
        return text + (curve.policies.count == 1 ? columnsOfFigures : columnsOfPolicies(width: width))
    }

    private func described(_ sample: SampleSummary) -> String {
        let worst = curve.points.compactMap { $0.estimate?.error }.max() ?? 0
        return "from \(JSONFields.text((sample.rate * 1e6).rounded() / 1e4)) % of the keys, right within "
            + "\(Quantity.percent(worst)) at every capacity, with 95 % confidence at each"
    }

    private func capacity(_ point: MissRatioCurve.Point) -> String {
        curve.unit == .bytes ? ByteSize(bytes: point.capacity).description : "\(point.capacity)"
    }

    private var columnsOfFigures: String {
        var titles = ["capacity", "hits", "hit ratio", "miss ratio"]
        if curve.sample != nil { titles.append("±") }
        var text = titles.map { $0.leftPadded(to: 12) }.joined()
        text += curve.unit == .bytes ? "byte miss ratio".leftPadded(to: 17) + "\n" : "\n"
        for point in curve.points {
            var ratios = [hitRatio(point), missRatio(point)]
            if let estimate = point.estimate { ratios.append(estimate.error) }
            text += ([capacity(point), "\(point.sum.hits)"] + ratios.map(Quantity.percent)).map {
                $0.leftPadded(to: 12)
            }
            .joined()
            text += curve.unit == .bytes ? Quantity.percent(byteMissRatio(point)).leftPadded(to: 17) + "\n" : "\n"
        }
        return text
    }

    var table: String { table(width: .max) }

    private func columnsOfPolicies(width: Int) -> String {
        let column = curve.policies.map(\.count).reduce(9, max) + 2
        // The capacity has a column, too.
        let most = max(1, width / column - 1)
        let blocks = stride(from: 0, to: max(1, curve.policies.count), by: most).map { first in
            Array(curve.policies[first..<min(first + most, curve.policies.count)])
        }
        func all(_ title: String, _ ratio: (MissRatioCurve.Point) -> Double) -> [String] {
            blocks.map { columns($0, title, ratio, width: column) }
        }
        let hits = all("hit ratio", hitRatio)
        return (curve.unit == .bytes ? hits + all("byte hit ratio", byteHitRatio) : hits).joined(separator: "\n")
    }

    private func columns(
        _ policies: [String], _ title: String, _ ratio: (MissRatioCurve.Point) -> Double, width: Int
    ) -> String {
        var text = "\(title), %\n" + (["capacity"] + policies).map { $0.leftPadded(to: width) }.joined() + "\n"
        for (_, row) in curve.points.grouped(by: \.capacity) {
            let points = policies.map { policy in row.last { $0.policy == policy } }
            let ratios = points.map { $0.map { Quantity.plain((ratio($0) * 1000).rounded() / 10) } ?? "" }
            let first = points.lazy.compactMap { $0 }.first.map(capacity) ?? ""
            text += ([first] + ratios).map { $0.leftPadded(to: width) }.joined() + "\n"
        }
        return text
    }
}
