/// A logged trace as an oracle reads it; made by ``ReuseLog/turned()``.
///
/// Takes the memory of the log. An oracle takes another an eighth of a byte per request, and at most 24 bytes for each
/// object that it holds.
package struct NextRequests {
    /// For each request, the later request that its response could answer; 0 for none.
    let next: [UInt32]
    /// The bytes of each request's body.
    let sizes: SizeList
    /// For each request, the smallest size in bytes of an entry that can answer it.
    let footprints: SizeList

    package var count: Int { next.count }
}

extension NextRequests {
    /// The most hits that any cache of `entries` objects can have: exact if sizes don't count.
    ///
    /// Belady's MIN ("A study of replacement algorithms for a virtual-storage computer", 1966) with bypassing: when
    /// there's one object too many, the one with the latest next request goes, even if it is the newest. Holding an
    /// object between two requests is an interval; this greedy rule chooses the largest number of intervals with no
    /// more than `entries` overlapping (Carlisle and Lloyd, "On the k-coloring of intervals", 1995).
    package func hitsOfMIN(entries: Int) -> HitSum {
        var sum = HitSum()
        // The requests that will be hits.
        var held = OrderedIndices(limit: count)
        for index in 0..<count {
            if held.contains(index) {
                held.remove(index)
                sum.add(sizes[index])
            }
            guard next[index] != 0 else { continue }
            held.insert(Int(next[index]))
            if held.count > entries, let latest = held.largest { held.remove(latest) }
        }
        return sum
    }
}

extension NextRequests {
    /// The hits of an oracle that evicts the object with the largest size × time to its next request. That's a
    /// heuristic, not a bound: another choice may be better.
    ///
    /// Among objects whose sizes differ by less than a quarter of an octave, only the one with the latest next request
    /// is compared.
    ///
    /// - Complexity: O(n (c + log n)), where c is the number of size classes, about 60 for web bodies.
    package func hitsOfBeladyBySize(capacity: Int) -> HitSum {
        var sum = HitSum()
        var held = OrderedIndices(limit: count)
        var classes = SizeClasses()
        var used = 0
        for index in 0..<count {
            if held.contains(index) {
                held.remove(index)
                used -= footprints[index]
                sum.add(sizes[index])
            }
            let end = Int(next[index])
            guard end != 0, footprints[end] <= capacity else { continue }
            held.insert(end)
            used += footprints[end]
            classes.insert(end, size: footprints[end], at: index, sizes: footprints)
            while used > capacity, let victim = classes.removeWorst(at: index, sizes: footprints) {
                held.remove(victim)
                used -= footprints[victim]
            }
        }
        return sum
    }
}

/// A set of whole numbers below a limit that knows its largest: a 64-way tree of bits, each of which tells whether the
/// word below it isn't zero. An operation accesses one word per level; four levels hold 16 million numbers.
package struct OrderedIndices {
    private var levels: [[UInt64]] = []
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

    package mutating func insert(_ number: Int) {
        count += 1
        var number = number
        for level in levels.indices {
            levels[level][number >> 6] |= bit(number)
            number >>= 6
        }
    }

    package mutating func remove(_ number: Int) {
        count -= 1
        var number = number
        for level in levels.indices {
            levels[level][number >> 6] &= ~bit(number)
            if levels[level][number >> 6] != 0 { return }
            number >>= 6
        }
    }

    package var largest: Int? {
        guard count > 0 else { return nil }
        var number = 0
        for level in levels.reversed() { number = number << 6 | (63 - level[number].leadingZeroBitCount) }
        return number
    }

    private func bit(_ number: Int) -> UInt64 { 1 << UInt64(number & 63) }
}
