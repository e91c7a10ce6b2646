/// What may notice a mutant.
enum Stage: String, CaseIterable, Sendable {
    case tests = "unit tests"
    case replay
    case fuzzing
}

/// One run of a program that may end otherwise with a mutant than without, and does the same every time.
enum Trial: Hashable, Sendable {
    /// A suite of the unit tests, as `Module.Suite`.
    case suite(String)
    /// The corpus of a fuzz target.
    case replay(String)

    var stage: Stage {
        switch self {
        case .suite: .tests
        case .replay: .replay
        }
    }

    /// Of the suite or the target.
    var name: String {
        switch self {
        case .suite(let name), .replay(let name): name
        }
    }

    /// `nil` for fuzzing, of which no two runs are alike.
    init?(_ stage: Stage, _ name: String) {
        switch stage {
        case .tests: self = .suite(name)
        case .replay: self = .replay(name)
        case .fuzzing: return nil
        }
    }
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
