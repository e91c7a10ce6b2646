import GaugeSupport
import Platform

/// One benchmark of a gate, with its sets of processes so far and their verdicts.
package struct ExperimentRow {
    package let benchmark: String
    package private(set) var sets: [SetRecord] = []
    private var changes: [SetChanges] = []
    package private(set) var judgement: RowJudgement
    /// Why percentiles can't be known.
    package private(set) var tailObstacle: String?
    /// Why it can't be measured; it then has no verdict.
    package private(set) var failure: String?
    /// The same, if the current build is at fault.
    package private(set) var buildFailure: BuildFailure?
    package private(set) var seconds = 0.0
    package let rule: JudgingRule

    /// - Parameter delta: the change of time that matters.
    package init(_ benchmark: String, plan: LookPlan, delta: Double) {
        self.benchmark = benchmark
        rule = .gate(delta: delta, plan: plan)
        judgement = RowJudgement([], rule)
    }

    /// The row of a benchmark that only one of the builds has.
    ///
    /// - Parameter isNew: whether the current build has it.
    package init(oneSided benchmark: String, isNew: Bool, delta: Double) {
        self.init(benchmark, plan: LookPlan(benchmarks: 1), delta: delta)
        failure = isNew ? "the base has no such benchmark" : "the benchmark is gone"
    }

    /// Whether more sets may help.
    package var isOpen: Bool { failure == nil && LookPlan.next(after: sets.count) != nil && judgement.isOpen }

    /// The verdicts, one for each known figure, the time first.
    package var figures: [(figure: JudgedFigure, judgement: Judgement, delta: Double)] {
        let known = failure == nil ? JudgedFigure.allCases : [.time]
        return known.compactMap { figure in
            (figure == .time ? judgement.time : judgement.tails[figure]).map { (figure, $0, delta(of: figure)) }
        }
    }

    /// The difference of a figure that counts as equivalent.
    package func delta(of figure: JudgedFigure) -> Double {
        guard figure == .time else { return JudgingRule(figure, times: rule).delta }
        return judgement.face == .undisturbed ? rule.delta : rule.ofMeans(inBursts: judgement.face == .bursts).delta
    }

    /// Adds sets until the next look or the deadline, and judges them.
    ///
    /// - Parameters:
    ///   - deadline: monotonic nanoseconds; no set is started that would end later.
    ///   - measure: measures a set, given those before. Throws `BuildFailure` if the current build is at fault, and
    ///     `GaugeError` for any other reason.
    package mutating func extend(until deadline: UInt64, measure: (_ before: [SetRecord]) throws -> SetRecord) throws {
        guard let goal = LookPlan.next(after: sets.count) else { return }
        // An interruption depends on the data as little as the deadline does.
        defer { judgement = RowJudgement(changes, rule, before: judgement) }
        while sets.count < goal, failure == nil {
            let start = monotonicNanoseconds()
            let usual = sets.isEmpty ? 0 : seconds / Double(sets.count)
            guard start + UInt64(usual * 1e9) < deadline else { break }
            do {
                try add(try measure(sets))
            } catch let error as BuildFailure {
                (failure, buildFailure) = (error.description, error)
            } catch let error as GaugeError {
                failure = error.description
            }
            seconds += Double(monotonicNanoseconds() - start) / 1e9
        }
    }

    private mutating func add(_ set: SetRecord) throws {
        guard let change = SetChanges(set) else { throw GaugeError("\(benchmark) gave no times") }
        sets.append(set)
        changes.append(change)
        tailObstacle = tailObstacle ?? set.tailObstacle
    }
}

/// A failure of the current build, which fails the gate. If only the base fails, a verdict is missing.
package struct BuildFailure: Error, Equatable, CustomStringConvertible {
    /// Which variant failed, and how.
    package let description: String
    /// Whether it gave wrong answers, rather than crash, hang or report an error.
    package let hasWrongAnswers: Bool

    /// - Returns: `nil` for a benchmark that is only too slow to be measured here.
    package init?(_ description: String, cause: WorkerFailure, wrong: Int) {
        switch cause {
        case .tooSlow, .notReady, .noTimeLeft: return nil
        case .crashed, .exited, .timedOut, .failed, .misunderstood: break
        }
        self.description = description
        hasWrongAnswers = wrong > 0
    }
}

/// When the sets so far are examined, and the error probability of each look.
///
/// Repeated looks at the data make a false finding likelier. So the looks are fixed in advance, and the probability of
/// a false regression is divided among the looks, the benchmarks and their figures (Bonferroni; see
/// `JudgedFigure.share`): however they depend on each other, the whole gate reports a false regression with probability
/// at most `falseAccusations`. That costs little, since bounds grow only with the logarithm of the number of tests.
/// Running out of time doesn't depend on the data, so the last look may come early.
///
/// The probability of false equivalence is divided only among the looks. The gate passes if all benchmarks are
/// equivalent, and a false verdict on all is no likelier than on one (intersection-union: Berger, "Multiparameter
/// hypothesis testing and acceptance sampling", Technometrics 24, 1982).
package struct LookPlan: Equatable {
    /// How many sets of processes each look has.
    package static let looks = [8, 12, 18, 27, 40, 60, 90]
    /// The probability that the gate reports any false regression.
    package static let falseAccusations = 0.05
    /// The probability that a benchmark is wrongly called equivalent.
    package static let falseEquivalence = 0.05
    /// The number of benchmarks that are judged.
    package let benchmarks: Int

    package init(benchmarks: Int) { self.benchmarks = benchmarks }

    /// The tail probability beyond each bound of a change's interval, for all figures of a benchmark.
    package var accusationTail: Double { Self.falseAccusations / Double(max(1, benchmarks) * Self.looks.count) }
    /// The tail probability of each one-sided test for equivalence (Schuirmann, Journal of Pharmacokinetics and
    /// Biopharmaceutics 15, 1987).
    package var equivalenceTail: Double { Self.falseEquivalence / Double(Self.looks.count) }

    /// The number of sets at the next look; `nil` after the last.
    package static func next(after sets: Int) -> Int? { looks.first { $0 > sets } }
    /// The fewest sets that can be judged.
    package static var least: Int { looks[0] }
}
