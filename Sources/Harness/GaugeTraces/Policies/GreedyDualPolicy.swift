/// Greedy Dual Size with Frequency: evicts the object of the smallest value, and of equal values the least recently
/// used. Each request sets the value to the cache's age plus the object's requests over its size. The age is the value
/// of the last evicted object, so objects that nobody requests anymore go in the end. A new version of an object keeps
/// its requests. L. Cherkasova, "Improving WWW proxies performance with Greedy-Dual-Size-Frequency caching policy", HP
/// Labs HPL-98-69R1, 1998, with a cost of 1 for every object.
///
/// A binary heap. A request only notes the new value, which is never smaller than the old one; the object is sorted in
/// when it comes to the top.
package struct GreedyDualPolicy<Weight: ObjectWeight>: SimulatedPolicy {
    package static var name: String { Weight.name }
    package static var summary: String { Weight.summary }

    private struct Value {
        var worth = 0.0
        /// The number of the last request.
        var usedAt: UInt64 = 0

        @inline(__always)
        static func < (left: Value, right: Value) -> Bool {
            left.worth < right.worth || left.worth == right.worth && left.usedAt < right.usedAt
        }
    }

    private struct Slot {
        var value = Value()
        var size = 0
        var uses: UInt32 = 0
        /// The object's place in the heap, plus one; 0 if it isn't held.
        var place: UInt32 = 0
    }

    private struct Element {
        var value: Value
        var object: UInt32
    }

    private var capacity: Int
    package private(set) var used = 0
    private var slots: [Slot] = []
    private var heap: [Element] = []
    private var age = 0.0
    private var requests: UInt64 = 0

    package init(capacity: Int) { self.capacity = capacity }

    package mutating func reserve(_ count: Int) { slots.grow(to: count, with: Slot()) }

    package mutating func request(_ object: Int) -> Bool {
        guard slots[object].place != 0 else { return false }
        note(object)
        return true
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        store(object, size: size, uses: 0, evicted)
    }

    package mutating func replace(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        let uses = slots[object].uses
        remove(object)
        store(object, size: size, uses: uses, evicted)
    }

    @inline(__always)
    private mutating func store(_ object: Int, size: Int, uses: UInt32, _ evicted: (Int, Int) -> Void) {
        evict(until: capacity - size, evicted)
        slots[object].size = size
        slots[object].uses = uses
        note(object)
        used += size
        let element = Element(value: slots[object].value, object: UInt32(truncatingIfNeeded: object))
        heap.append(element)
        rise(from: heap.count - 1, element)
    }

    package mutating func remove(_ object: Int) {
        let place = Int(slots[object].place) - 1
        guard place >= 0, let last = heap.popLast() else { return }
        slots[object].place = 0
        used -= slots[object].size
        guard place < heap.count else { return }
        if place > 0, last.value < heap[(place - 1) / 2].value {
            rise(from: place, last)
        } else {
            sink(from: place, last)
        }
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        evict(until: capacity, evicted)
    }

    @inline(__always)
    private mutating func note(_ object: Int) {
        requests += 1
        if slots[object].uses < .max { slots[object].uses += 1 }
        slots[object].value = Value(
            worth: age + Double(slots[object].uses) / Weight.of(slots[object].size), usedAt: requests)
    }

    private mutating func evict(until goal: Int, _ evicted: (Int, Int) -> Void) {
        while used > goal, let top = heap.first {
            let object = Int(top.object)
            let value = slots[object].value
            if value.usedAt != top.value.usedAt {
                sink(from: 0, Element(value: value, object: top.object))
            } else {
                age = max(age, value.worth)
                evicted(object, slots[object].size)
                remove(object)
            }
        }
    }

    // MARK: The heap

    @inline(__always)
    private mutating func put(_ element: Element, at place: Int) {
        heap[place] = element
        slots[Int(element.object)].place = UInt32(truncatingIfNeeded: place + 1)
    }

    private mutating func rise(from start: Int, _ element: Element) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard element.value < heap[parent].value else { break }
            put(heap[parent], at: place)
            place = parent
        }
        put(element, at: place)
    }

    private mutating func sink(from start: Int, _ element: Element) {
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].value < heap[child].value { child += 1 }
            guard heap[child].value < element.value else { break }
            put(heap[child], at: place)
            place = child
        }
        put(element, at: place)
    }
}

/// The weight of an object in ``GreedyDualPolicy``.
package protocol ObjectWeight: Sendable {
    static var name: String { get }
    static var summary: String { get }
    static func of(_ size: Int) -> Double
}

/// The size: the most hits.
package enum WholeSize: ObjectWeight {
    package static let name = "gdsf"
    package static let summary = "large objects with few hits first, by a value that ages (Cherkasova 1998)"

    @inline(__always)
    package static func of(_ size: Int) -> Double { Double(max(size, 1)) }
}

/// The square root of the size: fewer hits than by size, and more bytes of hits.
package enum RootOfSize: ObjectWeight {
    package static let name = "gdsf-sqrt"
    package static let summary = "gdsf with the square root of the size: fewer hits, more bytes"

    @inline(__always)
    package static func of(_ size: Int) -> Double { Double(max(size, 1)).squareRoot() }
}
