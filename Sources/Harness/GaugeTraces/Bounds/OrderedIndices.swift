/// A set of whole numbers below a limit that can return its largest: a 64-way tree of bits, in which each bit tells
/// whether the word below it is not zero. Every operation accesses one word per level; four levels hold 16 million
/// numbers.
package struct OrderedIndices {
    private var levels: [[UInt64]] = []
    /// How many numbers are in the set.
    package private(set) var count = 0

    /// An empty set of numbers below `limit`.
    package init(limit: Int) {
        var words = max(limit, 1)
        repeat {
            words = (words + 63) / 64
            levels.append([UInt64](repeating: 0, count: words))
        } while words > 1
    }

    package func contains(_ number: Int) -> Bool { levels[0][number >> 6] & bit(number) != 0 }

    /// Adds a number that is not in the set.
    package mutating func insert(_ number: Int) {
        count += 1
        var number = number
        for level in levels.indices {
            levels[level][number >> 6] |= bit(number)
            number >>= 6
        }
    }

    /// Removes a number that is in the set.
    package mutating func remove(_ number: Int) {
        count -= 1
        var number = number
        for level in levels.indices {
            levels[level][number >> 6] &= ~bit(number)
            if levels[level][number >> 6] != 0 { return }
            number >>= 6
        }
    }

    /// The largest number in the set.
    package var largest: Int? {
        guard count > 0 else { return nil }
        var number = 0
        for level in levels.reversed() { number = number << 6 | (63 - level[number].leadingZeroBitCount) }
        return number
    }

    private func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }
}
