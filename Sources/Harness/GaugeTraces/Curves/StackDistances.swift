/// The number of other objects requested since an object's last request. It simulates LRU caches of all capacities at
/// once: the request is a hit in those that hold more entries (Mattson, Gecsei, Slutz and Traiger, "Evaluation
/// techniques for storage hierarchies", 1970).
///
/// Every object has a place in a line, at the time of its last request; a binary indexed tree keeps the prefix sums
/// (Fenwick, 1994). A full line is compacted. Takes O(log n) time per request, where n is the number of objects, and 40
/// bytes per object, however long the trace.
package struct StackDistances {
    private var places: [UInt64: UInt32] = [:]
    /// The object at each place; `nil` if the object has moved on.
    private var line: [UInt64?] = []
    /// The tree over the places, from 1.
    private var tree: [UInt32]
    private var length: Int

    /// - Parameter length: the initial number of places; it grows with the number of objects.
    package init(length: Int = 4096) {
        self.length = max(2, length)
        tree = [UInt32](repeating: 0, count: self.length + 1)
    }

    /// Requests an object.
    ///
    /// - Returns: the number of distinct other objects requested since its last request; `nil` for the first request.
    package mutating func access(_ id: UInt64) -> Int? {
        if line.count == length { compact() }
        var distance: Int?
        if let place = places[id] {
            distance = places.count - sum(upTo: Int(place) + 1)
            add(-1, at: Int(place) + 1)
            line[Int(place)] = nil
        }
        places[id] = UInt32(line.count)
        line.append(id)
        add(1, at: line.count)
        return distance
    }

    private mutating func compact() {
        line = line.filter { $0 != nil }
        length = max(length, 2 * line.count)
        for (place, id) in line.enumerated() { if let id { places[id] = UInt32(place) } }
        tree = [UInt32](repeating: 0, count: length + 1)
        // Every node adds its sum to its parent, in ascending order: linear time.
        for place in 1...length {
            if place <= line.count { tree[place] += 1 }
            let above = place + place & -place
            if above <= length { tree[above] += tree[place] }
        }
    }

    private func sum(upTo place: Int) -> Int {
        var sum = 0
        var place = place
        while place > 0 {
            sum += Int(tree[place])
            place &= place - 1
        }
        return sum
    }

    private mutating func add(_ change: Int32, at place: Int) {
        var place = place
        while place <= length {
            tree[place] = UInt32(bitPattern: Int32(bitPattern: tree[place]) + change)
            place += place & -place
        }
    }
}

/// The number of requests at each stack distance, i.e. the hits of LRU at every number of entries.
struct DistanceHistogram {
    private var distances = StackDistances()
    private var counts: [Int] = []

    mutating func add(_ object: Int) {
        guard let distance = distances.access(UInt64(object)) else { return }
        if distance >= counts.count { counts.append(contentsOf: repeatElement(0, count: distance + 1 - counts.count)) }
        counts[distance] += 1
    }

    /// - Complexity: linear in the number of entries.
    func hits(at entries: Int) -> Int { counts.prefix(max(0, entries)).reduce(0, +) }
}
