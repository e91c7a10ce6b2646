import Foundation
import GaugeSupport
import Platform

/// Reports to a GitHub Actions job beside the exit code: annotations by workflow commands on standard output, and a
/// summary in the file that the runner names.
package struct GitHubActions {
    private let console: Console
    private let summaryPath: String?

    /// The most annotations of a kind that GitHub shows for a step.
    package static let mostAnnotations = 10

    /// `nil` outside GitHub Actions.
    package init?(console: Console, environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard environment["GITHUB_ACTIONS"] == "true" else { return nil }
        self.console = console
        summaryPath = environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
    }

    package func tell(_ decision: GateDecision, markdown: String) throws {
        try tell(annotations: Self.annotations(decision), markdown: markdown)
    }

    /// Writes these annotations, and appends to the summary.
    package func tell(annotations: [String], markdown: String) throws {
        for line in annotations { try console.write(line + "\n") }
        guard let summaryPath else { return }
        let descriptor = open(summaryPath, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            console.note("warning: \(summaryPath) cannot be written: \(SystemError.last)\n")
            return
        }
        defer { close(descriptor) }
        do {
            try writeAll(markdown.utf8, to: descriptor)
        } catch {
            console.note("warning: \(summaryPath) cannot be written: \(error)\n")
        }
    }

    /// An error for each benchmark that fails or got worse, each missing required metric, and each improvement if that
    /// decides, and a warning for all missing verdicts.
    package static func annotations(_ decision: GateDecision) -> [String] {
        let failed = decision.failures.map { command("error", title: "\($0.benchmark) fails", $0.reason) }
        let regressed = decision.comparisons.compactMap { comparison -> String? in
            guard var message = changes(comparison, .worse) else { return nil }
            if let cause = comparison.causes.first {
                message += "\nmost of it in \(cause.name): \(GateTable.signed(cause.change)) instructions"
            }
            return command("error", title: "\(comparison.benchmark) regressed", message)
        }
        let improved =
            decision.exitCode != .improvement
            ? []
            : decision.comparisons.compactMap { comparison in
                changes(comparison, .better).map {
                    command("error", title: "\(comparison.benchmark) got better", "\($0)\n\(GateDecision.improved)")
                }
            }
        let missing = decision.missing.map { command("error", title: "not compared", $0) }
        var warnings: [String] = []
        let open = decision.unstable + decision.incomparable
        if !open.isEmpty {
            let lines = open.map { "\($0.benchmark) \($0.line.metric.name): \($0.line.verdict.title)" }
            warnings = [command("warning", title: GateDecision.notGated(open.count), lines.joined(separator: "\n"))]
        }
        return failed.prefix(mostAnnotations) + regressed.prefix(mostAnnotations) + missing.prefix(mostAnnotations)
            + improved.prefix(mostAnnotations) + warnings
    }

    /// The counts of a verdict, one a line; `nil` if there are none.
    private static func changes(_ comparison: CountComparison, _ verdict: CountVerdict) -> String? {
        let lines = comparison.lines.filter { $0.verdict == verdict }
        guard !lines.isEmpty else { return nil }
        return lines.map { line in
            let counts = GateTable.counts(line)
            return "\(line.metric.name) \(counts.base) → \(counts.head)"
                + (line.change.map { " (\(GateTable.percent($0)))" } ?? "")
        }.joined(separator: "\n")
    }

    /// `::error title=…::…`, with characters escaped that would end a property or the command.
    package static func command(_ name: String, title: String, _ message: String) -> String {
        "::\(name) title=\(escapedProperty(title))::\(escapedData(message))"
    }

    private static func escapedData(_ text: String) -> String {
        // Iterate over scalars: CR followed by LF is one character.
        String(
            text.unicodeScalars.map { scalar in
                switch scalar {
                case "%": "%25"
                case "\r": "%0D"
                case "\n": "%0A"
                default: String(scalar)
                }
            }.joined())
    }

    private static func escapedProperty(_ text: String) -> String {
        escapedData(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
