import Foundation

/// What github-action-benchmark takes as `customSmallerIsBetter`: one point a row, where Google Benchmark's JSON would give
/// it one for each repetition.
enum GitHubActionReport {
    static func text(_ rows: [Row]) throws -> String {
        let entries = rows.compactMap { row -> JSONValue? in
            guard let median = row.median else { return nil }
            var entry: [String: JSONValue] = [
                "name": .text(row.name.description), "unit": .text("ns/op"), "value": .number(median),
                "extra": .text("operations: \(row.operations)\nthreads: \(row.threads)"),
            ]
            if let error = row.error { entry["range"] = .text("± \(Quantity.plain(error * median))") }
            return .object(entry)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONValue.list(entries)), as: UTF8.self) + "\n"
    }
}
