/// The page of all words in Markdown: stages with their cases, subjects, and what a table and its summary say.
struct WordsPage {
    private let benchmarks: [Benchmark]
    private let words: BenchmarkWords
    private let executable: String

    init(_ benchmarks: [Benchmark], words: BenchmarkWords, executable: String) {
        (self.benchmarks, self.words, self.executable) = (benchmarks, words, executable)
    }

    var text: String {
        let stages = benchmarks.map(\.name.stage).once
        return """
            # Words

            A row is called stage/case/subject: `memory/hit/1k/tiered` is the stage `memory`, the case `hit/1k`, the subject
            `tiered`. All times are of one operation. Numbers in a case count, in the stage `memory`, the entries that are held (`1k`
            is 1,000), in `disk` bytes of a body (`4k` is 4 KiB), in `key-hash` bytes of a key, in `large` bytes of the tier;
            `2-threads` are two threads at once. A case that ends with an outcome, as `zipf-promotion`, has a row for each
            outcome of the case before it. `\(executable) list --format markdown` writes this page.

            ## What a table says

            \(Self.table(TableWords.all.map { ("\($0.word)", $0.line) }))
            ## Outcomes

            \(Self.table(Outcome.allCases.filter { $0 != .computed }.map { ("`\($0.rawValue)`", $0.line) }))
            ## Subjects

            \(Self.table(words.subjects.sorted { $0.key < $1.key }.map { ("`\($0.key)`", $0.value) }))
            \(stages.map(section).joined(separator: "\n"))
            """
    }

    private func section(_ stage: String) -> String {
        let names = benchmarks.filter { $0.name.stage == stage }.map(\.name.case)
        var lines: [(String, String)] = []
        for name in names {
            let parts = words.labelled(name, of: stage)
            let title = parts.labels.isEmpty ? "`\(parts.name)`" : parts.name.isEmpty ? "a number" : "`\(parts.name)/…`"
            if !lines.contains(where: { $0.0 == title }) { lines.append((title, parts.line ?? "")) }
        }
        let about = words.stages[stage].map { "\($0.prefix(1).uppercased())\($0.dropFirst()).\n\n" } ?? ""
        return "## \(stage)\n\n\(about)\(Self.table(lines))"
    }

    private static func table(_ lines: [(String, String)]) -> String {
        "| word | meaning |\n|---|---|\n" + lines.map { "| \($0) | \($1.replacing("|", with: "\\|")) |\n" }.joined()
    }
}
