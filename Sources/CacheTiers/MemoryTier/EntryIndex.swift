import Platform
import Synchronization

/// Entries by key, for readers who hold no lock against the one writer.
///
/// Open addressing with linear probing at half load or less. A slot is 64 bits: the upper half is the low 32 bits of
/// the key's hash (its lowest bits say where probing starts, the others tell most keys apart before an entry is read),
/// the lower half a node number, 0 in a free slot. A removal moves the later entries of its run back, so that there are
/// no tombstones and an index does not get slower with use.
///
/// One allocation holds the head, which never changes, and behind it, on cache lines that it does not share, slots and
/// entries: from its address a reader is one load away from the slot of a key.
///
/// Invariants, on which the unsafe pointers rest:
/// - there are `mask + 1` slots, a power of two and twice `capacity`, so that each probe meets a free one;
/// - `entries` has `capacity + 1` places; a number in a slot is between 1 and `capacity`;
/// - a place in `entries` holds 0 or the address of an entry that the tier retains, and goes on to retain until every
///   reader has been seen outside since the address was taken out (`MemoryTier.waitForReaders`).
struct EntryIndex {
    private struct Head {
        let mask: Int
        let entries: UnsafeMutablePointer<Atomic<UInt>>
    }

    /// Where the allocation begins.
    let address: UnsafeMutableRawPointer

    /// The index whose `address` this is.
    @inline(__always)
    init(at address: UnsafeMutableRawPointer) { self.address = address }

    /// An empty index with room for `capacity` entries, a power of two.
    init(capacity: Int) {
        let slotCount = capacity * 2
        let entriesOffset = Self.slotsOffset + slotCount * MemoryLayout<UInt64>.stride
        let byteCount = entriesOffset + (capacity + 1) * MemoryLayout<UInt>.stride
        address = .allocate(
            byteCount: (byteCount + cacheLinePair - 1) & ~(cacheLinePair - 1), alignment: cacheLinePair)
        let slots = (address + Self.slotsOffset).bindMemory(to: Atomic<UInt64>.self, capacity: slotCount)
        for position in 0..<slotCount { (slots + position).initialize(to: Atomic(0)) }
        let entries = (address + entriesOffset).bindMemory(to: Atomic<UInt>.self, capacity: capacity + 1)
        for node in 0...capacity { (entries + node).initialize(to: Atomic(0)) }
        address.bindMemory(to: Head.self, capacity: 1).initialize(to: Head(mask: slotCount - 1, entries: entries))
    }

    /// Gives the memory back; does not release the entries.
    func deallocate() { address.deallocate() }

    private static let slotsOffset = cacheLinePair

    @inline(__always)
    private var head: UnsafeMutablePointer<Head> { address.assumingMemoryBound(to: Head.self) }

    @inline(__always)
    private var mask: Int { head.pointee.mask }

    @inline(__always)
    private var entries: UnsafeMutablePointer<Atomic<UInt>> { head.pointee.entries }

    @inline(__always)
    private var slots: UnsafeMutablePointer<Atomic<UInt64>> {
        (address + Self.slotsOffset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// How many entries there is room for.
    var capacity: Int { (mask + 1) / 2 }

    // MARK: Reading, by anybody

    /// The node and the entry with this key, `nil` when there is none: which, while a writer removes others, has to be
    /// asked again, since the entry may have been moved past the reader.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> (node: UInt32, entry: Unmanaged<EntryStorage>)? {
        let tag = Self.tag(hash)
        var position = Int(tag) & mask
        while true {
            let slot = slots[position].load(ordering: .acquiring)
            if slot == 0 { return nil }
            let node = UInt32(truncatingIfNeeded: slot)
            if UInt32(truncatingIfNeeded: slot >> 32) == tag, let entry = entry(node),
                entry._withUnsafeGuaranteedRef({ $0.hasKey(key) })
            {
                return (node, entry)
            }
            position = (position + 1) & mask
        }
    }

    /// The entry of a node, `nil` when the node is free.
    @inline(__always)
    func entry(_ node: UInt32) -> Unmanaged<EntryStorage>? {
        UnsafeRawPointer(bitPattern: entries[Int(node)].load(ordering: .acquiring)).map { .fromOpaque($0) }
    }

    @inline(__always)
    private static func tag(_ hash: KeyHash) -> UInt32 { UInt32(truncatingIfNeeded: hash.low) }

    // MARK: Changing, by the writer

    /// Sets or clears the entry of a node.
    @inline(__always)
    func setEntry(_ node: UInt32, _ entry: Unmanaged<EntryStorage>?) {
        entries[Int(node)].store(entry.map { UInt(bitPattern: $0.toOpaque()) } ?? 0, ordering: .releasing)
    }

    /// Lets `hash` lead to `node`, whose entry is set already.
    @inline(__always)
    func occupySlot(_ hash: KeyHash, node: UInt32) { occupySlot(tag: Self.tag(hash), node: node) }

    private func occupySlot(tag: UInt32, node: UInt32) {
        var position = Int(tag) & mask
        while self[position] != 0 { position = (position + 1) & mask }
        self[position] = UInt64(tag) << 32 | UInt64(node)
    }

    /// Lets `hash`, which leads to `node`, lead there no longer.
    ///
    /// - Returns: how many places were looked at; at least 2.
    @inline(__always)
    func freeSlot(_ hash: KeyHash, node: UInt32) -> Int {
        let first = Int(Self.tag(hash)) & mask
        var hole = first
        while UInt32(truncatingIfNeeded: self[hole]) != node { hole = (hole + 1) & mask }
        var position = hole
        while true {
            position = (position + 1) & mask
            let slot = self[position]
            if slot == 0 { break }
            // An entry may move back into the hole unless its own probe starts behind the hole.
            let start = Int(UInt32(truncatingIfNeeded: slot >> 32)) & mask
            if (position - start) & mask >= (position - hole) & mask {
                self[hole] = slot
                hole = position
            }
        }
        self[hole] = 0
        return ((position &- first) & mask) &+ 1
    }

    /// Copies what leads to nodes from `other`, with other numbers for them.
    ///
    /// The hashes are read from the slots, since the entries themselves are cold.
    func occupySlots(as other: EntryIndex, renumbered: UnsafeMutablePointer<UInt32>) {
        for position in 0...other.mask {
            let slot = other[position]
            guard slot != 0 else { continue }
            occupySlot(tag: UInt32(truncatingIfNeeded: slot >> 32), node: renumbered[Int(slot & 0xFFFF_FFFF)])
        }
    }

    private subscript(position: Int) -> UInt64 {
        @inline(__always) get { slots[position].load(ordering: .relaxed) }
        @inline(__always) nonmutating set { slots[position].store(newValue, ordering: .releasing) }
    }
}
