import CSupport

/// A part of the index: slots sorted by fingerprint, with gaps.
///
/// Open addressing with linear probing, in which the slots of a cluster are sorted (Amble and Knuth 1974), so that a
/// search ends at the first larger fingerprint, and a shard that's nine tenths full needs no more probes than one
/// that's half full. The whole is sorted, too, so moving it into another array is one pass from front to back.
///
/// Invariant of the pointer: `slots` has `capacity` slots, of which the last is empty; a slot isn't before its home,
/// and no slot between the two is empty. If `hasNotes`, as many notes follow in the same block, each at its slot's
/// position. The owner frees it.
struct IndexShard {
    private(set) var slots: UnsafeMutablePointer<IndexSlot>
    private(set) var capacity: Int
    private(set) var count = 0
    /// Slots that can be a home; those behind them take the overflow of the last cluster.
    private var homes: Int
    /// The bits of fingerprints that chose the shard.
    private let shardBits: Int
    /// Whether each slot has a note of its uses.
    private let hasNotes: Bool

    /// Slots of an empty shard; all of them share it.
    static let leastCapacity = 1

    /// An empty shard.
    ///
    /// - Parameter none: one empty slot, which the shard never writes.
    init(none: UnsafeMutablePointer<IndexSlot>, shardBits: Int, hasNotes: Bool) {
        slots = none
        capacity = Self.leastCapacity
        homes = 1
        self.shardBits = shardBits
        self.hasNotes = hasNotes
    }

    /// Frees the memory.
    func release() { if capacity > Self.leastCapacity { cs_block_free(slots, capacity * slotBytes, leastInPages) } }

    /// Bytes of memory in use.
    var byteCount: Int { MemoryLayout<IndexShard>.stride + capacity * slotBytes }

    /// Bytes of memory for each slot.
    private var slotBytes: Int {
        MemoryLayout<IndexSlot>.stride + (hasNotes ? MemoryLayout<UseFrequency>.stride : 0)
    }

    /// From this many bytes on the array has its own pages; never with so many shards that the system might refuse
    /// some.
    private var leastInPages: Int { shardBits <= 12 ? 16 << 10 : .max }

    /// The notes behind the slots.
    @inline(__always)
    private var notes: UnsafeMutablePointer<UseFrequency> {
        UnsafeMutableRawPointer(slots + capacity).assumingMemoryBound(to: UseFrequency.self)
    }

    /// The note of a slot of this shard.
    @inline(__always)
    func note(of slot: UnsafeMutablePointer<IndexSlot>) -> UnsafeMutablePointer<UseFrequency> { notes + (slot - slots) }

    @inline(__always)
    private func home(_ fingerprint: Fingerprint) -> Int {
        let fraction = fingerprint.bits << UInt64(64 - Fingerprint.bitCount + shardBits)
        return Int(truncatingIfNeeded: fraction.multipliedFullWidth(by: UInt64(homes)).high)
    }

    /// The first slot that is empty or has no smaller fingerprint.
    @inline(__always)
    private func position(of fingerprint: Fingerprint) -> UnsafeMutablePointer<IndexSlot> {
        var slot = slots + home(fingerprint)
        while !slot.pointee.isEmpty, slot.pointee.fingerprint < fingerprint { slot += 1 }
        return slot
    }

    /// How many slots a search for a fingerprint passes.
    ///
    /// - Parameter isMoving: whether to count those, too, that are moved if a slot is inserted or removed there.
    func probeCount(of fingerprint: Fingerprint, isMoving: Bool) -> Int {
        var slot = position(of: fingerprint)
        if isMoving { while !slot.pointee.isEmpty { slot += 1 } }
        return slot - slots - home(fingerprint)
    }

    /// The slot of a fingerprint, until the next change of the shard.
    @inline(__always)
    func find(_ fingerprint: Fingerprint) -> UnsafeMutablePointer<IndexSlot>? {
        let slot = position(of: fingerprint)
        return !slot.pointee.isEmpty && slot.pointee.fingerprint == fingerprint ? slot : nil
    }

    /// The first slot whose fingerprint has the prefix and whose place is in the range.
    @inline(__always)
    func find(prefix: UInt32, in places: Range<UInt32>) -> UnsafeMutablePointer<IndexSlot>? {
        var slot = position(of: Fingerprint(bits: UInt64(prefix) << 12))
        while !slot.pointee.isEmpty, slot.pointee.fingerprint.prefix == prefix {
            if places.contains(slot.pointee.place) { return slot }
            slot += 1
        }
        return nil
    }

    /// Inserts a slot, or replaces the one with the same fingerprint.
    ///
    /// - Returns: the slot that was replaced; `nil` for a new key.
    @inline(__always)
    mutating func put(_ new: IndexSlot) -> IndexSlot? {
        let slot = position(of: new.fingerprint)
        if !slot.pointee.isEmpty, slot.pointee.fingerprint == new.fingerprint {
            let old = slot.pointee
            slot.pointee = new
            return old
        }
        insert(new, at: slot)
        return nil
    }

