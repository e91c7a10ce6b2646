import Foundation

/// The adjacent slices of two processes, one of each side: the unit of replication.
///
/// Two adjacent slices of some milliseconds feel the machine alike, so each pair gives one logarithm of a ratio, and
/// a change of the machine's speed cancels. Where it changes between the two slices of a pair, one of them is
/// disturbed, and either is as likely: the mean of the middle half of the logarithms leaves such pairs out and is not
/// biased by them.
///
/// The layout of stack and heap is fixed for the life of a process. So one set of processes gives one value, however
/// many pairs it has, and the precision of a comparison comes from several sets (Kalibera and Jones, "Rigorous
/// benchmarking in reasonable time", ISMM 2013).
package struct PairedSet: Sendable {
    /// The location of the logarithms of B's time over A's: 0.01 means that B takes one per cent longer.
    package let change: Double
    /// The median time of one operation, nanoseconds.
    package let times: (a: Double, b: Double)
    /// The number of pairs.
    package let pairs: Int

    /// - Parameter pairs: times of one operation in adjacent slices, nanoseconds; only positive ones are used.
    /// - Returns: `nil` without any pair.
    package init?(_ pairs: [(a: Double, b: Double)]) {
        let pairs = pairs.filter { $0.a > 0 && $0.b > 0 && $0.a.isFinite && $0.b.isFinite }
        let sorted = pairs.map { log($0.b) - log($0.a) }.sorted()
        let kept = sorted.dropFirst(sorted.count / 4).dropLast(sorted.count / 4)
        guard !kept.isEmpty else { return nil }
        change = kept.reduce(0, +) / Double(kept.count)
        times = (pairs.map(\.a).sorted()[pairs.count / 2], pairs.map(\.b).sorted()[pairs.count / 2])
        self.pairs = pairs.count
    }
}
