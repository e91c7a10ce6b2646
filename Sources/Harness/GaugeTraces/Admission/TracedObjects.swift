// Invariant of the pointers: they lie inside the slots and are only prefetched.

import CSupport
import GaugeSupport
import Platform

/// The state of each object of a trace: a hash table with open addressing, so that everything about an object lies
/// together. Each cache line that a request touches is a cold one; a dictionary and an array would touch four.
///
/// Takes 48 to 96 bytes per object, and half as much again while it grows.
package struct TracedObjects {
    package struct Object {
        fileprivate var id: UInt64 = 0
        /// The number plus one; 0 if there is no object.
        fileprivate var mark: UInt32 = 0
        package var past = ReuseLog.Past()
        /// The cost of its entry beside its body, bytes; ``unknown`` before its first request, ``refused`` if the cache
        /// accepts no key from its URL.
        package var keyCost = Self.unknown
        /// Bytes of its body at its last request; −1 before the first. An assumed size s is kept as −2 − s until the
        /// trace states one.
        package var size = -1

        package static let unknown: Int32 = -1
        package static let refused: Int32 = -2

        /// How many objects came before it.
        package var number: Int { Int(mark) - 1 }

        /// Whether the trace hasn't stated a size yet.
        var isAssumed: Bool { size < -1 }

        /// Bytes of its body at its last request, stated or assumed; `nil` before the first.
        var knownSize: Int? { size >= 0 ? size : isAssumed ? -2 - size : nil }
    }

    private var slots = [Object](repeating: Object(), count: 1 << 10)
    private var count = 0
    /// Random, so that nobody can write a trace whose ids collide.
    private let seed = UInt64.random(in: 0...UInt64.max)

    package init() {}

    /// The index of an object, which is added if it is new. Valid until the table grows: at least until the next call,
    /// or for as many new objects as room was made for.
    package mutating func place(of id: UInt64) -> Int {
        let place = search(id)
        if slots[place].mark != 0 { return place }
        count += 1
        slots[place].id = id
        slots[place].mark = UInt32(truncatingIfNeeded: count)
        guard count * 3 > slots.count * 2 else { return place }
        grow()
        return search(id)
    }

    /// The index of an object; `nil` if it is new.
    func knownPlace(of id: UInt64) -> Int? {
        let place = search(id)
        return slots[place].mark == 0 ? nil : place
    }

    /// Makes room for so many more objects, so that ``prefetch(_:)`` finds the right places.
    package mutating func reserve(_ more: Int) { while (count + more) * 3 > slots.count * 2 { grow() } }

    /// Begins to load an object's place and those after it, which are searched next.
    @inline(__always)
    package func prefetch(_ id: UInt64) {
        let first = first(id)
        slots.withUnsafeBufferPointer {
            guard let base = $0.baseAddress else { return }
            cs_prefetch(base + first)
            cs_prefetch(base + first + 2)
        }
    }

    package subscript(place: Int) -> Object {
        get { slots[place] }
        set { slots[place] = newValue }
    }

    package func forEach(_ body: (Object) -> Void) { for slot in slots where slot.mark != 0 { body(slot) } }

    /// The index of an id, or where it would be inserted.
    @inline(__always)
    private func search(_ id: UInt64) -> Int {
        var place = first(id)
        while slots[place].mark != 0, slots[place].id != id { place = (place + 1) & (slots.count - 1) }
        return place
    }

    @inline(__always)
    private func first(_ id: UInt64) -> Int {
        Int(truncatingIfNeeded: splitMixed(splitMixed(id ^ seed) &+ seed)) & (slots.count - 1)
    }

    private mutating func grow() {
        let all = slots
        slots = Array(roomFor: all.count * 2)
        slots.grow(to: all.count * 2, with: Object())
        for slot in all where slot.mark != 0 { slots[search(slot.id)] = slot }
    }
}

/// The objects of a trace by the cost of their entries.
package struct WorkingSet: Sendable {
    /// The costs, in ascending order.
    private let costs: [Int]
    package let bytes: Int

    package init(_ costs: [Int]) {
        self.costs = costs.sorted()
        bytes = costs.reduce(0) { $0.addingClamped($1) }
    }

    package var objects: Int { costs.count }
    package var largest: Int { costs.last ?? 0 }
    package var median: Int { costs.isEmpty ? 0 : costs[costs.count / 2] }

    /// How many objects cost more than this, and the cost of the cheapest of them.
    package func above(_ limit: Int) -> (count: Int, least: Int)? {
        guard let first = costs.firstIndex(where: { $0 > limit }) else { return nil }
        return (costs.count - first, costs[first])
    }
}
