import Foundation
import GaugeSupport

/// A run that was read from a file: one of those on a page, or a side of a comparison.
package struct ReportedRun {
    /// `A`, `B`, … on a page of several runs; otherwise empty.
    package let letter: String
    /// Its file; empty if unknown.
    package let name: String
    package let context: JSONValue
    package let rows: [ReportedRow]

    package init(letter: String = "", name: String = "", context: JSONValue, rows: [ReportedRow]) {
        (self.letter, self.name, self.context, self.rows) = (letter, name, context, rows)
    }

    /// Reads JSON that `run` wrote.
    package init(path: String) throws {
        guard case .run(let context, let rows) = try ResultDocument(path: path) else {
            throw GaugeError("\(path) has no times; name a file that run wrote with --json")
        }
        self.init(name: path, context: context, rows: rows)
    }

    /// Only the rows with these names.
    package func keeping(_ names: Set<String>) -> ReportedRun {
        ReportedRun(letter: letter, name: name, context: context, rows: rows.filter { names.contains($0.name) })
    }

    /// The smallest relative difference that the run could tell from noise.
    var noise: Double { context["noise"]?["smallest_difference"]?.double ?? 0 }

    /// The title of a plot: `disk/hit/4k`, or `disk/hit/4k, B`.
    package func title(_ group: String) -> String { letter.isEmpty ? group : "\(group), \(letter)" }

    /// `A: first.json`, as far as known.
    package var heading: String { [letter, name].filter { !$0.isEmpty }.joined(separator: ": ") }

    /// The rows of all runs by the result of `key`, in the order of first appearance, so that the runs of a case are
    /// side by side. Rows without a key are left out.
    package static func grouped(
        _ runs: [ReportedRun], by key: (ReportedRow) -> String?
    ) -> [(name: String, parts: [(run: ReportedRun, rows: [ReportedRow])])] {
        runs.flatMap { run in
            run.rows.compactMap { row in key(row).map { ($0, row) } }.grouped { $0.0 }
                .map { (name: $0, part: (run: run, rows: $1.map(\.1))) }
        }.grouped(by: \.name).map { ($0, $1.map(\.part)) }
    }

    /// A case's rows by subject, in the order of first appearance, and in the order of the runs.
    package static func bySubject(
        _ parts: [(run: ReportedRun, rows: [ReportedRow])]
    ) -> [(subject: String, rows: [(run: ReportedRun, row: ReportedRow)])] {
        parts.flatMap { part in part.rows.map { (run: part.run, row: $0) } }.grouped(by: \.row.subject)
            .map { ($0, $1) }
    }

    package static func letter(_ index: Int, of count: Int) -> String {
        guard count > 1 else { return "" }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return index < letters.count ? String(letters[index]) : "run \(index + 1)"
    }
}
