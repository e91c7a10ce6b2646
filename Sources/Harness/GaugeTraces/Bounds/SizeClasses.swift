// Invariant of the pointers: a class in `tops` has a heap that isn't empty, and places stay below the heap's length.

/// The requests that will be hits, by size class; each class is a heap with the latest request on top.
///
/// Past requests aren't removed at once: they are earlier than all others, so one comes to the top only when the heap
/// holds nothing else. A heap that has doubled drops them.
struct SizeClasses {
    /// The latest request of a class in use.
    private struct Top {
        let heap: Int
        var request: Int
        var size: Int
    }

    private var heaps: [[UInt32]] = Array(repeating: [], count: 256)
    /// The length at which a heap next drops its past requests.
    private var limits: [Int]
    private let leastLimit: Int
    /// In one array, since every eviction compares them all.
    private var tops: [Top] = []
    /// The place in `tops` of each class in use.
    private var places = Array(repeating: 0, count: 256)

    /// - Parameter leastLimit: the length from which a heap is shortened.
    init(leastLimit: Int = 1024) {
        self.leastLimit = leastLimit
        limits = Array(repeating: leastLimit, count: 256)
    }

    private static func index(of size: Int) -> Int {
        guard size >= 4 else { return max(0, size) }
        let octave = Int.bitWidth - 1 - size.leadingZeroBitCount
        return octave * 4 + (size >> (octave - 2)) & 3
    }

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - end: the request that will be a hit.
    ///   - size: bytes of the body that is held until then.
    ///   - now: the present request.
    ///   - sizes: the sizes of all requests.
    mutating func insert(_ end: Int, size: Int, at now: Int, sizes: SizeList) {
        let index = Self.index(of: size)
        if heaps[index].isEmpty {
            places[index] = tops.count
            tops.append(Top(heap: index, request: end, size: sizes[end]))
        } else if tops[places[index]].request < end {
            tops[places[index]] = Top(heap: index, request: end, size: sizes[end])
        }
        if heaps[index].count == limits[index] { dropHits(of: index, before: now) }
        heaps[index].append(UInt32(end))
        var at = heaps[index].count - 1
        while at > 0, heaps[index][(at - 1) / 2] < heaps[index][at] {
            heaps[index].swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }

    mutating func removeWorst(at now: Int, sizes: SizeList) -> Int? {
        var worst: (place: Int, footprint: Double)?
        var place = 0
        while place < tops.count {
            let top = tops[place]
            guard top.request > now else {
                heaps[top.heap].removeAll(keepingCapacity: true)
                removeTop(at: place)
                continue
            }
            let footprint = Double(top.size) * Double(top.request - now)
            if footprint > worst?.footprint ?? -1 { worst = (place, footprint) }
            place += 1
        }
        guard let worst else { return nil }
        let victim = tops[worst.place]
        removeLatest(of: victim.heap)
        if let latest = heaps[victim.heap].first.map(Int.init) {
            tops[worst.place] = Top(heap: victim.heap, request: latest, size: sizes[latest])
        } else {
            removeTop(at: worst.place)
        }
        return victim.request
    }

    private mutating func removeTop(at place: Int) {
        tops.swapAt(place, tops.count - 1)
        tops.removeLast()
        if place < tops.count { places[tops[place].heap] = place }
    }

    private mutating func removeLatest(of index: Int) {
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

    /// Drops the past requests but for one: a class leaves the order of comparison at the same moment whether or not
    /// they were dropped, and that order decides between equal footprints.
    private mutating func dropHits(of index: Int, before now: Int) {
        var hit: UInt32?
        heaps[index].removeAll {
            guard $0 <= now else { return false }
            hit = $0
            return true
        }
        // Sorted, latest first, they are a heap.
        heaps[index].sort(by: >)
        if let hit { heaps[index].append(hit) }
        limits[index] = max(leastLimit, 2 * heaps[index].count)
    }
}
