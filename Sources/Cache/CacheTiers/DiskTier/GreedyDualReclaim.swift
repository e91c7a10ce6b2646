/// What Greedy Dual Size with Frequency knows of a whole log; each entry's part is its `UseNote`.
///
/// A log gives up its segments in the order in which they were begun, so an entry goes when its segment is reclaimed and
/// not before. Two rules bring that near to the policy:
/// - Of a segment that is reclaimed those entries are carried over whose values are above a threshold. The threshold is
///   such that entries above it fill `carriedPercent` of the segments; it follows from a sample of them.
/// - An entry that the policy would evict before three tenths of the capacity are stored is not written at all: in the log
///   it would keep its place for a whole round.
struct GreedyDualReclaim {
    /// The value of the most valuable entry that was given up; new values begin there.
    private(set) var age = AgedValue()
    /// Entries of a greater value are carried; all, if `nil`.
    var threshold: AgedValue?
    /// Segments that may be reclaimed before the threshold is chosen again.
    var segmentsUntilChoice = 0
    /// Bytes offered to the log so far, and the age at some earlier counts of them, first to last.
    private var offered = 0
    private var marks: [(offered: Int, age: AgedValue)] = []

    /// The part of a segment that may be carried over, on average.
    static let carriedPercent = 75
    private static let marksInHalfOfCapacity = 8

    /// Notes that an entry is given up.
    mutating func giveUp(_ value: AgedValue) {
        if value.distance(from: age) > 0 { age = value }
    }

    /// Notes that a record of `length` bytes is to be stored.
    mutating func offer(_ length: Int, capacity: Int) {
        offered += length
        guard offered - (marks.last?.offered ?? 0) > capacity / (2 * Self.marksInHalfOfCapacity) else { return }
        if marks.count > Self.marksInHalfOfCapacity { marks.removeFirst() }
        marks.append((offered, age))
    }

    /// Whether the age will pass an entry of so much worth before three tenths of the capacity are offered, if it goes on
    /// growing as it did.
    func outgrows(_ worth: Int, capacity: Int) -> Bool {
        guard let first = marks.first, marks.count > 2, offered > first.offered else { return false }
        let growth = Double(age.distance(from: first.age)) / Double(offered - first.offered)
        return Double(worth) < 0.3 * growth * Double(capacity)
    }
}
