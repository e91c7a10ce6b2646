import Foundation

/// The result of one set of processes, one for each variant. It is the unit of replication.
///
/// Slices of one set are not independent: the layout of memory and heap stays fixed for the life of a process, and
/// changes its times by some tenths of a per cent, sometimes by 5 %. So each set gives one value, however many slices
/// it has, and the sample size is the number of sets (Kalibera and Jones, "Rigorous benchmarking in reasonable time",
/// ISMM 2013). All three values are logarithms of a ratio of times: 0.01 means one per cent slower.
package struct Replicate: Equatable {
    /// The current build against the base.
    package let change: Double
    /// The base against itself.
    package let same: Double
    /// The padded base against the base.
    package let layout: Double

    /// - Parameter slices: times of one operation by variant, in the order of `TimeVariant`. Those of one row were measured
    ///   one after another, so that slower changes of the machine affect all of them.
    ///
    /// The base is the mean of both of its processes, whose variance is a quarter lower than that of one. Each pair of
    /// variants is compared by the mean of the middle half of its paired logarithms: an interrupted slice is as likely
    /// on either side of a pair, and so does not bias the middle. (Pairing with the mean of both base processes would
    /// bias it: twice as many interruptions there made builds look 0.1 % faster than they were.)
    package init?(slices: [[Double]]) {
        func middle(_ variant: TimeVariant, _ other: TimeVariant) -> Double? {
            let sorted = slices.map { log($0[variant.rawValue]) - log($0[other.rawValue]) }.sorted()
            let kept = sorted.dropFirst(sorted.count / 4).dropLast(sorted.count / 4)
            return kept.isEmpty ? nil : kept.reduce(0, +) / Double(kept.count)
        }
        guard slices.allSatisfy({ $0.count == TimeVariant.allCases.count }), let same = middle(.again, .base),
            let change = middle(.current, .base), let changeAgain = middle(.current, .again),
            let layout = middle(.padded, .base), let layoutAgain = middle(.padded, .again)
        else { return nil }
        self.init(change: (change + changeAgain) / 2, same: same, layout: (layout + layoutAgain) / 2)
    }

    package init(change: Double, same: Double, layout: Double) {
        self.change = change
        self.same = same
        self.layout = layout
    }
}
