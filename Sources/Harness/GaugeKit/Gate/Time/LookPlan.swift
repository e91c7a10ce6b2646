/// When the sets so far are looked at, and how much may go wrong each time.
///
/// Whoever looks often enough sees anything once. So the looks are fixed beforehand, and the probability of a false
/// accusation is divided among them and among the benchmarks of the gate (Bonferroni): whatever the dependence between
/// them, the gate as a whole accuses somebody wrongly with at most `falseAccusations`. The price is small, since bounds grow
/// with the logarithm of the number only. Time running out is no look at the data: the last look may come early.
///
/// That a benchmark is equivalent is divided among the looks only: the gate passes when all are, and all being wrongly so is
/// no likelier than one (intersection-union: Berger, "Multiparameter hypothesis testing and acceptance sampling",
/// Technometrics 24, 1982).
struct LookPlan: Equatable {
    /// Sets of processes at each look.
    static let looks = [8, 12, 18, 27, 40, 60, 90]
    /// Of the whole gate.
    static let falseAccusations = 0.05
    /// Of a benchmark: that it is called equivalent and is not.
    static let falseEquivalence = 0.05
    /// Of each control: that it is farther off than its interval says, on either side.
    static let controlTail = 0.025

    /// How many benchmarks are judged.
    let benchmarks: Int

    /// Beyond each bound of the interval of a change.
    var accusationTail: Double { Self.falseAccusations / Double(max(1, benchmarks) * Self.looks.count) }
    /// Of each of the two one-sided tests for equivalence (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics
    /// 15, 1987).
    var equivalenceTail: Double { Self.falseEquivalence / Double(Self.looks.count) }

    /// How many sets the next look needs; `nil` after the last.
    static func next(after sets: Int) -> Int? { looks.first { $0 > sets } }
    /// Fewer sets say nothing.
    static var least: Int { looks[0] }
}
