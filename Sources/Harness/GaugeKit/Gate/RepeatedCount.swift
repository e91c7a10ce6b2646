/// A count and its repetition by another process: what differs between them is not the code's.
struct RepeatedCount: Equatable, Sendable {
    let first: Double
    let second: Double

    /// Two counts that are farther apart than this part of the larger do not repeat.
    static let repeatability = 1e-4

    init(_ first: Double, _ second: Double) {
        self.first = first
        self.second = second
    }

    /// What both say together: as far apart as any two of them.
    func joined(with other: RepeatedCount) -> RepeatedCount {
        RepeatedCount(min(lowest, other.lowest), max(highest, other.highest))
    }

    var lowest: Double { min(first, second) }
    var highest: Double { max(first, second) }
    var mean: Double { first / 2 + second / 2 }

    /// Whether it repeats to 1 in 10,000.
    var isStable: Bool {
        guard first.isFinite, second.isFinite else { return false }
        return highest - lowest <= Self.repeatability * max(abs(first), abs(second))
    }
}
