import GaugeMeasurement

/// A failure of the current build, which fails the gate. A failure of the base alone is only a missing verdict.
package struct BuildFailure: Error, Equatable, CustomStringConvertible {
    /// Which variant failed, and how.
    package let description: String
    /// Whether it gave wrong answers. Otherwise it crashed, hung or reported an error.
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
