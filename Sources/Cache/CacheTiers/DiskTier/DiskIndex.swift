import Platform

/// Where the newest record of each key is: an open-addressed table of 16-byte slots, in memory.
///
/// Linear probing, at most three quarters full, holes closed on removal (Knuth 6.4, algorithm R). Keys are known by 64
/// bits of their keyed hash; two keys that share them share a slot, so that one forgets the other, and the comparison
/// of the whole key on every hit keeps them apart.
///
/// Invariant of the pointer: `slots` has `capacity` initialised slots; it is replaced by `grow` and freed by `deinit`
/// alone; every number of a slot that is handed out is below `capacity` and good until the next change of the table.
struct DiskIndex: ~Copyable {
    struct Slot {
        var fingerprint: UInt64
        /// The record's offset in eights of bytes; 0, where the superblock stands, is an empty slot.
        var place: UInt32
        /// Bytes of the record, header included, and above them whether it was looked up since it was written.
        var lengthAndTouch: UInt32
    }

    private(set) var slots: UnsafeMutablePointer<Slot>
    private(set) var capacity: Int
    private(set) var count = 0
    /// The same keys, for those who look without the lock.
    let presence = KeyPresence()

    init() {
        capacity = 16
        slots = Self.emptySlots(capacity)
    }

    deinit { slots.deallocate() }

    /// Bytes of memory in use.
    var byteCount: Int { capacity * MemoryLayout<Slot>.stride + presence.byteCount }

    @inline(__always)
    private func home(_ fingerprint: UInt64) -> Int {
        // Multiplying spreads fingerprints that differ in few bits; the high half of the product is the range reduction.
        Int(truncatingIfNeeded: (fingerprint &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: UInt64(capacity)).high)
    }

    /// The slot of `fingerprint`; -1 when there is none.
    @inline(__always)
    func find(_ fingerprint: UInt64) -> Int {
        var number = home(fingerprint)
        while slots[number].place != 0 {
            if slots[number].fingerprint == fingerprint { return number }
            number += 1
            if number == capacity { number = 0 }
        }
        return -1
    }

    /// Puts a record in, in the place of the one before if there is one.
    ///
    /// - Returns: the length of the record that was replaced; 0 when none was.
    @inline(__always)
    mutating func put(_ fingerprint: UInt64, place: UInt32, length: Int) -> Int {
        var number = home(fingerprint)
        while slots[number].place != 0 {
            if slots[number].fingerprint == fingerprint {
                let before = slots[number].length
                slots[number] = Slot(fingerprint: fingerprint, place: place, lengthAndTouch: UInt32(length))
                return before
            }
            number += 1
            if number == capacity { number = 0 }
        }
        slots[number] = Slot(fingerprint: fingerprint, place: place, lengthAndTouch: UInt32(length))
        presence.add(fingerprint)
        count += 1
        if count * 4 > capacity * 3 { grow() }
        return 0
    }

    /// Empties a slot and moves up those that had to probe past it.
    mutating func remove(at removed: Int) {
        presence.remove(slots[removed].fingerprint)
        var hole = removed
        var next = removed
        while true {
            next += 1
            if next == capacity { next = 0 }
            guard slots[next].place != 0 else { break }
            let home = home(slots[next].fingerprint)
            let staysPut = hole < next ? (home > hole && home <= next) : (home > hole || home <= next)
            if staysPut { continue }
            slots[hole] = slots[next]
            hole = next
        }
        slots[hole].place = 0
        count -= 1
    }

    /// Empties the table and gives its memory back.
    mutating func removeAll() {
        presence.removeAll()
        slots.deallocate()
        capacity = 16
        count = 0
        slots = Self.emptySlots(capacity)
    }

    private mutating func grow() {
        let old = slots
        let oldCapacity = capacity
        capacity += capacity / 2
        slots = Self.emptySlots(capacity)
        for number in 0..<oldCapacity where old[number].place != 0 {
            var target = home(old[number].fingerprint)
            while slots[target].place != 0 {
                target += 1
                if target == capacity { target = 0 }
            }
            slots[target] = old[number]
        }
        old.deallocate()
        presence.grow(forKeys: count) { add in
            for number in 0..<capacity where slots[number].place != 0 { add(slots[number].fingerprint) }
        }
    }

    private static func emptySlots(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
        slots.initialize(repeating: Slot(fingerprint: 0, place: 0, lengthAndTouch: 0), count: capacity)
        return slots
    }
}

extension DiskIndex.Slot {
    private static var touchBit: UInt32 { 1 << 31 }

    /// Where the record starts in the file.
    @inline(__always) var offset: Int { Int(place) << 3 }
    /// Bytes of the record, header included.
    @inline(__always) var length: Int { Int(lengthAndTouch & ~Self.touchBit) }
    /// Whether the record was looked up since it was written.
    @inline(__always) var isTouched: Bool {
        get { lengthAndTouch & Self.touchBit != 0 }
        set { lengthAndTouch = newValue ? lengthAndTouch | Self.touchBit : lengthAndTouch & ~Self.touchBit }
    }
}
