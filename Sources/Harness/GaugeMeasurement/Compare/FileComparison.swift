import Foundation
import GaugeSupport

/// Compares two files of results, without measuring.
///
/// The two runs didn't alternate, so nothing cancels a change of the machine between them. A row's interval joins both
/// runs' intervals, and is at least as wide as the smallest difference that either run could tell from noise. Runs of
/// different machines or settings get no verdict.
package struct FileComparison {
    package let a: ReportedRun
    package let b: ReportedRun
    package let delta: Double

    package init(_ a: ReportedRun, _ b: ReportedRun, delta: Double) { (self.a, self.b, self.delta) = (a, b, delta) }

    /// The conditions that differ: `processor`.
    package var differences: [String] { RunConditions.differences(a.context, b.context) }

    /// Whether a compared row that is no peer's gave wrong answers, in either file.
    package var hasWrongAnswers: Bool { shared.contains { [$0, $1].contains { !$0.isPeer && $0.wrong > 0 } } }

    /// Whether a compared row that is no peer's failed, in either file.
    package var hasFailures: Bool { shared.contains { [$0, $1].contains { !$0.isPeer && $0.failure != nil } } }

    private var clocks: Double { RunConditions.clocks(a.context, b.context) }

    /// The rows that both files have.
    private var shared: [(ReportedRow, ReportedRow)] {
        var others: [String: ReportedRow] = [:]
        for row in b.rows { others[row.name] = row }
        return a.rows.compactMap { row in others[row.name].map { (row, $0) } }
    }

    package var report: ComparisonReport {
        ComparisonReport(
            titles: (a.name, b.name), rows: shared.map(compare), delta: delta, level: 0.95,
            limits: limits(missing: Set(a.rows.map(\.name)).symmetricDifference(b.rows.map(\.name)).count))
    }

    private func compare(_ row: ReportedRow, _ other: ReportedRow) -> ComparedRow {
        var remarks: [String] = []
        for (name, before, after) in [
            ("instructions", row.instructions, other.instructions), ("allocations", row.allocations, other.allocations),
        ] {
            guard let before, let after, abs(after - before) > max(abs(before) * 1e-4, 0.005) else { continue }
            remarks.append("\(Quantity.many(before)) → \(Quantity.many(after)) \(name)")
        }
        for (side, wrong) in [("A", row.wrong), ("B", other.wrong)] where wrong > 0 {
            remarks.append(ComparedRow.wrongAnswers(of: side, wrong))
        }
        for (side, failure) in [("A", row.failure), ("B", other.failure)] {
            if let failure { remarks.append("\(side) failed: \(failure)") }
        }
        if row.isTypical != other.isTypical {
            return ComparedRow(
                name: row.name, verdict: .inconclusive, times: (row.time, other.time),
                remarks: remarks + ["only one of them saw the machine at full speed"])
        }
        guard let change = row.change(to: other, noise: max(a.noise, b.noise), clocks: clocks) else {
            return ComparedRow(name: row.name, verdict: .inconclusive, remarks: remarks + ["one of them has no time"])
        }
        // A peer's wrong answers are shown beside its time, as when both sides are measured.
        let isTrusted = [row, other].allSatisfy { $0.failure == nil && ($0.isPeer || $0.wrong == 0) }
        let verdict = change.interval.map {
            differences.isEmpty && isTrusted ? JudgingRule.verdict(of: $0, delta: delta) : .inconclusive
        }
        return ComparedRow(
            name: row.name, verdict: verdict ?? .inconclusive, ratio: exp(change.value),
            interval: change.interval.map { exp($0.lowerBound)...exp($0.upperBound) },
            times: (row.time, row.time(of: other, clocks: clocks)),
            remarks: remarks + (verdict == nil ? ["one of them has no interval"] : []))
    }

    private func limits(missing: Int) -> [String] {
        var limits = [
            "Whether the machine was equally fast in both runs: they did not alternate. Compare two builds or "
                + "revisions to measure them side by side.",
            "Whether the layout of the processes, which differs from run to run, is the cause of a small difference.",
        ]
        if !differences.isEmpty {
            limits.insert(
                "Which side is faster: the runs differ in \(differences.joined(separator: ", ")), so no time gets a "
                    + "verdict.", at: 0)
        }
        if let note = RunConditions.clockNote(a.context, b.context) { limits.append(note) }
        return limits + ComparisonReport.limits(missing: missing, of: "files")
    }
}
