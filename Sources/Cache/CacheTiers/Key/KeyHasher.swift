// Invariant of the pointers: a key's bytes are lent for one call, and loads stay within its count: whole blocks from
// the front, and one block that ends with the key. `words` has `KeySchedule.count` words from `init` to `deinit`.

import Platform

/// Hashes cache keys to 128 bits under a secret seed, so that an attacker who chooses URLs cannot aim two at one slot.
///
/// The sum over 16-byte blocks of (first word + secret) × (second word + secret), each product and the sum in 128 bits,
/// is the NH family of Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: Fast and Secure Message Authentication"
/// (CRYPTO 1999), with 64-bit words: for two different keys of one length up to 512 bytes and a random secret, the sums
/// are equal with a chance of at most 2⁻⁶⁴, whatever the keys. A keyed Feistel network, which loses nothing since it is
/// a permutation, then spreads the sum over all bits. Longer keys pass through the permutation after every 512 bytes.
///
/// The secrets never leave the process and neither should the hashes: this is no message authentication code. A
/// collision costs time alone, because every hit compares the whole key.
///
/// - Complexity: linear in the key; about 4 ns for 40 bytes, 12 ns for 300, no allocation.
public struct KeyHasher: Sendable {
    @usableFromInline let schedule: KeySchedule

    /// A hasher whose secrets follow from `seed`: two with one seed agree on every key.
    public init(seed: KeySeed = .random()) { schedule = KeySchedule(seed: seed) }

    /// The seed of its secrets.
    var seed: KeySeed { schedule.seed }

