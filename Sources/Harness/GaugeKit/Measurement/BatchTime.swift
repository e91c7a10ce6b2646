/// What a batch took, nanoseconds.
struct BatchTime: Equatable {
    /// From the first start to the last end: what is reported.
    let whole: UInt64
    /// The time of the thread that was quickest, by which the size of the next batch is chosen: the whole holds the waking
    /// of the last thread too, on a busy machine milliseconds however few the operations are, and batches would be made
    /// smaller until there is nothing else in it.
    let quickest: UInt64

    /// Of one thread.
    init(_ nanoseconds: UInt64) {
        whole = nanoseconds
        quickest = nanoseconds
    }

    /// Of several threads, by when each began and ended.
    init(_ starts: some Sequence<UInt64>, _ ends: some Sequence<UInt64>) {
        whole = (ends.max() ?? 0) - (starts.min() ?? 0)
        quickest = zip(starts, ends).map { $1 - $0 }.min() ?? 0
    }
}
