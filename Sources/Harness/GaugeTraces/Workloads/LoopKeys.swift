/// The same keys over and over in the same order. An LRU cache that is one entry too small never hits.
@usableFromInline package struct LoopKeys: KeyStream {
    /// The number of objects.
    @usableFromInline package let objects: Int
    package var upcoming: UInt64 = 0

    /// Creates a loop over `objects` keys; fewer than 1 is taken as 1.
    @usableFromInline package init(objects: Int) { self.objects = max(1, objects) }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 {
        defer { upcoming = upcoming + 1 == UInt64(objects) ? 0 : upcoming + 1 }
        return upcoming
    }
}
