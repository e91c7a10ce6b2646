import Foundation

/// Combines the times, or ratios of times, of several sets of processes into one estimate.
///
/// Each set gives one value, however many slices it has: the layout of memory and heap and the seed of hashes stay the
/// same for the life of a process, so slices of one process repeat its luck (Kalibera and Jones, "Rigorous benchmarking
/// in reasonable time", ISMM 2013). The estimate is the trimmed mean of the values' logarithms (see `TrimmedMean`), and
/// its interval is Student's, whose quantiles are wide for few sets.
///
/// Successive sets meet similar conditions of the machine, and so are not quite independent. Their means in blocks of
/// two, four, … show this: if sets were independent, each length of block would give the same interval but for chance
/// (Flyvbjerg and Petersen, "Error estimates on averages of correlated data", Journal of Chemical Physics 91, 1989).
/// The widest interval is taken, as long as there are `leastBlocks`.
package enum SetEstimate {
    package static let level = 0.95
    /// With fewer blocks, Student's quantile would widen every interval.
    package static let leastBlocks = 10

    /// - Parameters:
    ///   - values: one of each set, above 0, in the order of the sets.
    ///   - trimmed: the part of the values that is left out on either side. Must be 0 for means over work that is
    ///     seldom and long: a set that met it is no outlier.
    /// - Returns: `nil` without values; without an interval for one value.
    package static func of(_ values: [Double], trimmed: Double = TrimmedMean.trimmed) -> Estimate? {
        let logarithms = values.filter { $0 > 0 && $0.isFinite }.map { log($0) }
        guard let mean = TrimmedMean(logarithms, trimmed: trimmed) else {
            // One value, which would not survive the logarithm unchanged.
            return values.first { $0 > 0 && $0.isFinite }.map { Estimate($0) }
        }
        let tail = (1 - level) / 2
        let whole = mean.interval(tail: tail)
        var reach = (whole.upperBound - whole.lowerBound) / 2
        var blocks = mean.winsorised(logarithms)
        // The winsorised values spread less than the mean of those kept.
        let stretch = Double(mean.count) / (mean.degrees + 1)
        while blocks.count / 2 >= leastBlocks {
            blocks = stride(from: 0, to: blocks.count - 1, by: 2).map { (blocks[$0] + blocks[$0 + 1]) / 2 }
            guard let means = TrimmedMean(blocks, trimmed: 0) else { break }
            reach = max(
                reach, StudentT.quantile(exceededBy: tail, degrees: means.degrees) * means.standardError * stretch)
        }
        return Estimate(exp(mean.mean), in: exp(mean.mean - reach)...exp(mean.mean + reach))
    }
}
