import Foundation
import GaugeMeasurement
import GaugeSupport
import GaugeTraces

/// The report of a miss-ratio curve, as text, JSON or CSV.
package struct CurveReport {
    /// The formats.
    package enum Format: String, CaseIterable, Sendable { case text, json, csv }

    package let curve: MissRatioCurve
    package let trace: String
    /// The lengths of bodies that the trace omits, for people.
    package let assumedSizes: String
    /// The rule by which the simulated caches count and admit entries.
    package let admission: AdmissionRule
    /// The meaning of a size that differs from the one before.
    package let sizeChanges: SizeChanges
    package let format: TraceFormat
    package let isGuessed: Bool
    package let isComplete: Bool
    /// The digest that identifies the trace; `nil` when it was not read to its end.
    package let digest: TraceDigest?
    package let environment: RunEnvironment

    package init(
        curve: MissRatioCurve, trace: String, assumedSizes: String, admission: AdmissionRule = .any,
        sizeChanges: SizeChanges = .version, format: TraceFormat, isGuessed: Bool, isComplete: Bool,
        digest: TraceDigest?, environment: RunEnvironment
    ) {
        self.curve = curve
        self.trace = trace
        self.assumedSizes = assumedSizes
        self.admission = admission
        self.sizeChanges = sizeChanges
        self.format = format
        self.isGuessed = isGuessed
        self.isComplete = isComplete
        self.digest = digest
        self.environment = environment
    }

    package func text(_ form: Format) throws -> String {
        switch form {
        case .text: table + "\n" + environment.footer(digest)
        case .csv: csv
        case .json: try json
        }
    }

    private var table: String {
        var text = "trace           \(trace) (\(format.rawValue)\(isGuessed ? ", recognised by its beginning" : ""))\n"
        text += "requests        \(curve.requests) for \(curve.objects) objects\n"
        switch curve.unit {
        case .entries: text += "caches          LRU by number of entries: exact\n\n"
        case .bytes:
            text += "caches          LRU by bytes, simulated; \(admission)\n"
            if sizeChanges != .version { text += "changed sizes   \(sizeChanges.rawValue)\n" }
            text += "body sizes      \(assumedSizes)\n\n"
        }
        if !isComplete { text += "stopped before the end of the trace\n\n" }
        let hasBytes = curve.unit == .bytes
        text += ["capacity", "hits", "hit ratio", "miss ratio"].map { $0.leftPadded(to: 12) }.joined()
        text += hasBytes ? "byte miss ratio".leftPadded(to: 17) + "\n" : "\n"
        for point in curve.points {
            let capacity = hasBytes ? ByteSize(bytes: point.capacity).description : "\(point.capacity)"
            let values =
                [capacity, "\(point.sum.hits)"]
                + [Double(point.sum.hits) / Double(max(1, curve.requests)), miss(point)].map(Quantity.percent)
            text += values.map { $0.leftPadded(to: 12) }.joined()
            text += hasBytes ? Quantity.percent(byteMiss(point)).leftPadded(to: 17) + "\n" : "\n"
        }
        return text
    }

    private var csv: String {
        let hasBytes = curve.unit == .bytes
        let header = "capacity_\(curve.unit.rawValue),hits,miss_ratio" + (hasBytes ? ",byte_miss_ratio\n" : "\n")
        return header
            + curve.points.map { point in
                "\(point.capacity),\(point.sum.hits),\(miss(point))" + (hasBytes ? ",\(byteMiss(point))\n" : "\n")
            }.joined()
    }

    private var json: String {
        get throws {
            let points = curve.points.map { point in
                var object: [String: JSONValue] = [
                    "capacity": .whole(point.capacity), "hits": .whole(point.sum.hits),
                    "miss_ratio": .number(miss(point)),
                ]
                if curve.unit == .bytes { object["byte_miss_ratio"] = .number(byteMiss(point)) }
                return JSONValue.object(object)
            }
            var document: [String: JSONValue] = [
                "trace": .text(trace), "trace_hash": digest.map { .text($0.text) } ?? .null,
                "trace_bytes": digest.map { .whole($0.count) } ?? .null,
                "environment": .object(environment.members), "trace_format": .text(format.rawValue),
                "trace_format_guessed": .flag(isGuessed), "requests": .whole(curve.requests),
                "objects": .whole(curve.objects), "unit": .text(curve.unit.rawValue), "policy": .text("lru"),
                "exact": .flag(curve.unit == .entries), "complete": .flag(isComplete), "points": .list(points),
            ]
            if curve.unit == .bytes {
                document["body_sizes"] = .text(assumedSizes)
                document["admission"] = .text(admission.description)
                document["size_changes"] = .text(sizeChanges.rawValue)
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(JSONValue.object(document)), as: UTF8.self) + "\n"
        }
    }

    private func miss(_ point: MissRatioCurve.Point) -> Double {
        Double(curve.requests - point.sum.hits) / Double(max(1, curve.requests))
    }

    private func byteMiss(_ point: MissRatioCurve.Point) -> Double {
        Double(curve.requestedBytes - point.sum.bytes) / Double(max(1, curve.requestedBytes))
    }
}
