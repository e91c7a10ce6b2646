import Platform

/// Greedy Dual Size with Frequency (Cherkasova 1998, with a cost of 1 for every entry): the entry of the smallest value
/// goes first, and of equal values the least recently used. Each use sets the value to the order's age plus uses /
/// size. The age is the value of the last entry that was evicted, so that entries which aren't used anymore go in the
/// end.
///
/// A binary heap. A use only notes the new value, which is never smaller than the old one; the entry is moved when it
/// comes to the top. 56 bytes a node.
///
/// Invariants: `slots` has room for the numbers 0 to `capacity`, and `heap` for `capacity` elements, of which the first
/// `count` are initialised. `slots[node].place` is a node's place in the heap, else `outside`. A value in the heap is
/// at most the one in the slot.
final class GreedyDualSizeOrder: EvictionOrder {
    private struct Slot {
        var value = Value()
        var uses: UInt32 = 0
        var size: UInt32 = 0
        var place = GreedyDualSizeOrder.outside
    }

    private struct Value: Comparable {
        var worth = 0.0
        /// Counts the uses of all entries.
        var usedAt: UInt64 = 0

        static func < (left: Value, right: Value) -> Bool {
            left.worth < right.worth || left.worth == right.worth && left.usedAt < right.usedAt
        }
    }

    private struct Element {
        var value: Value
        var node: UInt32
    }

    private static let outside = UInt32.max

    // Exclusive access follows from the tier's lock.
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var heap: UnsafeMutablePointer<Element>
    @exclusivity(unchecked) private var capacity = 0
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var age = 0.0
    @exclusivity(unchecked) private var uses: UInt64 = 0

    override init() {
        slots = .allocate(capacity: 1)
        slots.initialize(to: Slot())
        heap = .allocate(capacity: 1)
    }

    deinit {
        slots.deallocate()
        heap.deallocate()
    }

    override func grow(to larger: Int) {
        let grownSlots = UnsafeMutablePointer<Slot>.allocate(capacity: larger + 1)
        grownSlots.moveInitialize(from: slots, count: capacity + 1)
        (grownSlots + capacity + 1).initialize(repeating: Slot(), count: larger - capacity)
        let grownHeap = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        grownHeap.moveInitialize(from: heap, count: count)
        replace(grownSlots, grownHeap, capacity: larger)
    }

    override func removeAll(capacity: Int) {
        let emptySlots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity + 1)
        emptySlots.initialize(repeating: Slot(), count: capacity + 1)
        count = 0
        replace(emptySlots, .allocate(capacity: capacity), capacity: capacity)
    }

    private func replace(_ slots: UnsafeMutablePointer<Slot>, _ heap: UnsafeMutablePointer<Element>, capacity: Int) {
        self.slots.deallocate()
        self.heap.deallocate()
        self.slots = slots
        self.heap = heap
        self.capacity = capacity
    }

    // MARK: Nodes

    override func insert(_ node: UInt32, size: Int) {
        slots[Int(node)].uses = 0
        putBack(node, size: size)
    }

    override func holdBack(_ node: UInt32) { remove(node) }

    override func putBack(_ node: UInt32, size: Int) {
        slots[Int(node)].size = UInt32(clamping: size)
        note(node)
        count += 1
        rise(from: count - 1, Element(value: slots[Int(node)].value, node: node))
    }

    override func remove(_ node: UInt32) {
        let place = Int(slots[Int(node)].place)
        slots[Int(node)].place = Self.outside
        count -= 1
        guard place != count else { return }
        let last = heap[count]
        if place > 0, last.value < heap[(place - 1) / 2].value {
            rise(from: place, last)
        } else {
            sink(from: place, last)
        }
    }

    override func use(_ node: UInt32) {
        if Int(node) <= capacity, slots[Int(node)].place != Self.outside { note(node) }
    }

    /// Notes a use in the node's slot.
    @inline(__always)
    private func note(_ node: UInt32) {
        let slot = slots + Int(node)
        uses += 1
        if slot.pointee.uses < .max { slot.pointee.uses += 1 }
        slot.pointee.value = Value(
            worth: age + Double(slot.pointee.uses) / Double(max(slot.pointee.size, 1)), usedAt: uses)
    }

    // MARK: Evicting

    override func next() -> UInt32 {
        while count > 0 {
            let top = heap[0]
            let value = slots[Int(top.node)].value
            if value == top.value { return top.node }
            sink(from: 0, Element(value: value, node: top.node))
        }
        return 0
    }

    override func willEvict(_ node: UInt32) { age = max(age, slots[Int(node)].value.worth) }

    override func nodes() -> [UInt32] {
        (0..<count).map { heap[$0].node }.sorted { slots[Int($0)].value < slots[Int($1)].value }
    }

    override func renumber(_ numbers: [UInt32], capacity: Int) {
        let newSlots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity + 1)
        newSlots.initialize(repeating: Slot(), count: capacity + 1)
        let newHeap = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        for place in 0..<count {
            let old = heap[place]
            let node = numbers[Int(old.node)]
            newSlots[Int(node)] = slots[Int(old.node)]
            (newHeap + place).initialize(to: Element(value: old.value, node: node))
        }
        replace(newSlots, newHeap, capacity: capacity)
    }

    // MARK: The heap

    @inline(__always)
    private func put(_ element: Element, at place: Int) {
        heap[place] = element
        slots[Int(element.node)].place = UInt32(truncatingIfNeeded: place)
    }

    private func rise(from start: Int, _ element: Element) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard element.value < heap[parent].value else { break }
            put(heap[parent], at: place)
            place = parent
        }
        put(element, at: place)
    }

    private func sink(from start: Int, _ element: Element) {
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < count else { break }
            if child + 1 < count, heap[child + 1].value < heap[child].value { child += 1 }
            guard heap[child].value < element.value else { break }
            put(heap[child], at: place)
            place = child
        }
        put(element, at: place)
    }
}
