/// What is said of a benchmark that failed or answered wrongly, beside its row.
enum TroubleReport {
    /// The wrong answers told in full.
    private static let told = 3

    /// `nil` when nothing went wrong, or nothing that the row does not say.
    static func text(_ result: SubjectResult) -> String? {
        var text = ""
        if let failure = result.failure {
            text += "\(result.benchmark.name) \(failure)\n"
            if !result.lastWords.isEmpty { text += indented(result.lastWords) }
        }
        // A peer's are counted in its row: what it does wrong is known, and not ours to debug.
        if result.wrong > 0 && !result.benchmark.isPeer {
            text += "\(result.benchmark.name) gave \(result.wrong) wrong answers\n"
            for answer in result.wrongAnswers.prefix(told) {
                text += indented("key \(answer.key): expected \(answer.expected), got \(answer.got)")
                for event in answer.history { text += indented("  " + event) }
            }
        }
        return text.isEmpty ? nil : text
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "    \($0)\n" }.joined()
    }
}
