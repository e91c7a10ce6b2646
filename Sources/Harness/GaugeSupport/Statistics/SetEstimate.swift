import Foundation

/// Combines the times, or ratios of times, of several sets of processes into one estimate.
///
/// Each set gives one value, however many slices it has: the layout of memory and heap and the seed of hashes stay the
/// same for the life of a process, so slices of one process repeat its luck (Kalibera and Jones, "Rigorous benchmarking
/// in reasonable time", ISMM 2013). The estimate is the trimmed mean of the values' logarithms (see `TrimmedMean`), and
/// its interval is Student's, whose quantiles are wide for few sets. If the other rows of a run show how far sets
/// usually differ, even one set gets an interval from that (see `SetVariation`).
///
/// Successive sets meet similar conditions of the machine, so they aren't quite independent. Their means in blocks of
/// two, four, … show this: if sets were independent, each block length would give the same interval but for chance
/// (Flyvbjerg and Petersen, "Error estimates on averages of correlated data", Journal of Chemical Physics 91, 1989).
/// The widest interval is taken, as long as there are `leastBlocks`.
package enum SetEstimate {
    package static let level = 0.95
    /// With fewer blocks, Student's quantile would widen every interval.
    package static let leastBlocks = 10

    /// - Parameters:
    ///   - values: one per set, above 0, in the order of the sets.
    ///   - trimmed: the share of values left out on either side. Must be 0 for means that include rare, long work: a
    ///     set with such work is no outlier.
    ///   - within: the variance of one value's logarithm that the scatter of its slices explains.
    ///   - variation: the usual variation between sets; `nil` to use that of the values alone.
    /// - Returns: `nil` without values; for one value, without an interval unless the usual variation is known.
    package static func of(
        _ values: [Double], trimmed: Double = TrimmedMean.trimmed, within: Double = 0, variation: SetVariation? = nil
    ) -> Estimate? {
        let values = values.filter { $0 > 0 && $0.isFinite }
        let logarithms = values.map { log($0) }
        let tail = (1 - level) / 2
        guard let mean = TrimmedMean(logarithms, trimmed: trimmed) else {
            // One value, which wouldn't survive the logarithm unchanged.
            guard let value = values.first else { return nil }
            guard let variation else { return Estimate(value) }
            let (variance, degrees) = variation.combined(.init(variance: 0, degrees: 0, within: within))
            let reach = StudentT.quantile(exceededBy: tail, degrees: degrees) * variance.squareRoot()
            return Estimate(value, in: value * exp(-reach)...value * exp(reach))
        }
        var reach = StudentT.quantile(exceededBy: tail, degrees: mean.degrees) * mean.standardError
        if let variation {
            let (variance, degrees) = variation.combined(row(mean, within: within))
            reach = StudentT.quantile(exceededBy: tail, degrees: degrees) * (variance / (mean.degrees + 1)).squareRoot()
        }
        var blocks = mean.winsorised(logarithms)
        // Winsorised values spread less than the mean of the kept ones.
        let stretch = Double(mean.count) / (mean.degrees + 1)
        while blocks.count / 2 >= leastBlocks {
            blocks = stride(from: 0, to: blocks.count - 1, by: 2).map { (blocks[$0] + blocks[$0 + 1]) / 2 }
            guard let means = TrimmedMean(blocks, trimmed: 0) else { break }
            reach = max(
                reach, StudentT.quantile(exceededBy: tail, degrees: means.degrees) * means.standardError * stretch)
        }
        return Estimate(exp(mean.mean), in: exp(mean.mean - reach)...exp(mean.mean + reach))
    }

    /// The variation between the sets of one row; `nil` for fewer than two values.
    package static func row(
        _ values: [Double], trimmed: Double = TrimmedMean.trimmed, within: Double
    ) -> SetVariation.Row? {
        TrimmedMean(values.filter { $0 > 0 && $0.isFinite }.map { log($0) }, trimmed: trimmed)
            .map { row($0, within: within) }
    }

    private static func row(_ mean: TrimmedMean, within: Double) -> SetVariation.Row {
        SetVariation.Row(
            variance: mean.standardError * mean.standardError * (mean.degrees + 1), degrees: mean.degrees,
            within: within)
    }
}
