/// What a replay remembers of each object of its trace: about 80 bytes.
struct ReplayedObjects {
    /// One object.
    struct Object {
        /// Bytes of its body when it was asked for last; −1 before that.
        var size = -1
        /// When what the subject was given of it stops being fresh, on the clock of the trace.
        var expiry = Double.infinity
    }

    private var numbers = ObjectNumbers()
    private var objects: [Object] = []

    /// The number of an object, which is the next one if it is new.
    mutating func number(of id: UInt64) -> Int {
        let number = numbers.number(of: id)
        if number == objects.count { objects.append(Object()) }
        return number
    }

    subscript(number: Int) -> Object {
        get { objects[number] }
        set { objects[number] = newValue }
    }
}

/// Numbers ids in the order in which they come first: open addressing, id and number side by side, since a dictionary
/// touches three cold lines of memory where this touches one, at every request of a trace.
private struct ObjectNumbers {
    private struct Slot {
        var id: UInt64 = 0
        /// The number plus one; 0 where there is none.
        var mark: UInt32 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 1 << 10)
    private var count = 0
    /// Nobody who writes a trace can know which ids meet.
    private let seed = UInt64.random(in: 0...UInt64.max)

    /// The number of an id, from 0; that of a new one is how many there were before.
    mutating func number(of id: UInt64) -> Int {
        let place = place(of: id)
        if slots[place].mark != 0 { return Int(slots[place].mark) - 1 }
        count += 1
        slots[place] = Slot(id: id, mark: UInt32(truncatingIfNeeded: count))
        if count * 3 > slots.count * 2 { grow() }
        return count - 1
    }

    /// Where an id is, or would be.
    private func place(of id: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: SplitMix64.mix(SplitMix64.mix(id ^ seed) &+ seed)) & (slots.count - 1)
        while slots[place].mark != 0, slots[place].id != id { place = (place + 1) & (slots.count - 1) }
        return place
    }

    private mutating func grow() {
        let all = slots
        slots = [Slot](repeating: Slot(), count: all.count * 2)
        for slot in all where slot.mark != 0 { slots[place(of: slot.id)] = slot }
    }
}
