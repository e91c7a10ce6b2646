/// Every key as likely as any other: no popularity for a cache to find.
public struct UniformKeys: KeyStream {
    /// How many objects there are.
    public let objects: Int
    var random: Xoshiro256

    /// Describes a stream over `objects` keys; fewer than 1 is taken as 1.
    public init(objects: Int, seed: UInt64) {
        self.objects = max(1, objects)
        random = Xoshiro256(seed: seed, "uniform")
    }

    /// The id asked for next, below ``objects``.
    public mutating func next() -> UInt64 { random.next(below: UInt64(objects)) }
}
