import Foundation
import GaugeSupport

package struct GateDecision: Equatable, Sendable {
    package let comparisons: [CountComparison]
    package let failures: [Failure]
    package var conditions: Conditions

    package init(comparisons: [CountComparison], failures: [Failure] = [], conditions: Conditions = Conditions()) {
        (self.comparisons, self.failures, self.conditions) = (comparisons, failures, conditions)
    }

    /// A benchmark that the current build fails, or answers wrongly; its counts mean nothing.
    package struct Failure: Equatable, Sendable {
        package let benchmark: String
        package let reason: String
        package let hasWrongAnswers: Bool

        package init(_ benchmark: String, _ reason: String, hasWrongAnswers: Bool = false) {
            (self.benchmark, self.reason, self.hasWrongAnswers) = (benchmark, reason, hasWrongAnswers)
        }

        package var line: String { "\(benchmark): \(reason)" }
    }

    /// The caller's conditions, beside no regression.
    package struct Conditions: Equatable, Sendable {
        /// Metrics that must be comparable for every benchmark.
        package var required: [Metric] = []
        package var failsOnImprovement = false
        /// Whether a missing verdict fails the gate.
        package var isStrict = false

        package init(required: [Metric] = [], failsOnImprovement: Bool = false, isStrict: Bool = false) {
            (self.required, self.failsOnImprovement, self.isStrict) = (required, failsOnImprovement, isStrict)
        }
    }

    package struct Finding: Equatable, Sendable {
        package let benchmark: String
        package let line: CountComparison.Line
    }

    private func findings(where isMeant: (CountVerdict) -> Bool) -> [Finding] {
        comparisons.flatMap { comparison in
            comparison.lines.filter { isMeant($0.verdict) }.map {
                Finding(benchmark: comparison.benchmark, line: $0)
            }
        }
    }

    package var regressions: [Finding] { findings { $0 == .worse } }
    package var improvements: [Finding] { findings { $0 == .better } }
    package static func notGated(_ count: Int) -> String {
        count == 1 ? "1 count is not gated" : "\(count) counts are not gated"
    }

    package static let improved = "--fail-on-improvement is given: update what it is compared with, or drop the option"
    package var changes: [Finding] { findings { $0 == .changed } }
    package var unstable: [Finding] { findings { $0 == .unstable } }
    package var incomparable: [Finding] { findings { if case .notComparable = $0 { true } else { false } } }
    package var count: Int { comparisons.reduce(0) { $0 + $1.lines.count } }

    /// The required metrics that can't be compared, one line each. A metric that was counted but doesn't repeat isn't
    /// missing, nor is one of a benchmark that fails.
    package var missing: [String] {
        let failed = Set(failures.map(\.benchmark))
        return conditions.required.flatMap { metric in
            // A series of sizes has only its growth.
            let meant = comparisons.filter {
                ($0.lines.first?.metric == .growth) == (metric == .growth) && !failed.contains($0.benchmark)
            }
            if metric == .growth, meant.isEmpty { return ["growth is required and was not judged"] }
            return meant.compactMap { comparison in
                let verdict = comparison.verdict(on: metric)
                guard verdict?.isJudged != true, verdict != .unstable else { return nil }
                return "\(comparison.benchmark): \(metric.name) is required and "
                    + (verdict?.title ?? "was not counted")
            }
        }
    }

    /// The exit code, by the first that applies: wrong answers of the current build; another failure of it; a
    /// regression; a missing required metric; a missing verdict, if strict; an improvement, if that should fail.
    package var exitCode: ExitCode {
        if failures.contains(where: \.hasWrongAnswers) { return .wrongAnswer }
        if !failures.isEmpty { return .failure }
        if !regressions.isEmpty { return .regression }
        if !missing.isEmpty { return .missingBaseline }
        if conditions.isStrict, !(unstable.isEmpty && incomparable.isEmpty) { return .inconclusive }
        if conditions.failsOnImprovement, !improvements.isEmpty { return .improvement }
        return .ok
    }

    package var summary: String {
        let parts = [
            "\(regressions.count) worse", "\(improvements.count) better",
            changes.isEmpty ? nil : "\(changes.count) changed", "\(unstable.count) unstable",
            "\(incomparable.count) not comparable", failures.isEmpty ? nil : "\(failures.count) failed",
        ]
        return "\(Quantity.counted(comparisons.count, "benchmark")), \(Quantity.counted(count, "count")): "
            + parts.compactMap(\.self).joined(separator: ", ")
    }
}

