import Foundation

/// `list`: the names of the benchmarks, and what they mean.
struct ListCommand: GaugeCommand {
    enum Format: String, CaseIterable, Sendable { case text, json, markdown }

    static let filter = CommandOption.text(
        "filter", "REGEX", help: "only benchmarks whose name contains a match of the regular expression")
    static let suite = CommandOption.text(
        "suite", "NAME", help: "only benchmarks of a suite; by default full, which has all but large")
    static let format = CommandOption<Format>.choice(
        "format", help: "names and what they mean, JSON for programs, or the page of all words; text by default")

    static let specification = CommandSpecification(
        name: "list", summary: "Lists the benchmarks, and what their names mean.",
        options: [filter, suite, format],
        notes: [
            """
            A name is stage/case/subject. In text a line begins with the name, and a line that begins with # is about a
            stage or a subject. The page, in Markdown, has a line for each kind of case, and the words of a table.
            """
        ])

    let selection: BenchmarkSelection
    let format: Format

    init(_ arguments: ParsedArguments) throws {
        selection = BenchmarkSelection(filter: arguments[Self.filter], suite: arguments[Self.suite])
        format = arguments[Self.format] ?? .text
    }

    private struct Entry: Encodable {
        let name: String
        let suites: [String]
        let peer: Bool
        let entries: Int?
        let description: String?
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let isWhole = format == .markdown && selection.filter == nil && selection.suite == nil
        let chosen = isWhole ? gauge.benchmarks : try selection.of(gauge.benchmarks)
        switch format {
        case .text:  // For programs, a benchmark has one line.
            let width = console.isOutputTerminal ? console.width : .max
            try console.write(Self.text(chosen, gauge.words, width: width))
        case .markdown:
            try console.write(WordsPage(chosen, words: gauge.words, executable: gauge.executable).text)
        case .json:
            let entries = chosen.map {
                Entry(
                    name: $0.name.description, suites: $0.suites.sorted(), peer: $0.isPeer, entries: $0.entries,
                    description: gauge.words.line(onCase: $0.name.case, of: $0.name.stage))
            }
            try console.write(entries.document())
        }
        return .ok
    }

    /// The benchmarks of each stage below its line, and the subjects at the end.
    private static func text(_ chosen: [Benchmark], _ words: BenchmarkWords, width: Int) -> String {
        func remark(_ name: String, _ line: String) -> String {
            "# " + Table.wrapped("\(name): \(line)", to: width - 2).replacing("\n", with: "\n# ") + "\n"
        }
        let longest = chosen.map { $0.name.description.count }.max() ?? 0
        var (text, stage) = ("", "")
        for benchmark in chosen {
            let name = benchmark.name
            if name.stage != stage, let line = words.stages[name.stage] {
                text += (text.isEmpty ? "" : "\n") + remark(name.stage, line)
            }
            stage = name.stage
            let line = words.line(onCase: name.case, of: stage)
            text += line.map { Table.labelled("\(name)", $0, column: longest + 2, to: width) } ?? "\(name)\n"
        }
        let subjects = chosen.map(\.name.subject).once.compactMap { name in words.subjects[name].map { (name, $0) } }
        if !subjects.isEmpty { text += "\n# subjects\n" }
        return text + subjects.map(remark).joined()
    }
}
