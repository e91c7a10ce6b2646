/// What a comparison says of one figure of a row, whether a time, a tail, a pause or a count.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    /// It costs more.
    case worse
    /// It costs less.
    case better
    /// A difference, if there is one, does not matter.
    case equivalent
    /// There is no verdict; the report says why.
    case inconclusive
}

/// The figures of a row on which there is a verdict each.
package enum JudgedFigure: String, Codable, Sendable, CaseIterable {
    /// The time of an operation (see `TimeFace`).
    case time
    case p99
    case p999 = "p99.9"
    /// The longest pause: how much longer than usual the longest batch took, in processor time.
    case pause

    /// Those that need operations timed one by one, with their part and the fewest operations: ten of them lie beyond it.
    package static let percentiles: [(figure: JudgedFigure, part: Double, leastOperations: UInt64)] = [
        (.p99, 0.99, 1_000), (.p999, 0.999, 10_000),
    ]

    /// The part of all error that a verdict on it may use. The time has most, since it is what most changes move.
    package var share: Double { self == .time ? 0.7 : 0.1 }

    /// The difference that counts as none, unless that of times is larger.
    package var delta: Double {
        switch self {
        case .time: 0
        case .p99: 0.1
        case .p999: 0.2
        // A pause is one batch in thousands.
        case .pause: 0.5
        }
    }

    /// `memory/hit/mine p99`; the time has the name of the row.
    package func name(of row: String) -> String { self == .time ? row : "\(row) \(rawValue)" }
}

/// Which time of an operation stands for a row.
///
/// The undisturbed time is the more precise, but a cache that does much work at once, every so many operations, hides it
/// from that time. So both are measured, and the undisturbed one counts only where it moves as the mean does.
package enum TimeFace: String, Codable, Sendable {
    /// The undisturbed time: the mean moves with it, to within half of the difference that matters.
    case undisturbed
    /// The mean of processor time: it certainly moves otherwise than the undisturbed time, because work comes in bursts.
    case bursts
    /// The mean of processor time, which may or may not move otherwise.
    case mean

    /// The note beside a verdict.
    package var note: String? {
        switch self {
        case .undisturbed: nil
        case .bursts: "in bursts: judged by the mean"
        case .mean: "judged by the mean"
        }
    }
}
