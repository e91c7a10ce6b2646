import Foundation
import GaugeMeasurement
import GaugeSupport
import GaugeTraces

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
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(JSONValue.object(document)), as: UTF8.self) + "\n"
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
        }
        return .object(members)
    }
}
