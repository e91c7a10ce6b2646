/// Confidence bounds of the rate of an event: the exact interval of Clopper and Pearson ("The use of confidence or
/// fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934). Never too narrow.
package enum BinomialInterval {
    /// The upper confidence bound of the true rate, when `seen` of `trials` showed the event. For 0 of 300 at level
    /// 0.95 it is 0.00994.
    package static func upperBound(_ seen: Int, of trials: Int, level: Double = 0.95) -> Double {
        seen >= trials ? 1 : IncompleteBeta.inverse(level, Double(seen + 1), Double(trials - seen))
    }

    /// The lower confidence bound of the true rate.
    package static func lowerBound(_ seen: Int, of trials: Int, level: Double = 0.95) -> Double {
        seen <= 0 ? 0 : IncompleteBeta.inverse(1 - level, Double(seen), Double(trials - seen + 1))
    }

    /// The two-sided interval: each side has an error probability of (1 - level) / 2.
    package static func interval(_ seen: Int, of trials: Int, level: Double = 0.95) -> ClosedRange<Double> {
        let side = 1 - (1 - level) / 2
        return lowerBound(seen, of: trials, level: side)...upperBound(seen, of: trials, level: side)
    }
}
