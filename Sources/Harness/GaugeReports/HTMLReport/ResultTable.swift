import Foundation
import GaugeMeasurement
import GaugeSupport

/// A table of all rows with their figures.
package enum ResultTable {
    package static func html(_ run: ReportedRun) -> String {
        let rows = run.rows
        guard !rows.isEmpty else { return "" }
        let hasInstructions = rows.contains { $0.instructions != nil }
        let titles = ["benchmark", "time", "±95 %", "typical", "p99", "ops/s", "ratio", "allocs"]
        let columns = (titles + (hasInstructions ? ["instructions"] : []) + ["wrong"]).map { Table.Column($0) }
        let lines = rows.map { row in
            var cells = [
                row.name, (row.isTypical ? ResultRow.slowMark : "") + Quantity.time(row.time),
                Quantity.spread(error(row)), Quantity.time(row.median), Quantity.time(row.p99),
                Quantity.rate(row.operationsPerSecond),
                (row.isRatioTypical ? ResultRow.slowMark : "") + Quantity.ratio(row.ratio),
                Quantity.each(row.allocations),
            ]
            if hasInstructions { cells.append(Quantity.many(row.instructions)) }
            cells.append("\(row.wrong)")
            let failure = row.median == nil ? row.failure : nil
            return Table.Row(cells, span: failure, style: row.isPeer && failure == nil ? .quiet : .plain)
        }
        let note =
            rows.contains { $0.isTypical || $0.isRatioTypical }
            ? " \(ResultRow.slowMark) marks a typical time, which was too rarely undisturbed, or a ratio of such times."
            : ""
        return """
            <section id="\(HTMLText.escaped(run.tableName))">
            <h2>\(run.title("All rows"))</h2>
            <p>The time of an operation and its 95 % interval; then the typical time, the slow phases of the machine included.
            A peer's ratio is its time over that of the cache under test.\(note)</p>
            \(Table(columns: columns, rows: lines).html())\
            </section>

            """
    }

    private static func error(_ row: ReportedRow) -> Double? {
        guard let time = row.time, let interval = row.timeInterval, time > 0 else { return nil }
        return max(interval.upperBound - time, time - interval.lowerBound) / time
    }
}

/// The times of two runs side by side, on a page with several.
package enum RunComparison {
    /// The section of the second run; empty when the two share no benchmark with a time.
    package static func html(_ first: ReportedRun, _ second: ReportedRun) -> String {
        var others: [String: ReportedRow] = [:]
        for row in second.rows { others[row.name] = row }
        let noise = max(first.noise, second.noise)
        let clocks = RunConditions.clocks(first.context, second.context)
        let differences = RunConditions.differences(first.context, second.context)
        var verdicts: [String] = []
        let lines = first.rows.compactMap { row -> [String]? in
            guard let other = others[row.name], let change = row.change(to: other, noise: noise, clocks: clocks) else {
                return nil
            }
            let ends = change.interval.map { "\(percent($0.lowerBound)) to \(percent($0.upperBound))" }
            let isFair = differences.isEmpty && row.isTypical == other.isTypical
            let kind = change.interval.flatMap { interval in
                !isFair ? nil : interval.lowerBound > 0 ? "worse" : interval.upperBound < 0 ? "better" : nil
            }
            verdicts.append(kind ?? "")
            return [
                row.name, time(row), mark(other) + Quantity.time(row.time(of: other, clocks: clocks)),
                percent(change.value), ends ?? Quantity.missing, kind ?? "inconclusive",
            ]
        }
        guard !lines.isEmpty else { return "" }
        let (a, b) = (first.letter, second.letter)
        let note =
            differences.isEmpty
            ? "" : " The runs differ in \(differences.joined(separator: ", ")), so no time gets a verdict."
        let titles = ["benchmark", "\(a), time", "\(b), time", "\(b) against \(a)", "95 %", "verdict"]
        let table = Table(columns: titles.map { Table.Column($0) }, rows: lines)
        return """
            <section id="comparison-\(b.replacing(" ", with: "-"))">
            <h2>\(b) against \(a)</h2>
            <p>The two runs did not alternate: a change of the machine between them is not in the intervals. The command
            compare measures two builds side by side. Inconclusive: the interval includes no change, or the times do not
            compare.\(note)</p>
            \(table.html { row, column in column == titles.count - 1 && !verdicts[row].isEmpty ? verdicts[row] : nil })\
            </section>

            """
    }

    private static func time(_ row: ReportedRow) -> String { mark(row) + Quantity.time(row.time) }

    private static func mark(_ row: ReportedRow) -> String { row.isTypical ? ResultRow.slowMark : "" }

    private static func percent(_ logarithm: Double) -> String {
        let part = exp(logarithm)
        return part.isFinite && part < 100 ? Quantity.change(part - 1) : Quantity.ratio(part.isFinite ? part : 0)
    }
}

/// The machine of a run, folded, and its warnings.
package enum MachineBox {
    package static func html(_ run: ReportedRun) -> String {
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
        let title = [run.letter.isEmpty ? "machine" : run.letter, text("cpu_model"), revision, text("date")]
        return "<details><summary>\(HTMLText.escaped(title.compactMap(\.self).joined(separator: ", ")))</summary>"
            + "<dl>\(list.joined())</dl></details>\n" + warnings.joined()
    }

    /// A warning of more characters folds.
    private static let longest = 240

    /// A long list of benchmarks folds after its first ones.
    private static func warning(_ text: String) -> String {
        let whole = HTMLText.escaped(text)
        guard text.count > longest else { return "<p class=\"warning\">\(whole)</p>\n" }
        let start = text.prefix(longest / 2)
        let end = start.range(of: ", ", options: .backwards)?.lowerBound ?? start.endIndex
        return "<details class=\"warning\"><summary>\(HTMLText.escaped(String(start[..<end]))), …</summary>"
            + "<p>\(whole)</p></details>\n"
    }
}
