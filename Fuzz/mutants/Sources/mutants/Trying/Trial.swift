/// The stages that may kill a mutant.
enum Stage: String, CaseIterable, Sendable {
    case tests = "unit tests"
    case replay
    case fuzzing
}

/// One deterministic run of a program that may end differently with a mutant than without.
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

    var name: String {
        switch self {
        case .suite(let name), .replay(let name): name
        }
    }

    /// A trial of a stage; `nil` for fuzzing, which isn't deterministic.
    init?(_ stage: Stage, _ name: String) {
        switch stage {
        case .tests: self = .suite(name)
        case .replay: self = .replay(name)
        case .fuzzing: return nil
        }
    }
}

/// The result of a trial on the unchanged program.
struct Baseline: Equatable, Sendable {
    let processorSeconds: Double
    /// The mutants whose places the trial reaches; no other can change its result.
    let reached: Set<Int>
}

/// The outcome of one stage for a mutant.
struct Outcome: Equatable, Sendable {
    enum Kind: String, Sendable {
        case killed
        case survived
        /// No trial of the stage reaches the mutant's place.
        case unreached
    }

    let kind: Kind
    /// Seconds until the mutant was killed or all trials had passed: processor time, or for fuzzing elapsed time.
    let seconds: Double
    /// The test, promise or signal that killed it.
    let detail: String
}