    private mutating func insert(_ new: IndexSlot, at position: UnsafeMutablePointer<IndexSlot>) {
        var position = position
        while true {
            var end = position
            while !end.pointee.isEmpty { end += 1 }
            let isFull = (count + 1) * 32 > capacity * 29
            if !isFull, end < slots + (capacity - 1) {
                (position + 1).update(from: position, count: end - position)
                position.pointee = new
                if hasNotes {
                    let note = note(of: position)
                    (note + 1).update(from: note, count: end - position)
                    note.pointee = UseFrequency()
                }
                count += 1
                return
            }
            let larger = capacity + max(capacity / 32, 16)
            // The homes stay if only the last cluster has no room.
            resize(to: larger, homes: isFull ? Self.homes(of: larger) : homes)
            position = self.position(of: new.fingerprint)
        }
    }

    /// Removes a slot, and moves up those behind it that aren't at home.
    mutating func remove(_ slot: UnsafeMutablePointer<IndexSlot>) {
        var end = slot + 1
        while !end.pointee.isEmpty, slots + home(end.pointee.fingerprint) < end { end += 1 }
        slot.update(from: slot + 1, count: end - slot - 1)
        if hasNotes { note(of: slot).update(from: note(of: slot + 1), count: end - slot - 1) }
        (end - 1).pointee = .empty
        count -= 1
        if capacity > 64, count * 3 < capacity { resize(to: capacity / 2, homes: Self.homes(of: capacity / 2)) }
    }

    private static func homes(of capacity: Int) -> Int { capacity - min(64, capacity / 4) }

    /// Resizes the array, or makes it larger still if the last cluster needs it, and moves the slots into place.
    private mutating func resize(to wanted: Int, homes: Int) {
        var wanted = wanted
        repeat {
            moveToEnd(ofCapacity: wanted)
            self.homes = homes
            wanted += max(wanted / 32, 16)
        } while !spread()
    }

    /// Moves all slots, one after the other, to the end of an array of another size; those before them are empty.
    private mutating func moveToEnd(ofCapacity wanted: Int) {
        moveToBeginning()
        let (before, after) = (capacity, max(capacity, wanted))
        if after > before { resizeBlock(to: after) }
        let first = wanted - count
        // First those, notes or slots, whose new place is behind the old one of the others.
        if wanted > before { moveNotes(from: before, to: wanted, first) }
        (slots + first).update(from: slots, count: count)
        slots.update(repeating: .empty, count: first)
        if wanted <= before { moveNotes(from: before, to: wanted, first) }
        if wanted < before { resizeBlock(to: wanted) }
        capacity = wanted
    }

    /// Moves all slots to the beginning of the array, one after the other.
    private func moveToBeginning() {
        var source = slots
        for position in 0..<count {
            while source.pointee.isEmpty { source += 1 }
            slots[position] = source.pointee
            if hasNotes { notes[position] = note(of: source).pointee }
            source += 1
        }
    }

    /// Moves the first notes behind the slots of an array of another size.
    private func moveNotes(from before: Int, to after: Int, _ first: Int) {
        guard hasNotes else { return }
        let target = UnsafeMutableRawPointer(slots + after) + first * MemoryLayout<UseFrequency>.stride
        target.copyMemory(from: UnsafeRawPointer(slots + before), byteCount: count * MemoryLayout<UseFrequency>.stride)
    }

    /// Moves the slots from the end of the array to their homes, or as close behind them as there's room.
    ///
    /// - Returns: `false` if the array is too small; the slots are then sorted, with gaps.
    private func spread() -> Bool {
        var source = slots + (capacity - count)
        var next = slots
        for _ in 0..<count {
            let slot = source.pointee
            next = max(next, slots + home(slot.fingerprint))
            // A slot that moves down leaves room for all behind it.
            guard next < source else { return false }
            source.pointee = .empty
            next.pointee = slot
            if hasNotes { note(of: next).pointee = note(of: source).pointee }
            next += 1
            source += 1
        }
        return true
    }

    /// Makes room for this many slots, if there is less.
    mutating func reserve(_ wanted: Int) {
        let larger = wanted * 32 / 28 + 64
        if larger > capacity { resize(to: larger, homes: Self.homes(of: larger)) }
    }

    /// Calls back with every slot that isn't empty, by growing fingerprint.
    func forEach(_ body: (UnsafeMutablePointer<IndexSlot>) -> Void) {
        var slot = slots
        for _ in 0..<count {
            while slot.pointee.isEmpty { slot += 1 }
            body(slot)
            slot += 1
        }
    }

    /// Reallocates the block of slots and notes.
    private mutating func resizeBlock(to wanted: Int) {
        let isNew = capacity == Self.leastCapacity
        let resized = cs_block_resize(
            isNew ? nil : slots, isNew ? 0 : capacity * slotBytes, wanted * slotBytes, leastInPages)
        guard let resized else {
            preconditionFailure("no memory for \(wanted) slots of the disk tier's index; lower the disk capacity")
        }
        slots = resized.bindMemory(to: IndexSlot.self, capacity: wanted)
    }
}
