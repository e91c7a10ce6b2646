extension ReuseLog {
    /// The hits of an oracle that evicts the object with the largest size × time to its next request. This is a
    /// heuristic that a cache could follow if it knew the future, and not a bound: another choice may be better.
    ///
    /// Of the objects whose sizes differ by less than a quarter of an octave, only the one with the latest next request
    /// is compared.
    ///
    /// - Complexity: O(n (c + log n)), where c is the number of size classes, about 60 for web bodies.
    package func hitsOfBeladyBySize(capacity: Int) -> HitSum {
        let next = next
        var sum = HitSum()
        var held = OrderedIndices(limit: count)
        var classes = SizeClasses()
        var used = 0
        for index in 0..<count {
            if held.contains(index) {
                held.remove(index)
                used -= sizes[index]
                sum.add(sizes[index])
            }
            let end = Int(next[index])
            guard end != 0, sizes[index] <= capacity else { continue }
            held.insert(end)
            used += sizes[index]
            classes.insert(end, size: sizes[index])
            while used > capacity, let victim = classes.removeWorst(at: index, sizes: sizes) {
                held.remove(victim)
                used -= sizes[victim]
            }
        }
        return sum
    }
}

/// The requests that will be hits, by size class; each class is a heap with the latest request on top.
///
/// Requests that have been hits are not removed: they are earlier than all others, so one comes to the top only when
/// the heap holds nothing else.
private struct SizeClasses {
    private var heaps: [[UInt32]] = Array(repeating: [], count: 256)
    private var inUse: [Int] = []

    private static func index(of size: Int) -> Int {
        guard size >= 4 else { return max(0, size) }
        let octave = Int.bitWidth - 1 - size.leadingZeroBitCount
        return octave * 4 + (size >> (octave - 2)) & 3
    }

    mutating func insert(_ end: Int, size: Int) {
        let index = Self.index(of: size)
        if heaps[index].isEmpty { inUse.append(index) }
        heaps[index].append(UInt32(end))
        var at = heaps[index].count - 1
        while at > 0, heaps[index][(at - 1) / 2] < heaps[index][at] {
            heaps[index].swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }

    /// Removes the request with the largest size × distance.
    mutating func removeWorst(at now: Int, sizes: SizeList) -> Int? {
        var worst: (place: Int, footprint: Double)?
        var place = 0
        while place < inUse.count {
            let index = inUse[place]
            let top = Int(heaps[index][0])
            guard top > now else {
                heaps[index].removeAll(keepingCapacity: true)
                inUse.swapAt(place, inUse.count - 1)
                inUse.removeLast()
                continue
            }
            let footprint = Double(sizes[top]) * Double(top - now)
            if footprint > worst?.footprint ?? -1 { worst = (place, footprint) }
            place += 1
        }
        guard let worst else { return nil }
        let index = inUse[worst.place]
        let victim = Int(heaps[index][0])
        removeTop(of: index)
        if heaps[index].isEmpty {
            inUse.swapAt(worst.place, inUse.count - 1)
            inUse.removeLast()
        }
        return victim
    }

    private mutating func removeTop(of index: Int) {
        heaps[index].withUnsafeMutableBufferPointer { heap in
            let count = heap.count - 1
            heap[0] = heap[count]
            var at = 0
            while 2 * at + 1 < count {
                var child = 2 * at + 1
                if child + 1 < count, heap[child] < heap[child + 1] { child += 1 }
                guard heap[at] < heap[child] else { break }
                heap.swapAt(at, child)
                at = child
            }
        }
        heaps[index].removeLast()
    }
}
