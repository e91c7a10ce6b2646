import Foundation
import GaugeSupport

/// The result of a comparison, for people and as JSON.
package struct ComparisonReport {
    package let titles: (a: String, b: String)
    package let rows: [ComparedRow]
    /// The largest relative difference that counts as equivalent.
    package let delta: Double
    /// The level of the intervals: 0.99.
    package let level: Double
    /// What this comparison can't tell, one sentence each.
    package let limits: [String]

    package init(
        titles: (a: String, b: String), rows: [ComparedRow], delta: Double,
        level: Double = 1 - JudgingRule.comparisonError, limits: [String] = []
    ) {
        (self.titles, self.rows, self.delta) = (titles, rows, delta)
        (self.level, self.limits) = (level, limits)
    }

    /// The limit if the sides have different benchmarks; none if `missing` is 0.
    package static func limits(missing: Int, of sides: String) -> [String] {
        guard missing > 0 else { return [] }
        return ["The times of \(missing) benchmarks that only one of the \(sides) has."]
    }

    private var table: Table {
        Table(
            columns: [
                .init("B against A", .left), .init("verdict", .left), .init("time"),
                .init("\(Quantity.plain(level * 100)) %"), .init("A", rank: 1), .init("B", rank: 1),
                .init("sets", rank: 2),
            ], rows: rows.flatMap(Self.lines))
    }

    package func text(width: Int = Table.usualWidth) -> String {
        var text = "A  \(titles.a)\nB  \(titles.b)\n\n" + table.text(width: width)
        for row in rows {
            for remark in row.remarks { text += Table.wrapped("\(row.name): \(remark)", to: width) + "\n" }
        }
        if rows.count == 1, let sentence = Self.sentence(rows[0]) { text += "\n\(sentence)\n" }
        text += "\n\(summary)\n"
        if !limits.isEmpty { text += "\nWhat this comparison cannot tell:\n" }
        for limit in limits { text += Table.wrapped("- \(limit)", to: width) + "\n" }
        return text
    }

    /// `2 rows: 1 worse, 1 equivalent within 0.5 %`, and the tails that got worse or better.
    package var summary: String {
        let counts = Verdict.allCases.compactMap { verdict -> String? in
            let count = rows.count { $0.verdict == verdict }
            guard count > 0 else { return nil }
            let within = verdict == .equivalent ? " within \(Quantity.smallPercent(delta))" : ""
            return "\(count) \(verdict.rawValue)\(within)"
        }
        let tails = rows.flatMap { row in
            row.tails.filter { [.worse, .better].contains($0.verdict) }.map {
                "\($0.figure.name(of: row.name)) \($0.verdict.rawValue)"
            }
        }
        return "\(rows.count) \(rows.count == 1 ? "row" : "rows"): " + counts.joined(separator: ", ")
            + (tails.isEmpty ? "" : "; \(tails.joined(separator: ", "))")
    }

    /// `B ran 9.1 times faster than A (9.0 to 9.2).`
    package static func sentence(_ row: ComparedRow) -> String? {
        guard let ratio = row.ratio, let interval = row.interval, interval.lowerBound > 0 else { return nil }
        let mean = row.face == .undisturbed ? "" : " on average"
        switch row.verdict {
        case .worse:
            return "B ran \(times(ratio)) times slower than A\(mean) "
                + "(\(Quantity.ends(interval, times)))."
        case .better:
            return "B ran \(times(1 / ratio)) times faster than A\(mean) "
                + "(\(times(1 / interval.upperBound)) to \(times(1 / interval.lowerBound)))."
        case .equivalent: return "A and B take the same time\(mean)."
        case .inconclusive where row.differsInSome:
            return "In most processes A and B take the same time, and some are far from them; give it more --seconds."
        case .inconclusive: return "The difference is smaller than this measurement can tell; give it more --seconds."
        }
    }

    private static func times(_ ratio: Double) -> String {
        Quantity.decimal(ratio, ratio < 1.2 ? 3 : ratio < 9.95 ? 2 : 1)
    }

    /// A line for its time, and one for each other figure that got worse or better.
    private static func lines(_ row: ComparedRow) -> [[String]] {
        row.figures.filter { $0.figure == .time || [.worse, .better].contains($0.verdict) }.map { next in
            [
                next.figure.name(of: row.name), next.verdict.rawValue,
                next.ratio.map(Quantity.change(ofRatio:)) ?? Quantity.missing,
                Quantity.ends(next.interval, Quantity.change(ofRatio:)), Quantity.time(next.times.a),
                Quantity.time(next.times.b), row.sets > 0 ? "\(row.sets)" : Quantity.missing,
            ]
        }
    }

    package func json() throws -> String {
        func members(_ next: ComparedRow.Figure) -> [String: JSONValue] {
            var entry = JSONValue.members([
                "ratio": next.ratio, "ratio_low": next.interval?.lowerBound, "ratio_high": next.interval?.upperBound,
                "a_ns": next.times.a, "b_ns": next.times.b,
            ])
            entry["verdict"] = .text(next.verdict.rawValue)
            return entry
        }
        let entries = rows.map { row -> JSONValue in
            var entry = members(row.figures[0])
            entry["name"] = .text(row.name)
            if row.sets > 0 {
                entry["sets"] = .whole(row.sets)
                entry["judged"] = .text(row.face.rawValue)
            }
            for tail in row.tails { entry[tail.figure.rawValue] = .object(members(tail)) }
            if !row.remarks.isEmpty { entry["remarks"] = .list(row.remarks.map { .text($0) }) }
            return .object(entry)
        }
        let document: [String: JSONValue] = [
            "a": .text(titles.a), "b": .text(titles.b), "delta": .number(delta), "level": .number(level),
            "rows": .list(entries), "limits": .list(limits.map { .text($0) }),
        ]
        return try JSONValue.object(document).document()
    }
}
