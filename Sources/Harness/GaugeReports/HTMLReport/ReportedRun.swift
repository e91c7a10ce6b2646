import GaugeSupport

/// One run on a page, which may have several.
package struct ReportedRun {
    /// `A`, `B`, …; empty when the page has one run.
    package let letter: String
    package let context: JSONValue
    package let rows: [ReportedRow]

    /// The smallest relative difference that the run could tell from noise.
    package var noise: Double { context["noise"]?["smallest_difference"]?.double ?? 0 }

    /// The title of a plot: `disk/hit/4k`, or `disk/hit/4k, B`.
    package func title(_ group: String) -> String { letter.isEmpty ? group : "\(group), \(letter)" }

    /// The identifier of the table of its rows.
    package var tableName: String { letter.isEmpty ? "table" : "table-\(letter.replacing(" ", with: "-"))" }

    /// The rows of all runs by the result of `key`, in the order of first appearance, so that the runs of a case are side
    /// by side. Rows without a key are omitted.
    package static func grouped(
        _ runs: [ReportedRun], by key: (ReportedRow) -> String?
    ) -> [(name: String, parts: [(run: ReportedRun, rows: [ReportedRow])])] {
        var order: [String] = []
        var groups: [String: [(run: ReportedRun, rows: [ReportedRow])]] = [:]
        for run in runs {
            var rows: [String: [ReportedRow]] = [:]
            for row in run.rows {
                guard let name = key(row) else { continue }
                if groups[name] == nil {
                    order.append(name)
                    groups[name] = []
                }
                rows[name, default: []].append(row)
            }
            for (name, rows) in rows { groups[name]?.append((run, rows)) }
        }
        return order.compactMap { name in groups[name].map { (name, $0) } }
    }

    /// The rows of a case by subject, in the order of first appearance; each subject's rows in the order of the runs.
    package static func bySubject(
        _ parts: [(run: ReportedRun, rows: [ReportedRow])]
    ) -> [(subject: String, rows: [(run: ReportedRun, row: ReportedRow)])] {
        var order: [String] = []
        var rows: [String: [(run: ReportedRun, row: ReportedRow)]] = [:]
        for part in parts {
            for row in part.rows {
                if rows[row.subject] == nil { order.append(row.subject) }
                rows[row.subject, default: []].append((part.run, row))
            }
        }
        return order.compactMap { subject in rows[subject].map { (subject, $0) } }
    }

    /// The letters of so many runs.
    package static func letter(_ index: Int, of count: Int) -> String {
        guard count > 1 else { return "" }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return index < letters.count ? String(letters[index]) : "run \(index + 1)"
    }
}