    /// The hash of `bytes`, which may be empty.
    public func hash(_ bytes: RawSpan) -> KeyHash {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The hash of `bytes`, which may be empty.
    @inlinable
    @inline(__always)
    public func hash(_ bytes: UnsafeRawBufferPointer) -> KeyHash {
        // Nearly every key, inlined: a call would take a tenth of the time. The other lengths are separate functions.
        guard let start = bytes.baseAddress, (16...KeySchedule.chunk).contains(bytes.count) else {
            return bytes.count < 16 ? shortHash(bytes) : longHash(bytes)
        }
        var sum = initialSum(bytes.count)
        sum.add(start, count: bytes.count, schedule.blocks)
        return sum.permuted(schedule.words)
    }

    /// Keys whose last blocks overlap alike differ in length alone, so the length is part of the sum.
    @inlinable
    @inline(__always)
    func initialSum(_ count: Int) -> BlockSum {
        let secrets = schedule.words
        return BlockSum(low: secrets[KeySchedule.length] &+ UInt64(count), high: secrets[KeySchedule.length + 1])
    }

    @usableFromInline
    @inline(never)
    func shortHash(_ bytes: UnsafeRawBufferPointer) -> KeyHash {
        var sum = initialSum(bytes.count)
        let (first, second) = Self.shortBlock(bytes)
        sum.add(first, second, schedule.blocks)
        return sum.permuted(schedule.words)
    }

    /// More than a chunk.
    @usableFromInline
    @inline(never)
    func longHash(_ bytes: UnsafeRawBufferPointer) -> KeyHash {
        guard var at = bytes.baseAddress else { return shortHash(bytes) }
        var sum = initialSum(bytes.count)
        var left = bytes.count
        while left > KeySchedule.chunk {
            for block in 0..<KeySchedule.chunk / 16 { sum.add(at + block * 16, schedule.blocks + block * 2) }
            let mixed = sum.permuted(schedule.words)
            sum = BlockSum(low: mixed.low, high: mixed.high)
            at += KeySchedule.chunk
            left -= KeySchedule.chunk
        }
        if left < 16 {
            // Back to where a block begins that ends with the key.
            at -= 16 - left
            left = 16
        }
        sum.add(at, count: left, schedule.blocks)
        return sum.permuted(schedule.words)
    }

    /// Fewer than 16 bytes as two words; one to one for each length.
    @inline(__always)
    private static func shortBlock(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return (0, 0) }
        let count = bytes.count
        if count >= 8 {
            return (
                start.loadUnaligned(as: UInt64.self), start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return (
                UInt64(start.loadUnaligned(as: UInt32.self)),
                UInt64(start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            )
        }
        let middle = UInt64(start.load(fromByteOffset: count / 2, as: UInt8.self))
        let last = UInt64(start.load(fromByteOffset: count - 1, as: UInt8.self))
        return (UInt64(start.load(as: UInt8.self)), middle << 8 | last)
    }
}

/// The running 128-bit sum of products.
@usableFromInline
struct BlockSum {
    @usableFromInline var value: UInt128

    @inlinable
    @inline(__always)
    init(low: UInt64, high: UInt64) { value = UInt128(high) << 64 | UInt128(low) }

    @inlinable
    @inline(__always)
    mutating func add(_ first: UInt64, _ second: UInt64, _ secret: UnsafePointer<UInt64>) {
        // One multiplication: the compiler sees that the upper halves are zero.
        value &+= UInt128(first &+ secret[0]) &* UInt128(second &+ secret[1])
    }

    @inlinable
    @inline(__always)
    mutating func add(_ block: UnsafeRawPointer, _ secret: UnsafeRawPointer) {
        add(
            block.loadUnaligned(as: UInt64.self), block.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
            secret.assumingMemoryBound(to: UInt64.self))
    }

    /// Adds 16 to 512 bytes. The last block ends with them, and repeats some when `count` is not a multiple of 16.
    ///
    /// Blocks and their secrets are found by one offset, which needs fewer registers than two pointers.
    @inlinable
    @inline(__always)
    mutating func add(_ start: UnsafeRawPointer, count: Int, _ secrets: UnsafePointer<UInt64>) {
        let secrets = UnsafeRawPointer(secrets)
        let last = count &- 16
        var at = 0
        // Two at a time: four take 7 % longer at 300 bytes, and 10 % at 40.
        while at < last &- 16 {
            add(start + at, secrets + at)
            add(start + (at &+ 16), secrets + (at &+ 16))
            at &+= 32
        }
        if at < last { add(start + at, secrets + at) }
        add(start + last, secrets + ((count &- 1) & ~15))
    }

    /// Two Feistel rounds, whose round function folds a 128-bit product.
    @inlinable
    @inline(__always)
    func permuted(_ secrets: UnsafePointer<UInt64>) -> KeyHash {
        let rounds = secrets + KeySchedule.rounds
        let low = UInt64(truncatingIfNeeded: value)
        let high = UInt64(truncatingIfNeeded: value >> 64)
        let mixedLow = low ^ Self.fold(high ^ rounds[0], rounds[1])
        let mixedHigh = high ^ Self.fold(mixedLow ^ rounds[2], rounds[3])
        return KeyHash(low: mixedLow, high: mixedHigh)
    }

    @inlinable
    @inline(__always)
    static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

/// The secret words that a seed expands to.
///
/// `@unchecked Sendable`: the words are written in `init`, before another thread can see them, and only read
/// afterwards.
@usableFromInline
final class KeySchedule: @unchecked Sendable {
    /// Bytes that the block secrets cover.
    @inlinable static var chunk: Int { 512 }
    /// Where the two words stand that the sum starts from.
    @inlinable static var length: Int { 0 }
    /// Where the four words of the Feistel rounds stand.
    @inlinable static var rounds: Int { 2 }
    /// Where those of the blocks begin, two for each. The ones that every key needs stand before them, close to the
    /// beginning: offsets below 128 make shorter instructions.
    @inlinable static var blocks: Int { 6 }
    static let count = blocks + chunk / 8

    let seed: KeySeed
    @usableFromInline let words: UnsafePointer<UInt64>
    /// Those of the blocks.
    @inlinable var blocks: UnsafePointer<UInt64> { words + Self.blocks }

    init(seed: KeySeed) {
        self.seed = seed
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.count)
        for index in 0..<Self.count {
            let step = UInt64(index + 1)
            let first = splitMixed(seed.first &+ step &* splitMixStep)
            let second = splitMixed(seed.second &+ step &* 0xD1B5_4A32_D192_ED03)
            words[index] = splitMixed(first ^ (second << 32 | second >> 32))
        }
        // A multiplier of zero would fold every input to nothing; odd ones cannot be zero.
        words[Self.rounds + 1] |= 1
        words[Self.rounds + 3] |= 1
        self.words = UnsafePointer(words)
    }

    deinit { words.deallocate() }
}

/// A 128-bit hash of a cache key, keyed by a seed that is random per cache.
public struct KeyHash: Hashable, Sendable {
    /// The low half: chooses bucket and fingerprint.
    public let low: UInt64
    /// The high half.
    public let high: UInt64

    /// Joins two halves.
    @inlinable
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }
}

/// Makes one cache's hashes different from every other's.
public struct KeySeed: Hashable, Sendable {
    /// The first 64 bits.
    public let first: UInt64
    /// The second 64 bits.
    public let second: UInt64

    /// A chosen seed, for tests and benchmarks that need the same hashes every time.
    public init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    /// A seed from the system's random source, unknown outside the process.
    public static func random() -> KeySeed {
        var source = SystemRandomNumberGenerator()
        return KeySeed(source.next(), source.next())
    }
}
