/// A count and its repetition in another process. The code cannot cause their difference.
package struct RepeatedCount: Equatable, Sendable {
    package let first: Double
    package let second: Double

    /// The largest relative difference between stable counts.
    package static let repeatability = 1e-4

    package init(_ first: Double, _ second: Double) {
        self.first = first
        self.second = second
    }

    /// The joined count: the range that contains both.
    package func joined(with other: RepeatedCount) -> RepeatedCount {
        RepeatedCount(min(lowest, other.lowest), max(highest, other.highest))
    }

    package var lowest: Double { min(first, second) }
    package var highest: Double { max(first, second) }
    package var mean: Double { first / 2 + second / 2 }

    /// Whether the count repeats to 1 in 10,000.
    package var isStable: Bool { isStable(within: Self.repeatability) }

    /// Whether the two counts differ by at most a part of the larger.
    package func isStable(within part: Double) -> Bool {
        guard first.isFinite, second.isFinite else { return false }
        return highest - lowest <= part * max(abs(first), abs(second))
    }
}
