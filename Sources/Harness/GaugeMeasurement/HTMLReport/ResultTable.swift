import Foundation
import GaugeSupport

package enum ResultTable {
    package static func html(_ parts: [(run: ReportedRun, rows: [ReportedRow])]) -> String {
        let all = ReportedRun.bySubject(parts).flatMap(\.rows)
        let hasInstructions = all.contains { $0.row.instructions != nil }
        let titles = ["subject", "time", "±95 %", "typical", "p99", "ops/s", "ratio", "allocs"]
        let columns = (titles + (hasInstructions ? ["instructions"] : []) + ["wrong"]).map { Table.Column($0) }
        let lines = all.map { run, row in
            var cells = [
                run.title(row.subject), (row.isTypical ? ResultRow.slowMark : "") + Quantity.time(row.time),
                Quantity.spread(row.time.flatMap { Estimate($0, in: row.timeInterval).error }),
                Quantity.time(row.median), Quantity.time(row.p99),
                Quantity.rate(row.operationsPerSecond),
                (row.isRatioMarked ? ResultRow.slowMark : "") + Quantity.ratio(row.ratio),
                Quantity.each(row.allocations),
            ]
            if hasInstructions { cells.append(Quantity.many(row.instructions)) }
            cells.append("\(row.wrong)")
            let failure = row.median == nil ? row.failure : nil
            return Table.Row(cells, span: failure, style: row.isPeer && failure == nil ? .quiet : .plain)
        }
        let isMarked = all.contains { $0.row.isTypical || $0.row.isRatioMarked }
        let words = "marks a typical time, or a ratio from slices that were slowed alike"
        let note = isMarked ? "<p>\(ResultRow.slowMark) \(words).</p>\n" : ""
        return Table(columns: columns, rows: lines).html() + note
    }
}

/// The times of several runs side by side, and how the last differs from the first.
package enum RunComparison {
    /// With more rows than this, unchanged ones fold.
    private static let most = 40

    /// The section; empty if the runs share no benchmark with a time.
    package static func html(_ runs: [ReportedRun]) -> String {
        guard let first = runs.first, let last = runs.last, runs.count > 1 else { return "" }
        let byName = runs.map { run in Dictionary(run.rows.map { ($0.name, $0) }) { $1 } }
        let clocks = runs.map { RunConditions.clocks(first.context, $0.context) }
        let comparison = FileComparison(first, last, delta: 0)
        let differences = comparison.differences
        let lines = comparison.report.rows.compactMap { row -> (cells: [String], verdict: String?)? in
            guard row.times.a != nil, row.times.b != nil, let own = byName[0][row.name] else { return nil }
            let times = runs.indices.map { place in
                byName[place][row.name].map {
                    ($0.isTypical ? ResultRow.slowMark : "") + Quantity.time(own.time(of: $0, clocks: clocks[place]))
                } ?? Quantity.missing
            }
            let verdict = [.worse, .better].contains(row.verdict) ? row.verdict.rawValue : nil
            let change = row.ratio.map(Quantity.change(ofRatio:)) ?? Quantity.missing
            let ends = Quantity.ends(row.interval, Quantity.change(ofRatio:))
            return ([row.name] + times + [change, ends, verdict ?? Verdict.inconclusive.rawValue], verdict)
        }
        guard !lines.isEmpty else { return "" }
        let (a, b) = (first.letter, last.letter)
        let note =
            differences.isEmpty
            ? "" : " The runs differ in \(differences.joined(separator: ", ")), so no time gets a verdict."
        let titles =
            ["benchmark"] + runs.map { $0.name.isEmpty ? "\($0.letter), time" : $0.heading }
            + ["\(b) against \(a)", "95 %", "verdict"]
        func table(_ lines: [(cells: [String], verdict: String?)]) -> String {
            Table(columns: titles.map { Table.Column($0) }, rows: lines.map(\.cells))
                .html { row, column in column == titles.count - 1 ? lines[row].verdict : nil }
        }
        let changed = lines.filter { $0.verdict != nil }
        let tables =
            lines.count <= most
            ? table(lines)
            : (changed.isEmpty ? "" : table(changed))
                + "<details><summary>all \(lines.count) rows</summary>\(table(lines))</details>\n"
        let counts = ["worse", "better"].map { word in "\(lines.count { $0.verdict == word }) \(word)" }
        return """
            <section id="trend">
            <h2>\(b) against \(a)</h2>
            <p>\(counts.joined(separator: ", ")), \(lines.count - changed.count) inconclusive: the interval includes no change, or
            the times do not compare. The runs did not alternate: a change of the machine between them is not in the
            intervals. The command compare measures two builds side by side.\(note)</p>
            \(tables)\
            </section>

            """
    }
}

/// The machine of a run, folded, and its warnings.
package enum MachineBox {
    /// - Parameter isLatest: whether its warnings are seen at once. Those of many runs would take the whole screen.
    package static func html(_ run: ReportedRun, isLatest: Bool = true) -> String {
        let context = run.context
        func text(_ key: String) -> String? { context[key]?.string }
        func size(_ key: String) -> String? {
            context[key]?.double.map { ByteSize(bytes: Int(clamping: Int64(max(0, min($0, 9e18))))).description }
        }
        var revision = text("git_revision").map { String($0.prefix(12)) }
        if let known = revision, context["git_dirty"]?.flag == true { revision = known + " with changes" }
        let preloaded = (context["preloaded"]?.elements ?? []).compactMap(\.string)
        let facts: [(String, String?)] = [
            ("processor", text("cpu_model")), ("processors", context["num_cpus"]?.double.map(Quantity.plain)),
            ("kernel", text("kernel")), ("file system", text("file_system")), ("Swift", text("swift_version")),
            ("build", text("library_build_type")), ("revision", revision), ("date", text("date")),
            ("preloaded", preloaded.isEmpty ? nil : preloaded.joined(separator: ", ")),
            ("seed", text("seed")), ("memory tier", size("memory_capacity")), ("disk tier", size("disk_capacity")),
            ("workload", text("workload").flatMap { $0.isEmpty ? nil : $0 }),
            ("steal", context["noise"]?["stolen_part"]?.double.map(Quantity.percent)),
            ("smallest detectable difference", context["noise"]?["smallest_difference"]?.double.map(Quantity.percent)),
        ]
        let list = facts.compactMap { name, value in
            value.map { "<div><dt>\(name)</dt><dd>\(HTMLText.escaped($0))</dd></div>" }
        }
        let warnings = (context["noise"]?["warnings"]?.elements ?? []).compactMap(\.string).map(warning)
        let title = [run.heading.isEmpty ? "machine" : run.heading, text("cpu_model"), revision, text("date")]
        return "<details><summary>\(HTMLText.escaped(title.compactMap(\.self).joined(separator: ", ")))</summary>"
            + "<dl>\(list.joined())</dl>"
            + (isLatest ? "</details>\n" + warnings.joined() : warnings.joined() + "</details>\n")
    }

    /// A longer warning folds, in characters.
    private static let longest = 240

    /// Folds a long list of benchmarks after its first ones.
    private static func warning(_ text: String) -> String {
        let whole = HTMLText.escaped(text)
        guard text.count > longest else { return "<p class=\"warning\">\(whole)</p>\n" }
        let start = text.prefix(longest / 2)
        let end = start.range(of: ", ", options: .backwards)?.lowerBound ?? start.endIndex
        return "<details class=\"warning\"><summary>\(HTMLText.escaped(String(start[..<end]))), …</summary>"
            + "<p>\(whole)</p></details>\n"
    }
}
