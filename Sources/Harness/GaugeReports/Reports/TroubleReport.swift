import GaugeMeasurement

/// The note on a benchmark that failed or answered wrongly.
package enum TroubleReport {
    /// The most wrong answers that are described in full.
    private static let told = 3

    /// The most lines of a peer's standard error: the message, without its stack trace.
    private static let peerLines = 3

    /// The note; `nil` when nothing went wrong, or when the row already says it.
    package static func text(_ result: BenchmarkMeasurements) -> String? {
        var text = ""
        if let failure = result.failure, !result.lastWords.isEmpty || !result.benchmark.isPeer {
            text += "\(result.benchmark.name) \(failure)\n"
            let lines = result.lastWords.split(separator: "\n")
            text += indented(lines.prefix(result.benchmark.isPeer ? peerLines : lines.count))
        }
        // A peer's wrong answers are only counted in its row: they are known, and not ours to debug.
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
