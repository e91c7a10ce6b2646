/// How many operations are run between two readings of the clock.
///
/// Long enough that reading the clock (some 20 ns) is lost in it, short enough that a slice has many batches and the
/// shortest of them was not interrupted.
struct BatchSize: Equatable {
    /// A batch should take about this long, nanoseconds.
    let target: UInt64
    /// The number of operations.
    private(set) var operations = 1
    /// A batch of `operations` was seen to take a time near enough to the target.
    private(set) var isSettled = false

    /// More operations than this are not tried: a body that takes no time at all must not be run for ever.
    static let most = 1 << 40

    init(target: UInt64) { self.target = target }

    /// Adjusts to a batch of `operations` that took `nanoseconds`: settles between 0.4 and 4 times the target, so that
    /// the size stays the same from slice to slice.
    mutating func adjust(nanoseconds: UInt64) {
        let isLong = nanoseconds > target * 4 && operations > 1
        let isShort = nanoseconds < target * 2 / 5 && operations < Self.most
        isSettled = !isLong && !isShort
        guard !isSettled else { return }
        let wanted = Double(operations) * Double(target) / Double(max(nanoseconds, 1))
        // The first batches are cold, or so short that the clock's own step shows: never more than 16 times at once.
        operations = Int(min(max(wanted, 1), Double(operations) * 16, Double(Self.most)))
    }
}
