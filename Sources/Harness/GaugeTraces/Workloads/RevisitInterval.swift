import GaugeSupport
import Platform

/// The time from one visit to the next, where a visit is a page or, in other patterns, a request.
@usableFromInline package enum RevisitInterval: Hashable, Sendable {
    /// Always the same interval.
    case constant(seconds: Double)
    /// Intervals of a Poisson process with that mean.
    case exponential(seconds: Double)

    /// The mean, seconds.
    @usableFromInline package var seconds: Double {
        switch self {
        case .constant(let seconds), .exponential(let seconds): seconds
        }
    }

    /// The next interval, seconds.
    package func draw(_ random: inout Xoshiro256) -> Double {
        switch self {
        case .constant(let seconds): seconds
        // From 2^-53 to 1, so that the logarithm is finite.
        case .exponential(let seconds): -log(1 - random.nextUnit()) * seconds
        }
    }
}
