/// One way to kill a mutant: the replay of a fuzz target's corpus, or a suite of the unit tests.
struct Trial: Hashable, Sendable {
    enum Stage: String, CaseIterable, Sendable {
        case tests = "unit tests"
        case replay
        case fuzzing
    }

    let stage: Stage
    /// The suite or the target.
    let name: String
}

/// What a trial does with the program as it was written.
struct Baseline: Equatable, Sendable {
    let processorSeconds: Double
    /// The mutants whose places it comes to; no other can change what it does.
    let reached: Set<Int>
}

/// What became of a mutant in one stage.
struct Outcome: Equatable, Sendable {
    enum Kind: String, Sendable {
        case killed
        case survived
        /// Nothing of the stage comes to the mutant's place.
        case unreached
    }

    let kind: Kind
    /// Until the mutant was killed or everything had passed. Processor time; of fuzzing, the clock's.
    let seconds: Double
    /// What killed it.
    let detail: String
}
