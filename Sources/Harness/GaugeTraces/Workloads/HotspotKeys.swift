import GaugeSupport

/// A few objects get most requests, and these objects change over time, like today's news. A cache has to forget
/// yesterday's.
///
/// The hot objects are neighbours, and start over at the first object after the last.
@usableFromInline package struct HotspotKeys: KeyStream {
    /// The number of objects.
    @usableFromInline package let objects: Int
    /// The number of hot objects at one time, at least 1.
    @usableFromInline package let hot: Int
    package let share: Double
    package let every: Int
    package let step: Int
    package var first = 0
    package var untilMove: Int
    package var random: Xoshiro256

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - objects: the number of objects; fewer than 1 is taken as 1.
    ///   - fraction: the hot part of the objects, from 0 to 1.
    ///   - share: the part of the requests for hot objects, from 0 to 1. The rest goes to all objects, including the
    ///     hot ones.
    ///   - every: the number of requests after which the hot objects move; fewer than 1 is taken as 1.
    ///   - step: how far they move, as a part of their number, from 0 (never) to 1 (all are replaced).
    ///   - seed: selects one of the possible streams.
    @usableFromInline package init(
        objects: Int, fraction: Double, share: Double, every: Int, step: Double, seed: UInt64
    ) {
        self.objects = max(1, objects)
        hot = Self.part(fraction, of: self.objects, atLeast: 1)
        self.share = share
        self.every = max(1, every)
        self.step = step > 0 ? Self.part(step, of: hot, atLeast: 1) : 0
        untilMove = self.every
        random = Xoshiro256(seed: seed, "hotspot")
    }

    /// The next requested id, below ``objects``.
    @usableFromInline package mutating func next() -> UInt64 {
        if untilMove == 0 {
            first = (first + step) % objects
            untilMove = every
        }
        untilMove -= 1
        guard random.nextUnit() < share else { return random.next(below: UInt64(objects)) }
        return UInt64((first + Int(random.next(below: UInt64(hot)))) % objects)
    }

    private static func part(_ fraction: Double, of whole: Int, atLeast least: Int) -> Int {
        guard fraction > 0 else { return least }
        return max(least, Int(min(fraction, 1) * Double(whole)))
    }
}
