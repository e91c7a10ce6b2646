import Foundation
import GaugeSupport

/// The result of a comparison, for people and as JSON.
package struct ComparisonReport {
    /// The names of both sides.
    package let titles: (a: String, b: String)
    package let rows: [ComparedRow]
    /// The largest relative difference that counts as equivalent.
    package let delta: Double
    /// The level of the intervals: 0.99.
    package let level: Double
    /// What this comparison cannot tell, one sentence each.
    package let limits: [String]

    package init(
        titles: (a: String, b: String), rows: [ComparedRow], delta: Double, level: Double = 1 - PairedVerdict.error,
        limits: [String] = []
    ) {
        self.titles = titles
        self.rows = rows
        self.delta = delta
        self.level = level
        self.limits = limits
    }

    /// The limit of a comparison whose sides have other benchmarks; none when `missing` is 0.
    package static func limits(missing: Int, of sides: String) -> [String] {
        guard missing > 0 else { return [] }
        return ["The times of \(missing) benchmarks that only one of the \(sides) has."]
    }

    package var text: String {
        var text = "A  \(titles.a)\nB  \(titles.b)\n\n"
        let table = [["B against A", "verdict", "time", "\(Quantity.plain(level * 100)) %", "A", "B", "sets"]]
        text += Self.aligned(table + rows.map(Self.cells))
        for row in rows {
            for remark in row.remarks { text += "\(row.name): \(remark)\n" }
        }
        if rows.count == 1, let sentence = Self.sentence(rows[0]) { text += "\n\(sentence)\n" }
        text += "\n\(summary)\n"
        if !limits.isEmpty { text += "\nWhat this comparison cannot tell:\n" }
        for limit in limits { text += "- \(limit)\n" }
        return text
    }

    /// `2 rows: 1 slower, 1 equivalent within 0.5 %`.
    package var summary: String {
        let counts = PairedVerdict.Kind.allCases.compactMap { kind -> String? in
            let count = rows.count { $0.kind == kind }
            guard count > 0 else { return nil }
            let within = kind == .equivalent ? " within \(TimeReport.percent(delta, isSigned: false))" : ""
            return "\(count) \(kind.rawValue)\(within)"
        }
        return "\(rows.count) \(rows.count == 1 ? "row" : "rows"): " + counts.joined(separator: ", ")
    }

    /// `B ran 9.1 times faster than A (9.0 to 9.2).`
    package static func sentence(_ row: ComparedRow) -> String? {
        guard let ratio = row.ratio, let interval = row.interval, interval.lowerBound > 0 else { return nil }
        switch row.kind {
        case .slower:
            return "B ran \(times(ratio)) times slower than A "
                + "(\(times(interval.lowerBound)) to \(times(interval.upperBound)))."
        case .faster:
            return "B ran \(times(1 / ratio)) times faster than A "
                + "(\(times(1 / interval.upperBound)) to \(times(1 / interval.lowerBound)))."
        case .equivalent: return "A and B take the same time."
        case .inconclusive: return "The difference is smaller than this measurement can tell; give it more --seconds."
        }
    }

    private static func times(_ ratio: Double) -> String {
        Quantity.decimal(ratio, ratio < 1.2 ? 3 : ratio < 9.95 ? 2 : 1)
    }

    private static func cells(_ row: ComparedRow) -> [String] {
        let change = row.ratio.map(change) ?? Quantity.missing
        let interval = row.interval.map { "\(Self.change($0.lowerBound)) to \(Self.change($0.upperBound))" }
        return [
            row.name, row.kind.rawValue, change, interval ?? Quantity.missing, Quantity.time(row.times.a),
            Quantity.time(row.times.b), row.sets > 0 ? "\(row.sets)" : Quantity.missing,
        ]
    }

    /// `+1.0 %`, or `6.93×` from twice or half the time.
    private static func change(_ ratio: Double) -> String {
        (0.5...2).contains(ratio) ? TimeReport.percent(ratio - 1) : Quantity.ratio(ratio)
    }

    private static func aligned(_ table: [[String]]) -> String {
        let widths = table[0].indices.map { column in table.reduce(0) { max($0, $1[column].count) } }
        return table.map { line in
            zip(line, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < 2 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ") + "\n"
        }.joined()
    }

    package func json() throws -> String {
        let entries = rows.map { row -> JSONValue in
            var entry: [String: JSONValue] = ["name": .text(row.name), "verdict": .text(row.kind.rawValue)]
            let numbers: [String: Double?] = [
                "ratio": row.ratio, "ratio_low": row.interval?.lowerBound, "ratio_high": row.interval?.upperBound,
                "a_ns": row.times.a, "b_ns": row.times.b,
            ]
            for case (let key, let value?) in numbers { entry[key] = .number(value) }
            if row.sets > 0 { entry["sets"] = .whole(row.sets) }
            if !row.remarks.isEmpty { entry["remarks"] = .list(row.remarks.map { .text($0) }) }
            return .object(entry)
        }
        let document: [String: JSONValue] = [
            "a": .text(titles.a), "b": .text(titles.b), "delta": .number(delta), "level": .number(level),
            "rows": .list(entries), "limits": .list(limits.map { .text($0) }),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONValue.object(document)), as: UTF8.self) + "\n"
    }
}
