// Invariant of the pointers: they lie inside the slots, and only their cache lines are asked for.

import CSupport
import GaugeSupport
import Platform

/// The state of each object of a trace. A hash table with open addressing holds all of an object
/// in one place: every cache line that a request touches is a cold one, and a dictionary beside an array touches four.
///
/// Takes 48 to 96 bytes per object, and half as much again while it grows.
package struct TracedObjects {
    /// One object.
    package struct Object {
        fileprivate var id: UInt64 = 0
        /// The number plus one; 0 where there is no object.
        fileprivate var mark: UInt32 = 0
        /// The object's state in the log of the bounds.
        package var past = ReuseLog.Past()
        /// Bytes that an entry of it costs beside its body; ``unknown`` before its first request, ``refused`` if the
        /// cache accepts no key from its URL.
        package var keyCost = Self.unknown
        /// Bytes of its body at its last request; −1 before the first. Until the trace states a size, −2 less the assumed
        /// one.
        package var size = -1

        package static let unknown: Int32 = -1
        package static let refused: Int32 = -2

        /// How many objects came before it.
        package var number: Int { Int(mark) - 1 }

        /// Whether the trace has not stated a size yet.
        var isAssumed: Bool { size < -1 }

        /// Bytes of its body at its last request, stated or assumed; `nil` before the first.
        var knownSize: Int? { size >= 0 ? size : isAssumed ? -2 - size : nil }
    }

    private var slots = [Object](repeating: Object(), count: 1 << 10)
    private var count = 0
    /// Random, so that the author of a trace cannot choose ids that collide.
    private let seed = UInt64.random(in: 0...UInt64.max)

    package init() {}

    /// The index of an object, which is added if it is new. Valid until the table grows: for as many new objects as room was
    /// made for, and at least until the next call.
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

    /// Makes room for so many more objects, so that ``prefetch(_:)`` asks for the right places.
    package mutating func reserve(_ more: Int) { while (count + more) * 3 > slots.count * 2 { grow() } }

    /// Begins to load the place of an object, and those after it, which are searched next.
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

    /// Each object, in no order.
    package func forEach(_ body: (Object) -> Void) { for slot in slots where slot.mark != 0 { body(slot) } }

    /// The index where an id is, or would be inserted.
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

/// The objects of a trace by what an entry of them costs.
package struct WorkingSet: Sendable {
    /// The costs, in ascending order.
    private let costs: [Int]
    /// The sum of them.
    package let bytes: Int

    package init(_ costs: [Int]) {
        self.costs = costs.sorted()
        bytes = costs.reduce(0) { $0.addingClamped($1) }
    }

    package var objects: Int { costs.count }
    package var largest: Int { costs.last ?? 0 }

    /// The objects that cost more than this, and the least of them.
    package func above(_ limit: Int) -> (count: Int, least: Int)? {
        guard let first = costs.firstIndex(where: { $0 > limit }) else { return nil }
        return (costs.count - first, costs[first])
    }
}
