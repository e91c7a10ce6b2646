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
    /// What this comparison can't tell, one sentence each.
    package let limits: [String]

    package init(
        titles: (a: String, b: String), rows: [ComparedRow], delta: Double,
        level: Double = 1 - JudgingRule.comparisonError, limits: [String] = []
    ) {
        self.titles = titles
        self.rows = rows
        self.delta = delta
        self.level = level
        self.limits = limits
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
        case .inconclusive: return "The difference is smaller than this measurement can tell; give it more --seconds."
        }
    }

    private static func times(_ ratio: Double) -> String {
        Quantity.decimal(ratio, ratio < 1.2 ? 3 : ratio < 9.95 ? 2 : 1)
    }

    private static func lines(_ row: ComparedRow) -> [[String]] {
        func cells(
            _ name: String, _ verdict: Verdict, _ ratio: Double?, _ interval: ClosedRange<Double>?,
            _ times: (a: Double?, b: Double?), sets: Int
        ) -> [String] {
            [
                name, verdict.rawValue, ratio.map(Quantity.change(ofRatio:)) ?? Quantity.missing,
                Quantity.ends(interval, Quantity.change(ofRatio:)), Quantity.time(times.a), Quantity.time(times.b),
                sets > 0 ? "\(sets)" : Quantity.missing,
            ]
        }
        return [cells(row.name, row.verdict, row.ratio, row.interval, row.times, sets: row.sets)]
            + row.tails.filter { [.worse, .better].contains($0.verdict) }.map {
                cells($0.figure.name(of: row.name), $0.verdict, $0.ratio, $0.interval, $0.times, sets: row.sets)
            }
    }

    package func json() throws -> String {
        func figures(
            _ verdict: Verdict, _ ratio: Double?, _ interval: ClosedRange<Double>?, _ times: (a: Double?, b: Double?)
        ) -> [String: JSONValue] {
            var entry = JSONValue.members([
                "ratio": ratio, "ratio_low": interval?.lowerBound, "ratio_high": interval?.upperBound,
                "a_ns": times.a, "b_ns": times.b,
            ])
            entry["verdict"] = .text(verdict.rawValue)
            return entry
        }
        let entries = rows.map { row -> JSONValue in
            var entry = figures(row.verdict, row.ratio, row.interval, row.times)
            entry["name"] = .text(row.name)
            if row.sets > 0 {
                entry["sets"] = .whole(row.sets)
                entry["judged"] = .text(row.face.rawValue)
            }
            for tail in row.tails {
                entry[tail.figure.rawValue] = .object(figures(tail.verdict, tail.ratio, tail.interval, tail.times))
            }
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
