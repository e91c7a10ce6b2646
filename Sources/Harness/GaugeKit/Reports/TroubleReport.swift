/// What is said of a benchmark that failed or answered wrongly, beside its row.
enum TroubleReport {
    /// The wrong answers told in full.
    private static let told = 3

    /// Lines of a peer's last words: the message, without a stack that nobody here will look into.
    private static let peerLines = 3

    /// `nil` when nothing went wrong, or nothing that the row does not say.
    static func text(_ result: SubjectResult) -> String? {
        var text = ""
        if let failure = result.failure, !result.lastWords.isEmpty || !result.benchmark.isPeer {
            text += "\(result.benchmark.name) \(failure)\n"
            let lines = result.lastWords.split(separator: "\n")
            text += indented(lines.prefix(result.benchmark.isPeer ? peerLines : lines.count))
        }
        // A peer's are counted in its row: what it does wrong is known, and not ours to debug.
        if result.wrong > 0 && !result.benchmark.isPeer {
            text += "\(result.benchmark.name) gave \(result.wrong) wrong answers\n"
            var answers: [WrongAnswer] = []
            for answer in result.wrongAnswers where !answers.contains(answer) { answers.append(answer) }
            for answer in answers.prefix(told) {
                text += indented(["key \(answer.key): expected \(answer.expected), got \(answer.got)"])
                text += indented(answer.history.map { "  " + $0 })
            }
        }
        return text.isEmpty ? nil : text
    }

    private static func indented(_ lines: some Sequence<some StringProtocol>) -> String {
        lines.map { "    \($0)\n" }.joined()
    }
}
