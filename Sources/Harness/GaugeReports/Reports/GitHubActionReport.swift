import Foundation
import GaugeMeasurement
import GaugeSupport

/// The format `customSmallerIsBetter` of github-action-benchmark: one point for each row. From Google Benchmark's JSON
/// it would read one for each repetition.
package enum GitHubActionReport {
    package static func text(_ rows: [ResultRow]) throws -> String {
        let entries = rows.compactMap { row -> JSONValue? in
            guard let time = row.undisturbed?.value ?? row.median else { return nil }
            var entry: [String: JSONValue] = [
                "name": .text(row.name.description), "unit": .text("ns/op"), "value": .number(time),
                "extra": .text("operations: \(row.operations)\nthreads: \(row.threads)"),
            ]
            if let error = row.error { entry["range"] = .text("± \(Quantity.plain(error * time))") }
            return .object(entry)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONValue.list(entries)), as: UTF8.self) + "\n"
    }
}
