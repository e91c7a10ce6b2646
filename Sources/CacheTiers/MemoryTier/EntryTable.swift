/// The entries of a memory tier by key, and their order of use. Knows nothing of threads or capacities.
///
/// Open addressing with linear probing at half load or less. A slot is 64 bits: the upper half is the low 32 bits of
/// the key's hash (its lowest bits say where probing starts, the others tell most keys apart before an entry is read),
/// the lower half a node number, 0 in a free slot. A removal moves the later entries of its run back, so that there are
/// no tombstones and a table does not get slower with use. Each node has a place in two arrays, entry and links: a hit
/// reads the one, a store writes the other.
///
/// Invariants, on which the unsafe pointers rest:
/// - `slots` has `mask + 1` places, a power of two and at least twice `nodeCapacity`, so each probe meets a free one;
/// - a number in a slot is between 1 and `nodeCapacity`, and its place in `entries` holds a retained entry;
/// - the places in `entries` up to `highestUsed` that belong to no slot hold `nil`;
/// - a node is in the recency list exactly if it is in a slot, and else on the free chain or above `highestUsed`.
struct EntryTable: ~Copyable {
    private var slots: UnsafeMutablePointer<UInt64>
    private var mask: Int
    private var entries: UnsafeMutablePointer<Unmanaged<EntryStorage>?>
    private(set) var recency: RecencyList

    private var nodeCapacity: Int
    private var highestUsed: UInt32 = 0
    private var firstFree: UInt32 = 0

    /// How many entries there are.
    private(set) var count = 0

    private static let smallestCapacity = 16

    /// An empty table.
    init() { self.init(nodeCapacity: Self.smallestCapacity) }

    private init(nodeCapacity: Int) {
        self.nodeCapacity = nodeCapacity
        mask = nodeCapacity * 2 - 1
        slots = .allocate(capacity: nodeCapacity * 2)
        slots.initialize(repeating: 0, count: nodeCapacity * 2)
        entries = .allocate(capacity: nodeCapacity + 1)
        entries.initialize(repeating: nil, count: nodeCapacity + 1)
        recency = RecencyList(capacity: nodeCapacity)
    }

    deinit {
        for node in 0...Int(highestUsed) { entries[node]?.release() }
        slots.deallocate()
        entries.deallocate()
        recency.deallocate()
    }

    // MARK: Reading

    /// The node of the entry with this key, 0 when there is none.
    @inline(__always)
    func node(of key: UnsafeRawBufferPointer, hash: KeyHash) -> UInt32 {
        let tag = UInt32(truncatingIfNeeded: hash.low)
        var position = Int(tag) & mask
        while true {
            let slot = slots[position]
            if slot == 0 { return 0 }
            let node = UInt32(truncatingIfNeeded: slot)
            if UInt32(truncatingIfNeeded: slot >> 32) == tag, let entry = entries[Int(node)],
                entry._withUnsafeGuaranteedRef({ $0.hasKey(key) })
            {
                return node
            }
            position = (position + 1) & mask
        }
    }

    /// The entry of a node, `nil` when the node is free.
    @inline(__always)
    func entry(_ node: UInt32) -> StoredEntry? {
        entries[Int(node)].map { StoredEntry(storage: $0.takeUnretainedValue()) }
    }

    /// The largest number that a node has. Numbers stay as they are until an entry is inserted or the table shrinks.
    var lastNode: UInt32 { highestUsed }

    // MARK: Changing

    /// Puts an entry in as the most recently used. Its key may not be in the table yet.
    ///
    /// - Complexity: O(1), apart from doubling the table when it is full.
    mutating func insert(_ entry: StoredEntry) {
        if count == nodeCapacity { resize(to: nodeCapacity * 2) }
        let node: UInt32
        if firstFree != 0 {
            node = firstFree
            firstFree = recency.newer(than: node)
        } else {
            highestUsed += 1
            node = highestUsed
        }
        entries[Int(node)] = .passRetained(entry.storage)
        occupySlot(tag: UInt32(truncatingIfNeeded: entry.hash.low), node: node)
        recency.insert(node)
        count += 1
    }

    /// Takes the entry of `node` out, if there is one.
    ///
    /// - Returns: the entry, still retained: whoever calls has to release it, when no lock is held that others wait for.
    mutating func remove(_ node: UInt32) -> Unmanaged<EntryStorage>? {
        guard let entry = entries[Int(node)] else { return nil }
        entries[Int(node)] = nil
        freeSlot(tag: UInt32(truncatingIfNeeded: entry._withUnsafeGuaranteedRef { $0.header.hash.low }), node: node)
        recency.remove(node)
        recency.chain(node, to: firstFree)
        firstFree = node
        count -= 1
        return entry
    }

    /// Gives back memory that is for many more entries than are left. Costs nothing when there is little to give, and
    /// otherwise time in proportion to the entries that have gone since the table was last resized.
    mutating func shrinkIfSparse() {
        guard nodeCapacity > Self.smallestCapacity, count < nodeCapacity / 8 else { return }
        var capacity = Self.smallestCapacity
        while capacity < count * 2 { capacity *= 2 }
        resize(to: capacity)
    }

    // MARK: Slots

    private func occupySlot(tag: UInt32, node: UInt32) {
        var position = Int(tag) & mask
        while slots[position] != 0 { position = (position + 1) & mask }
        slots[position] = UInt64(tag) << 32 | UInt64(node)
    }

    private func freeSlot(tag: UInt32, node: UInt32) {
        var hole = Int(tag) & mask
        while UInt32(truncatingIfNeeded: slots[hole]) != node { hole = (hole + 1) & mask }
        var position = hole
        while true {
            position = (position + 1) & mask
            let slot = slots[position]
            if slot == 0 { break }
            // An entry may move back into the hole unless its own probe starts behind the hole.
            let start = Int(UInt32(truncatingIfNeeded: slot >> 32)) & mask
            if (position - start) & mask >= (position - hole) & mask {
                slots[hole] = slot
                hole = position
            }
        }
        slots[hole] = 0
    }

    /// Moves everything to arrays of another size, and numbers the nodes anew in their order of use.
    private mutating func resize(to capacity: Int) {
        var other = EntryTable(nodeCapacity: capacity)
        let newNumbers = UnsafeMutablePointer<UInt32>.allocate(capacity: nodeCapacity + 1)
        defer { newNumbers.deallocate() }
        var node = recency.oldest
        while node != 0 {
            other.highestUsed += 1
            newNumbers[Int(node)] = other.highestUsed
            other.entries[Int(other.highestUsed)] = entries[Int(node)]
            other.recency.insert(other.highestUsed)
            node = recency.newer(than: node)
        }
        // The hashes are read from the slots, since the entries themselves are cold.
        for position in 0...mask {
            let slot = slots[position]
            guard slot != 0 else { continue }
            other.occupySlot(
                tag: UInt32(truncatingIfNeeded: slot >> 32),
                node: newNumbers[Int(UInt32(truncatingIfNeeded: slot))])
        }
        other.count = count
        swap(&self, &other)
        // `other` is now the old table, and must not release the entries that have moved.
        other.highestUsed = 0
    }
}
