import GaugeMeasurement
import GaugeSupport

/// Comma-separated values (RFC 4180): a header, then a line for each row. Times are nanoseconds; a field is empty where
/// nothing was measured.
package enum CSVReport {
    private static let columns: [(title: String, value: @Sendable (ResultRow) -> String)] = [
        ("name", { $0.name.description }), ("stage", { $0.name.stage }), ("case", { $0.name.case }),
        ("subject", { $0.name.subject }), ("peer", { $0.isPeer ? "true" : "false" }),
        ("threads", { String($0.threads) }), ("operations", { String($0.operations) }),
        ("minimum_ns", { number($0.minimum) }), ("median_ns", { number($0.median) }),
        ("median_low_ns", { number($0.interval?.lowerBound) }), ("median_high_ns", { number($0.interval?.upperBound) }),
        ("mean_ns", { number($0.mean) }), ("maximum_ns", { number($0.maximum) }),
        ("p90_ns", { number($0.percentile(0.9)?.value) }), ("p99_ns", { number($0.percentile(0.99)?.value) }),
        ("p99.9_ns", { number($0.percentile(0.999)?.value) }), ("p99.99_ns", { number($0.percentile(0.9999)?.value) }),
        ("spread", { number($0.spread) }), ("outliers", { String($0.outliers.high) }),
        ("samples", { String($0.outliers.total) }), ("operations_per_second", { number($0.operationsPerSecond) }),
        ("ratio", { number($0.ratio) }), ("cpu_ns", { number($0.cpu) }),
        ("allocations", { number($0.allocations) }), ("instructions", { number($0.instructions?.perOperation) }),
        ("undisturbed_ns", { number($0.undisturbed?.value) }),
        ("undisturbed_low_ns", { number($0.undisturbed?.interval?.lowerBound) }),
        ("undisturbed_high_ns", { number($0.undisturbed?.interval?.upperBound) }),
        ("over_sets_ns", { number($0.overSets?.value) }),
        ("over_sets_low_ns", { number($0.overSets?.interval?.lowerBound) }),
        ("over_sets_high_ns", { number($0.overSets?.interval?.upperBound) }),
        ("ratio_low", { number($0.ratioInterval?.lowerBound) }),
        ("ratio_high", { number($0.ratioInterval?.upperBound) }), ("sets", { String($0.measuredSets.count) }),
        ("wrong", { String($0.wrong) }), ("failure", { $0.failure?.description ?? "" }),
    ]

    package static func text(_ rows: [ResultRow]) -> String {
        let lines = [columns.map(\.title)] + rows.map { row in columns.map { $0.value(row) } }
        return lines.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    /// The text in quotes if it contains a separator, with its own quotes doubled.
    package static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func number(_ value: Double?) -> String { value.map(Quantity.plain) ?? "" }
}
