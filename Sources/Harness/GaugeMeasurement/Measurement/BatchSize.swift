/// The number of operations between two readings of the clock.
///
/// A batch is long enough that reading the clock (about 20 ns) does not matter, and short enough that a slice has many
/// batches and the shortest of them was not interrupted.
package struct BatchSize: Equatable {
    /// The intended duration of a batch, nanoseconds.
    package let target: UInt64
    /// The number of operations.
    package private(set) var operations = 1
    /// Whether a batch of `operations` took a time close enough to the target.
    package private(set) var isCalibrated = false

    /// The largest number of operations, so that a body that takes no time does not run for ever.
    package static let most = 1 << 40

    package init(target: UInt64) { self.target = target }

    /// Adjusts the number after a batch of `operations` that took `nanoseconds`. Any time between 0.4 and 4 times the
    /// target is accepted, so that the size stays the same from slice to slice.
    package mutating func adjust(nanoseconds: UInt64) {
        let isLong = nanoseconds > target * 4 && operations > 1
        let isShort = nanoseconds < target * 2 / 5 && operations < Self.most
        isCalibrated = !isLong && !isShort
        guard !isCalibrated else { return }
        let wanted = Double(operations) * Double(target) / Double(max(nanoseconds, 1))
        // The first batches are cold, or so short that the clock's step matters: grow at most 16 times at once.
        operations = Int(min(max(wanted, 1), Double(operations) * 16, Double(Self.most)))
    }
}

/// The time of one batch, nanoseconds.
package struct BatchTime: Equatable {
    /// The time from the first start to the last end, which is reported.
    package let whole: UInt64
    /// The time of the quickest thread, which determines the size of the next batch. The whole also contains the
    /// wake-up of the last thread, which takes milliseconds on a busy machine however few the operations are; batches
    /// would shrink until they contain little else.
    package let quickest: UInt64

    /// The time of one thread.
    package init(_ nanoseconds: UInt64) {
        whole = nanoseconds
        quickest = nanoseconds
    }

    /// The time of one or several threads, from the start and end of each.
    package init(_ starts: some Sequence<UInt64>, _ ends: some Sequence<UInt64>) {
        whole = ends.reduce(0, max) - starts.reduce(.max, min)
        quickest = zip(starts, ends).map { $1 - $0 }.reduce(.max, min)
    }
}
