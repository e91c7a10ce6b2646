import Platform

/// The entries of a memory tier and their order of use, as the one writer sees them; `published` is for readers.
///
/// Invariants:
/// - a node is in the recency list exactly if it has an entry and a slot in the index, and else it is on the free chain
///   or above `lastNode`;
/// - what the index no longer leads to is retired, and stays readable until the owner takes it by `takeRetired`, and
///   lets go of it when it has seen that no reader is left who could have found it.
struct EntryTable: ~Copyable {
    /// What readers use.
    let published: UnsafeMutablePointer<PublishedIndex>
    private(set) var recency: RecencyList
    /// How many entries there are.
    private(set) var count = 0
    /// The largest number that a node has. Numbers stay as they are until an entry is inserted or the table shrinks.
    private(set) var lastNode: UInt32 = 0
    private var firstFree: UInt32 = 0
    /// What taking entries out has cost so far: entries and places of the index that were visited for it.
    private(set) var stepsOfRemovals = 0

    private var index: EntryIndex
    /// What is out of the index and not yet released.
    private(set) var retired = RetiredEntries()

    private static let smallestCapacity = 16

    /// An empty table.
    init() {
        index = EntryIndex(capacity: Self.smallestCapacity)
        published = .allocateAlone()
        published.initialize(to: PublishedIndex(index))
        recency = RecencyList(capacity: Self.smallestCapacity)
    }

    /// No reader is left.
    deinit {
        var node = recency.oldest
        while node != 0 {
            index.entry(node)?.leaveAndRelease()
            node = recency.newer(than: node)
        }
        published.deinitialize(count: 1)
        published.deallocateAlone()
        index.deallocate()
        recency.deallocate()
    }

    // MARK: Reading

    /// The node of the entry with this key, `nil` when there is none.
    func node(of key: UnsafeRawBufferPointer, hash: KeyHash) -> UInt32? { index.find(key, hash: hash)?.node }

    /// The entry of a node, `nil` when the node is free.
    func entry(_ node: UInt32) -> StoredEntry? {
        index.entry(node).map { StoredEntry(storage: $0.takeUnretainedValue()) }
    }

    /// The cost of a node's entry, bytes; 0 when the node is free.
    @inline(__always)
    func cost(of node: UInt32) -> Int {
        index.entry(node)?._withUnsafeGuaranteedRef { $0.header.byteCount + StoredEntry.overhead } ?? 0
    }

    // MARK: Changing

    /// Makes `node` the most recently used, if it has an entry.
    @inline(__always)
    func touch(_ node: UInt32) {
        // The number may be one that was free again, or is beyond a table that shrank, when the hit was applied.
        if node <= lastNode { recency.touch(node) }
    }

    /// Puts an entry in as the most recently used. Its key may not be in the table yet.
    ///
    /// - Complexity: O(1), apart from doubling the table when it is full.
    mutating func insert(_ entry: StoredEntry) {
        if count == index.capacity { resize(to: count * 2) }
        let node: UInt32
        if firstFree != 0 {
            node = firstFree
            firstFree = recency.newer(than: node)
        } else {
            lastNode += 1
            node = lastNode
        }
        index.setEntry(node, Self.entering(entry))
        index.occupySlot(entry.hash, node: node)
        recency.insert(node)
        count += 1
    }

    /// Puts an entry in the place of another of the same key; readers find the one or the other.
    mutating func replace(_ node: UInt32, by entry: StoredEntry) {
        let old = index.entry(node)
        index.setEntry(node, Self.entering(entry))
        if let old { retired.append(old) }
    }

    /// A reference for the table: to the entry, or to a copy when it is in a tier already.
    @inline(__always)
    private static func entering(_ entry: StoredEntry) -> Unmanaged<EntryStorage> {
        if entry.storage.enter() { return .passRetained(entry.storage) }
        let copy = entry.copied().storage
        _ = copy.enter()
        return .passRetained(copy)
    }

    /// Takes the entry of `node` out.
    mutating func remove(_ node: UInt32) {
        guard let entry = index.entry(node) else { return }
        let hash = entry._withUnsafeGuaranteedRef { $0.header.hash }
        stepsOfRemovals &+= published.pointee.moving { index.freeSlot(hash, node: node) }
        index.setEntry(node, nil)
        recency.remove(node)
        recency.chain(node, to: firstFree)
        firstFree = node
        count -= 1
        retired.append(entry)
    }

    /// Resizes a table that is filled to less than three eighths, so that its memory stays within what an entry's
    /// overhead counts for it. Amortised, constant time for an entry that has gone.
    mutating func shrinkIfSparse() {
        guard index.capacity > Self.smallestCapacity, count * 8 < index.capacity * 3 else { return }
        var capacity = Self.smallestCapacity
        while capacity * 3 < count * 4 { capacity *= 2 }
        stepsOfRemovals += count + index.capacity * 2
        resize(to: capacity)
    }

    /// Moves everything to an index of another size, and numbers the nodes anew in their order of use.
    private mutating func resize(to capacity: Int) {
        let other = EntryIndex(capacity: capacity)
        let otherRecency = RecencyList(capacity: capacity)
        let numbers = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(lastNode) + 1)
        defer { numbers.deallocate() }
        var last: UInt32 = 0
        var node = recency.oldest
        while node != 0 {
            last += 1
            numbers[Int(node)] = last
            other.setEntry(last, index.entry(node))
            otherRecency.insert(last)
            node = recency.newer(than: node)
        }
        other.occupySlots(as: index, renumbered: numbers)
        published.pointee.replace(by: other)
        retired.append(index)
        recency.deallocate()
        index = other
        recency = otherRecency
        lastNode = last
        firstFree = 0
    }

    /// Hands over what is retired. The caller keeps it until no reader is left who is inside now.
    mutating func takeRetired() -> RetiredEntries {
        var taken = RetiredEntries()
        swap(&taken, &retired)
        return taken
    }
}
