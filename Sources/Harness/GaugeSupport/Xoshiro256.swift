import Platform

/// xoshiro256**, the harness's source of pseudo-random numbers: 256 bits of state, period 2^256 − 1, about 1 ns per
/// number (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021).
///
/// A seed gives the same sequence on every machine and in every run. Not for cryptography.
@usableFromInline package struct Xoshiro256: RandomNumberGenerator, Sendable {
    package var s0: UInt64
    package var s1: UInt64
    package var s2: UInt64
    package var s3: UInt64

    /// Starts the sequence of `seed`. ``SplitMix64`` fills the state, as the paper advises, so it's never zero.
    @usableFromInline package init(seed: UInt64) {
        var filler = SplitMix64(seed: seed)
        s0 = filler.next()
        s1 = filler.next()
        s2 = filler.next()
        s3 = filler.next()
    }

    /// Starts the sequence for one use of a run's seed.
    ///
    /// - Parameter label: names the use: `"keys"`, `"order"`.
    @usableFromInline package init(seed: UInt64, _ label: StaticString) {
        self.init(seed: SplitMix64.derive(seed, label))
    }

    @usableFromInline package mutating func next() -> UInt64 {
        let result = rotateLeft(s1 &* 5, 7) &* 9
        let t = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = rotateLeft(s3, 45)
        return result
    }

    /// A number from 0 up to but not including 1, one of 2^53 evenly spaced ones.
    @usableFromInline package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number below `bound`, each equally likely.
    ///
    /// The standard library's `next(upperBound:)` may draw other numbers in another release; this function never
    /// changes. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
    ///
    /// - Parameter bound: 0 is taken as 1.
    @usableFromInline package mutating func next(below bound: UInt64) -> UInt64 {
        guard bound > 1 else { return 0 }
        var product = next().multipliedFullWidth(by: bound)
        if product.low < bound {
            let threshold = (0 &- bound) % bound
            while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
        }
        return product.high
    }
}

@inline(__always)
package func rotateLeft(_ value: UInt64, _ count: UInt64) -> UInt64 { (value << count) | (value >> (64 - count)) }

/// SplitMix64: a counter passed through a finaliser (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014; constants of Stafford's Mix13).
///
/// Here it seeds ``Xoshiro256``. Its finaliser also turns a number into an unrelated one, so a key's properties (size,
/// URL) can be computed from it instead of being stored.
@usableFromInline package struct SplitMix64: RandomNumberGenerator, Sendable {
    package var state: UInt64

    /// Starts the sequence of `seed`; every seed is equally good, even 0.
    @usableFromInline package init(seed: UInt64) { state = seed }

    @usableFromInline package mutating func next() -> UInt64 {
        state &+= splitMixStep
        return Self.mix(state)
    }

    /// A bijection of 64 bits in which every input bit reaches every output bit.
    @inlinable
    package static func mix(_ value: UInt64) -> UInt64 { splitMixed(value) }

    /// Derives the seed for one use from a run's seed, so that two uses don't draw the same numbers.
    ///
    /// - Parameter label: names the use: `"keys"`, `"sizes"`. Hashed by FNV-1a.
    @usableFromInline package static func derive(_ seed: UInt64, _ label: StaticString) -> UInt64 {
        mix(mix(seed) ^ label.withUTF8Buffer { fnv1a($0) })
    }
}
