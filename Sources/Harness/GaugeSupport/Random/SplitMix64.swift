import Platform

/// SplitMix64: a counter passed through a finaliser (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014; constants of Stafford's Mix13).
///
/// Here it seeds ``Xoshiro256``. Its finaliser also turns a number into an unrelated one, so that the properties of a
/// key (its size, its URL) can be computed from the key instead of being stored.
@usableFromInline package struct SplitMix64: RandomNumberGenerator, Sendable {
    package var state: UInt64

    /// Starts the sequence of `seed`; every seed is equally good, 0 too.
    @usableFromInline package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    @usableFromInline package mutating func next() -> UInt64 {
        state &+= splitMixStep
        return Self.mix(state)
    }

    /// A bijection of 64 bits in which every input bit reaches every output bit.
    @inlinable
    package static func mix(_ value: UInt64) -> UInt64 { splitMixed(value) }

    /// Derives the seed for one use from a run's seed, so that two uses do not draw the same numbers.
    ///
    /// - Parameter label: names the use: `"keys"`, `"sizes"`. Hashed by FNV-1a.
    @usableFromInline package static func derive(_ seed: UInt64, _ label: StaticString) -> UInt64 {
        mix(mix(seed) ^ label.withUTF8Buffer { fnv1a($0) })
    }
}
