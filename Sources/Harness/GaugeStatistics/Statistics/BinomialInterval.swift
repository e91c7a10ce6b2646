/// How often something happens, given how often it was seen: the exact interval of Clopper and Pearson ("The use of
/// confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934). Never too narrow.
package enum BinomialInterval {
    /// The rate below which the true one lies with the given confidence, when `seen` of `trials` were seen. For none of
    /// 300 and 0.95 it is 0.00994.
    package static func upperBound(_ seen: Int, of trials: Int, level: Double = 0.95) -> Double {
        seen >= trials ? 1 : IncompleteBeta.inverse(level, Double(seen + 1), Double(trials - seen))
    }

    /// The rate above which the true one lies with the given confidence.
    package static func lowerBound(_ seen: Int, of trials: Int, level: Double = 0.95) -> Double {
        seen <= 0 ? 0 : IncompleteBeta.inverse(1 - level, Double(seen), Double(trials - seen + 1))
    }

    /// Both at once: each side is wrong with half of what is left.
    package static func interval(_ seen: Int, of trials: Int, level: Double = 0.95) -> ClosedRange<Double> {
        let side = 1 - (1 - level) / 2
        return lowerBound(seen, of: trials, level: side)...upperBound(seen, of: trials, level: side)
    }
}