/// The decisions of a gate or of a baseline's check, as JSON.
///
/// `schema` is 1. `counts` has an entry per benchmark and metric, with both counts (`base` and `current`, each the mean
/// of its repetitions), their relative `change`, the `verdict` in the four words of all verdicts, and its `detail` if
/// that says more. `failures`, if there are any, has the `benchmark` of each that fails, the `detail`, and whether its
/// answers are `wrong`. `times` has one for each figure of a benchmark, with `change`, `low` and `high` as ratios minus
/// 1, the `sets` of processes, and `judged`, which says which time stands for the row. `exit_code` is the command's.
package struct GateDocument {
    package let titles: (base: String, head: String)
    package let counts: GateDecision?
    package let times: TimeDecision?
    package let exitCode: ExitCode

    package init(
        titles: (base: String, head: String), counts: GateDecision?, times: TimeDecision?, exitCode: ExitCode
    ) {
        (self.titles, self.counts, self.times, self.exitCode) = (titles, counts, times, exitCode)
    }

    package func json() throws -> String {
        var document: [String: JSONValue] = [
            "schema": .whole(1), "base": .text(titles.base), "current": .text(titles.head),
            "exit_code": .whole(Int(exitCode.rawValue)),
        ]
        if let counts {
            document["counts"] = .list(
                counts.comparisons.flatMap { row in row.lines.map { Self.entry(row.benchmark, $0) } })
            if !counts.failures.isEmpty { document["failures"] = .list(counts.failures.map(Self.entry)) }
        }
        if let times {
            document["times"] = .list(
                times.rows.flatMap { row in row.figures.map { Self.entry(row, $0.figure, $0.judgement) } })
        }
        return try JSONValue.object(document).document()
    }

    private static func entry(_ failure: GateDecision.Failure) -> JSONValue {
        .object([
            "benchmark": .text(failure.benchmark), "detail": .text(failure.reason),
            "wrong": .flag(failure.hasWrongAnswers),
        ])
    }

    private static func entry(_ benchmark: String, _ line: CountComparison.Line) -> JSONValue {
        var entry = JSONValue.members(["base": line.base?.mean, "current": line.head?.mean, "change": line.change])
        entry["benchmark"] = .text(benchmark)
        entry["metric"] = .text(line.metric.name)
        entry["verdict"] = .text(line.verdict.verdict.rawValue)
        switch line.verdict {
        case .changed, .unstable: entry["detail"] = .text(line.verdict.title)
        case .notComparable(let reason): entry["detail"] = .text(reason)
        case .equivalent, .better, .worse: break
        }
        return .object(entry)
    }

    private static func entry(_ row: ExperimentRow, _ figure: JudgedFigure, _ judgement: Judgement) -> JSONValue {
        var entry: [String: JSONValue] = [
            "benchmark": .text(row.benchmark), "figure": .text(figure.rawValue),
            "verdict": .text(judgement.verdict.rawValue), "sets": .whole(judgement.sets),
        ]
        if figure == .time { entry["judged"] = .text(row.judgement.face.rawValue) }
        if let change = judgement.change {
            entry["change"] = .number(expm1(change.value))
            entry["low"] = .number(expm1(change.interval.lowerBound))
            entry["high"] = .number(expm1(change.interval.upperBound))
        }
        if let detail = row.failure ?? judgement.doubt?.rawValue { entry["detail"] = .text(detail) }
        return .object(entry)
    }
}
