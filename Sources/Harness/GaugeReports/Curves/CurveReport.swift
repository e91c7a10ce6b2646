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
    package let admission: String
    /// The meaning of a size that differs from the one before.
    package let sizeChanges: SizeChanges
    package let format: TraceFormat
    package let isGuessed: Bool
    package let isComplete: Bool
    /// The digest that identifies the trace; `nil` when it was not read to its end.
    package let digest: TraceDigest?
    package let environment: RunEnvironment
    /// Sentences about the trace's sizes.
    package let notes: [String]

    package init(
        curve: MissRatioCurve, trace: String, assumedSizes: String, admission: String = AdmissionRule.any.description,
        sizeChanges: SizeChanges = .version, format: TraceFormat, isGuessed: Bool, isComplete: Bool,
        digest: TraceDigest?, environment: RunEnvironment, notes: [String] = []
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
        self.notes = notes
    }

    package func text(_ form: Format) throws -> String {
        switch form {
        case .text: table + "\n" + environment.footer(digest)
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

    func hitRatio(_ point: MissRatioCurve.Point) -> Double {
        Double(point.sum.hits) / Double(max(1, curve.requests))
    }

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
