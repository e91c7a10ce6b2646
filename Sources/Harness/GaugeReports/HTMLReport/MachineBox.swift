import Foundation
import GaugeSupport

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
