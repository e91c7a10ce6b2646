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
