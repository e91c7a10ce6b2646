import GaugeSupport

/// Every key as likely as any other: no popularity for a cache to find.
@usableFromInline package struct UniformKeys: KeyStream {
    /// The number of objects.
    @usableFromInline package let objects: Int
    package var random: Xoshiro256

    /// Creates a stream over `objects` keys; fewer than 1 is taken as 1.
    @usableFromInline package init(objects: Int, seed: UInt64) {
        self.objects = max(1, objects)
        random = Xoshiro256(seed: seed, "uniform")
    }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 { random.next(below: UInt64(objects)) }
}
