/// The output of `baseline list` and `baseline read`.
package enum BaselineReport {
    package static func list(_ folder: BaselineFolder) throws -> String {
        var text = ""
        for name in folder.names() {
            guard let baseline = try folder.load(name) else { continue }
            text += "\(name)\n" + baseline.entries.map { heading($0, margin: "    ") }.joined()
        }
        return text.isEmpty ? "no baselines in \(folder.path)\n" : text
    }

    package static func text(_ baseline: Baseline) -> String {
        baseline.entries.map { entry in
            let rows = entry.figures.sorted { $0.key < $1.key }.flatMap { benchmark, values in
                Metric.all.compactMap { metric in
                    values[metric.name].map { (benchmark, metric.name, GateTable.number($0.mean)) }
                }
            }
            let first = rows.reduce(0) { max($0, $1.0.count) }
            let second = rows.reduce(0) { max($0, $1.1.count) }
            return heading(entry, margin: "")
                + rows.map { benchmark, metric, value in
                    let left = benchmark + String(repeating: " ", count: first - benchmark.count)
                    return "\(left)  \(metric + String(repeating: " ", count: second - metric.count))  \(value)\n"
                }.joined()
        }.joined(separator: "\n")
    }

    private static func heading(_ entry: Baseline.Entry, margin: String) -> String {
        "\(margin)\(shown(entry.key.description))\n"
            + "\(margin)\(entry.count) figures, \(shown(entry.date)), revision \(shown(entry.revision)): \(shown(entry.reason))\n"
    }

    /// The text without terminal control characters.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
