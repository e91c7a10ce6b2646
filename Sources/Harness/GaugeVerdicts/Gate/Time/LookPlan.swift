/// When the sets measured so far are examined, and the error probability of each look.
///
/// Repeated looks at the data raise the probability of a false finding. So the looks are fixed in advance, and the
/// probability of a false regression is divided among the looks, the benchmarks and their figures (Bonferroni): however they
/// depend on each other, the gate as a whole reports a false regression with probability at most `falseAccusations`.
/// The cost is small, since bounds grow only with the logarithm of the number of tests. Running out of time does not
/// depend on the data, so the last look may come early.
///
/// The probability of false equivalence is divided among the looks only. The gate passes when all benchmarks are
/// equivalent, and a false verdict on all is no likelier than on one (intersection-union: Berger, "Multiparameter
/// hypothesis testing and acceptance sampling", Technometrics 24, 1982).
package struct LookPlan: Equatable {
    /// The number of sets of processes at each look.
    package static let looks = [8, 12, 18, 27, 40, 60, 90]
    /// The probability that the gate reports any false regression.
    package static let falseAccusations = 0.05
    /// The probability that a benchmark is called equivalent when it is not.
    package static let falseEquivalence = 0.05
    /// The probability, for each control and on each side, that it lies outside its interval.
    package static let controlTail = 0.025

    /// The number of benchmarks that are judged.
    package let benchmarks: Int
    /// The number of figures of each that are judged: its mean, and its 99th percentile.
    package let figures: Int

    package init(benchmarks: Int, figures: Int = 1) {
        self.benchmarks = benchmarks
        self.figures = figures
    }

    /// The tail probability beyond each bound of the interval of a change.
    package var accusationTail: Double {
        Self.falseAccusations / Double(max(1, benchmarks * figures) * Self.looks.count)
    }
    /// The tail probability of each of the two one-sided tests for equivalence (Schuirmann, Journal of Pharmacokinetics
    /// and Biopharmaceutics 15, 1987).
    package var equivalenceTail: Double { Self.falseEquivalence / Double(Self.looks.count) }

    /// The number of sets at the next look; `nil` after the last.
    package static func next(after sets: Int) -> Int? { looks.first { $0 > sets } }
    /// The fewest sets that can be judged.
    package static var least: Int { looks[0] }
}
