import Foundation

/// How one figure differs between the arms of one set of processes. It is the unit of replication.
///
/// Slices of one set are not independent: the layout of memory and heap stays fixed for the life of a process, and
/// changes its times by some tenths of a per cent, sometimes by 5 %. So each set gives one value, however many slices
/// it has, and the sample size is the number of sets (Kalibera and Jones, "Rigorous benchmarking in reasonable time",
/// ISMM 2013). All values are logarithms of a ratio: 0.01 means one per cent more.
package struct Contrast: Equatable, Sendable {
    /// The judged arm against the base.
    package let change: Double
    /// The base against itself, and the padded base against the base; `nil` in a comparison of two arms.
    package let same: Double?
    package let layout: Double?

    package init(change: Double, same: Double? = nil, layout: Double? = nil) {
        self.change = change
        self.same = same
        self.layout = layout
    }

    /// - Parameter rows: the figure by arm, in rows that were measured one after another, so that slower changes of the
    ///   machine affect all arms of a row. Two arms are A and B; four are those of `GateArms`.
    ///
    /// Two arms are compared by the mean of the middle half of their paired logarithms: where the machine changes its speed
    /// between two slices, either of them is as likely to be disturbed, so leaving such pairs out does not bias the
    /// middle. The base of a gate is the mean of both of its processes, whose variance is a quarter lower than that of
    /// one. (Pairing with the mean of both base processes would bias it: twice as many interruptions there made builds
    /// look 0.1 % faster than they were.)
    package init?(_ rows: [[Double]]) {
        guard let arms = rows.first?.count, rows.allSatisfy({ $0.count == arms }) else { return nil }
        func middle(_ arm: Int, over base: Int) -> Double? {
            let sorted = rows.filter { $0[arm] > 0 && $0[base] > 0 && $0[arm].isFinite && $0[base].isFinite }
                .map { log($0[arm]) - log($0[base]) }.sorted()
            let kept = sorted.dropFirst(sorted.count / 4).dropLast(sorted.count / 4)
            return kept.isEmpty ? nil : kept.reduce(0, +) / Double(kept.count)
        }
        if arms == 2 {
            guard let change = middle(1, over: 0) else { return nil }
            self.init(change: change)
        } else {
            let (base, again, padded, current) = GateArms.positions
            guard arms == GateArms.count, let same = middle(again, over: base),
                let change = middle(current, over: base), let changeAgain = middle(current, over: again),
                let layout = middle(padded, over: base), let layoutAgain = middle(padded, over: again)
            else { return nil }
            self.init(change: (change + changeAgain) / 2, same: same, layout: (layout + layoutAgain) / 2)
        }
    }
}
