/// What a replay remembers of each object of its trace: open addressing, all of an object in one place, since every line of
/// memory that a request touches is a cold one, and a dictionary beside an array touches four of them.
///
/// Takes 48 to 96 bytes an object, and half as much again while it grows.
struct ReplayedObjects {
    /// One object.
    struct Object {
        fileprivate var id: UInt64 = 0
        /// The number plus one; 0 where there is no object.
        fileprivate var mark: UInt32 = 0
        /// What the log of the bounds knows of it.
        var past = ReuseLog.Past()
        /// Bytes of its body when it was asked for last; −1 before that.
        var size = -1
        /// When what the subject was given of it stops being fresh, on the clock of the trace.
        var expiry = Double.infinity

        /// How many objects came before it.
        var number: Int { Int(mark) - 1 }
    }

    private var slots = [Object](repeating: Object(), count: 1 << 10)
    private var count = 0
    /// Nobody who writes a trace can know which ids meet.
    private let seed = UInt64.random(in: 0...UInt64.max)

    /// Where an object is, which is added if it is new: until the next is asked for.
    mutating func place(of id: UInt64) -> Int {
        let place = search(id)
        if slots[place].mark != 0 { return place }
        count += 1
        slots[place].id = id
        slots[place].mark = UInt32(truncatingIfNeeded: count)
        guard count * 3 > slots.count * 2 else { return place }
        grow()
        return search(id)
    }

    subscript(place: Int) -> Object {
        get { slots[place] }
        set { slots[place] = newValue }
    }

    /// Where an id is, or would be.
    private func search(_ id: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: SplitMix64.mix(SplitMix64.mix(id ^ seed) &+ seed)) & (slots.count - 1)
        while slots[place].mark != 0, slots[place].id != id { place = (place + 1) & (slots.count - 1) }
        return place
    }

    private mutating func grow() {
        let all = slots
        slots = [Object](repeating: Object(), count: all.count * 2)
        for slot in all where slot.mark != 0 { slots[search(slot.id)] = slot }
    }
}
