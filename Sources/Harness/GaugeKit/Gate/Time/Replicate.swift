import Foundation

/// What one set of processes, one of each arm, has shown: the unit of which there have to be several.
///
/// Slices of one set are not independent of each other: where memory came to lie, and how the heap was laid out, stays for
/// the life of a process, and moves its times by some tenths of a per cent, now and then by 5 %. So a set gives one value,
/// however many slices it has, and only the sets are counted (Kalibera and Jones, "Rigorous benchmarking in reasonable
/// time", ISMM 2013). All three are logarithms of a ratio of times: 0.01 is one per cent slower.
struct Replicate: Equatable {
    /// The current build against the base.
    let change: Double
    /// The base against itself.
    let same: Double
    /// The padded base against the base.
    let layout: Double

    /// - Parameter slices: times of one operation by arm, in the order of `TimeArm`; those of one row were taken one after
    ///   the other, so that what the machine does for longer than that concerns all of them.
    ///
    /// The base is what both of its processes say, which makes for a quarter less variance than one of them. Of paired
    /// logarithms the middle half is averaged, each pair of arms by itself: a slice that was interrupted is as likely on
    /// either side of a pair, and so moves its middle neither way. (Against the mean of both base processes it would not be:
    /// twice as many interruptions there as in the other arm made builds look 0.1 % faster than they were.)
    init?(slices: [[Double]]) {
        func middle(_ arm: TimeArm, _ other: TimeArm) -> Double? {
            let sorted = slices.map { log($0[arm.rawValue]) - log($0[other.rawValue]) }.sorted()
            let kept = sorted.dropFirst(sorted.count / 4).dropLast(sorted.count / 4)
            return kept.isEmpty ? nil : kept.reduce(0, +) / Double(kept.count)
        }
        guard slices.allSatisfy({ $0.count == TimeArm.allCases.count }), let same = middle(.again, .base),
            let change = middle(.current, .base), let changeAgain = middle(.current, .again),
            let layout = middle(.padded, .base), let layoutAgain = middle(.padded, .again)
        else { return nil }
        self.init(change: (change + changeAgain) / 2, same: same, layout: (layout + layoutAgain) / 2)
    }

    init(change: Double, same: Double, layout: Double) {
        self.change = change
        self.same = same
        self.layout = layout
    }
}
