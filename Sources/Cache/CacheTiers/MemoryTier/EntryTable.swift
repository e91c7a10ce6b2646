import Platform
import Synchronization

/// The entries of a memory tier and their order of eviction, as the one writer sees them; `published` is for readers.
///
/// Invariants:
/// - a node that has an entry is in `order`, or without one in `recency`; the index leads to the entry, and the entry knows
///   the node's number. Another node is on the free chain or above `lastNode`.
/// - an entry to which the index no longer leads is retired, and stays readable until the owner takes it from `retired`
///   and releases it after it has waited for every reader that could have found it.
struct EntryTable: ~Copyable {
    /// The `word` of the index in use, for readers: alone on its cache lines, which change only with the table's size.
    let published: UnsafeMutablePointer<Atomic<UInt>>
    private var recency: RecencyList
    /// The order of eviction; `nil` for the recency list, which needs no dynamic calls.
    private let order: Unmanaged<EvictionOrder>?
    /// How many entries there are.
    private(set) var count = 0
    /// The largest number that a node has. Numbers stay as they are until an entry is inserted or the table shrinks.
    private(set) var lastNode: UInt32 = 0
    private var firstFree: UInt32 = 0
    /// The cost of removals so far: entries and buckets of the index that were visited for them.
    private(set) var stepsOfRemovals = 0

    private var index: EntryIndex
    private var residents: ResidentList
    /// Entries and indexes that are out of use and not yet released.
    var retired: RetiredLists

    private static let smallestCapacity = 16

    /// An empty table.
    init(policy: EvictionPolicy, stripeCount: Int) {
        retired = RetiredLists(stripeCount: stripeCount)
        index = EntryIndex(capacity: Self.smallestCapacity)
        published = .allocateAlone()
        published.initialize(to: Atomic(index.word))
        recency = RecencyList(capacity: Self.smallestCapacity)
        residents = ResidentList(capacity: Self.smallestCapacity)
        let order = policy.makeOrder()
        order?.grow(to: Self.smallestCapacity)
        self.order = order.map { .passRetained($0) }
    }

    /// No reader is left.
    deinit {
        var node: UInt32 = 0
        while node < lastNode {
            node += 1
            residents[node]?.entry.leaveAndRelease()
        }
        order?.release()
        published.deinitialize(count: 1)
        published.deallocateAlone()
        index.deallocate()
        recency.deallocate()
        residents.deallocate()
    }

    // MARK: Reading

    /// The node of the entry with this key, or `nil`.
    func node(of key: UnsafeRawBufferPointer, hash: KeyHash) -> UInt32? {
        index.find(key, hash: hash)?._withUnsafeGuaranteedRef { $0.node }
    }

    /// The entry of a node, `nil` when the node is free.
    func entry(_ node: UInt32) -> StoredEntry? {
        residents[node].map { StoredEntry(storage: $0.entry.takeUnretainedValue()) }
    }

    /// The cost of a node's entry, bytes; 0 when the node is free.
    @inline(__always)
    func cost(of node: UInt32) -> Int {
        residents[node]?.entry._withUnsafeGuaranteedRef { $0.byteCount + StoredEntry.overhead } ?? 0
    }

    // MARK: The order of eviction

    /// Notes a use of `node`, if it has an entry.
    @inline(__always)
    func touch(_ node: UInt32) {
        // The number may be that of a free node, or of a larger table, by the time the hit is applied.
        guard node <= lastNode else { return }
        if let order { order._withUnsafeGuaranteedRef { $0.use(node) } } else { recency.touch(node) }
    }

    /// Begins to load the memory that evicting the entry after the next one changes: it is rarely in a cache, and not needed
    /// at once.
    @inline(__always)
    func prefetchSecond() {
        guard order == nil, let resident = residents[recency.newer(than: recency.oldest)] else { return }
        resident.entry._withUnsafeGuaranteedRef { $0.prefetchEnd() }
        index.prefetch(resident.tag)
    }

    /// The node to evict next, 0 when the table is empty.
    @inline(__always)
    var next: UInt32 { order?._withUnsafeGuaranteedRef { $0.next() } ?? recency.oldest }

    /// Notes that the next node is evicted; `remove` follows.
    @inline(__always)
    func willEvict(_ node: UInt32) { order?._withUnsafeGuaranteedRef { $0.willEvict(node) } }

    /// Keeps a node out of the evictions for the entry that replaces its own; `replace` follows.
    @inline(__always)
    func holdBack(_ node: UInt32) {
        // The most recently used is the last to be evicted, and the new entry costs no more than the whole capacity.
        if let order { order._withUnsafeGuaranteedRef { $0.holdBack(node) } } else { recency.touch(node) }
    }

    /// The entries from the first to evict to the last.
    func entries() -> [StoredEntry] { nodes().compactMap { entry($0) } }

    private func nodes() -> [UInt32] {
        if let order { return order._withUnsafeGuaranteedRef { $0.nodes() } }
        var nodes: [UInt32] = []
        var node = recency.oldest
        while node != 0 {
            nodes.append(node)
            node = recency.newer(than: node)
        }
        return nodes
    }

    // MARK: Changing

    /// Puts an entry in, as used now. Its key may not be in the table yet.
    ///
    /// - Parameters:
    ///   - size: its cost, in the tier's unit.
    ///   - stripe: that of the thread that stores it.
    /// - Complexity: O(1), apart from doubling the table when it is full.
    mutating func insert(_ entry: StoredEntry, size: Int, stripe: Int) {
        if count == index.capacity { grow() }
        let node: UInt32
        if firstFree != 0 {
            node = firstFree
            firstFree = recency.newer(than: node)
        } else {
            lastNode += 1
            node = lastNode
        }
        let resident = Resident(entry: Self.entering(entry), tag: EntryIndex.tag(entry.hash))
        Self.note(node, stripe, in: resident.entry)
        residents[node] = resident
        index.insert(resident.entry, tag: resident.tag)
        if let order {
            order._withUnsafeGuaranteedRef { $0.insert(node, size: size) }
        } else {
            recency.insert(node)
        }
        count &+= 1
    }

    /// Puts an entry in the place of another of the same key, which was held back; readers find the one or the other.
    mutating func replace(_ node: UInt32, by entry: StoredEntry, size: Int, stripe: Int) {
        guard let old = residents[node] else { return }
        let new = Resident(entry: Self.entering(entry), tag: old.tag)
        Self.note(node, stripe, in: new.entry)
        residents[node] = new
        index.replace(old.entry, by: new.entry, tag: old.tag)
        order?._withUnsafeGuaranteedRef { $0.putBack(node, size: size) }
        retired.append(old.entry)
    }

    @inline(__always)
    private static func note(_ node: UInt32, _ stripe: Int, in entry: Unmanaged<EntryStorage>) {
        entry._withUnsafeGuaranteedRef {
            $0.node = node
            $0.stripe = stripe
        }
    }

    /// A reference for the table: to the entry, or to a copy when it is in a tier already.
    @inline(__always)
    private static func entering(_ entry: StoredEntry) -> Unmanaged<EntryStorage> {
        if entry.withStorage({ $0.enter() }) { return entry.storage.retain() }
        return entry.copied().withStorage {
            _ = $0.enter()
            return .passRetained($0)
        }
    }

    /// Takes the entry of `node` out.
    mutating func remove(_ node: UInt32) {
        guard let resident = residents[node] else { return }
        stepsOfRemovals &+= 1 &+ index.remove(resident.entry, tag: resident.tag)
        residents[node] = nil
        if let order { order._withUnsafeGuaranteedRef { $0.remove(node) } } else { recency.remove(node) }
        recency.chain(node, to: firstFree)
        firstFree = node
        count &-= 1
        retired.append(resident.entry)
    }

    /// Doubles a full table. The nodes keep their numbers, so that no entry is read.
    private mutating func grow() {
        let largerIndex = EntryIndex(capacity: index.capacity * 2)
        let larger = (RecencyList(capacity: largerIndex.capacity), ResidentList(capacity: largerIndex.capacity))
        larger.0.copy(recency, count: index.capacity)
        for node in 1...lastNode {
            guard let resident = residents[node] else { continue }
            larger.1[node] = resident
            largerIndex.insert(resident.entry, tag: resident.tag)
        }
        order?._withUnsafeGuaranteedRef { $0.grow(to: largerIndex.capacity) }
        use(largerIndex, larger.0, larger.1)
    }

    /// Resizes a table that is filled to less than three eighths, so that its memory stays within the part of an entry's
    /// overhead that counts for it. Gives the nodes new numbers, in their order of eviction. Amortised, constant time for
    /// an entry that was removed.
    mutating func shrinkIfSparse() {
        guard index.capacity > Self.smallestCapacity, count * 8 < index.capacity * 3 else { return }
        var capacity = Self.smallestCapacity
        while capacity * 3 < count * 4 { capacity *= 2 }
        stepsOfRemovals += count + index.capacity * 2
        let smallerIndex = EntryIndex(capacity: capacity)
        let smaller = (RecencyList(capacity: capacity), ResidentList(capacity: capacity))
        var numbers = [UInt32](repeating: 0, count: order == nil ? 0 : Int(lastNode) + 1)
        var last: UInt32 = 0
        for node in nodes() {
            guard let resident = residents[node] else { continue }
            last += 1
            resident.entry._withUnsafeGuaranteedRef { $0.node = last }
            if order == nil { smaller.0.insert(last) } else { numbers[Int(node)] = last }
            smaller.1[last] = resident
            smallerIndex.insert(resident.entry, tag: resident.tag)
        }
        order?._withUnsafeGuaranteedRef { $0.renumber(numbers, capacity: capacity) }
        use(smallerIndex, smaller.0, smaller.1)
        lastNode = last
        firstFree = 0
    }

    /// Takes all entries out. The owner releases them, by `retired`.
    mutating func removeAll() {
        stepsOfRemovals &+= count
        let (indexBefore, recencyBefore) = (index, recency)
        retired.append(
            residents.takeBlock(lastNode: lastNode) {
                indexBefore.deallocate()
                recencyBefore.deallocate()
            })
        index = EntryIndex(capacity: Self.smallestCapacity)
        published.pointee.store(index.word, ordering: .releasing)
        recency = RecencyList(capacity: Self.smallestCapacity)
        residents = ResidentList(capacity: Self.smallestCapacity)
        order?._withUnsafeGuaranteedRef { $0.removeAll(capacity: Self.smallestCapacity) }
        count = 0
        lastNode = 0
        firstFree = 0
    }

    private mutating func use(_ index: EntryIndex, _ recency: RecencyList, _ residents: ResidentList) {
        published.pointee.store(index.word, ordering: .releasing)
        retired.append(self.index)
        self.recency.deallocate()
        self.residents.deallocate()
        self.index = index
        self.recency = recency
        self.residents = residents
    }
}

/// An entry as the writer knows it.
struct Resident {
    let entry: Unmanaged<EntryStorage>
    /// Leads to it in the index. Noted here: the entry is rarely in a cache when the index is resized.
    let tag: UInt32
}

/// The entries by their nodes, 12 bytes a node.
///
/// Invariant: both arrays have room for numbers 0 to the capacity, and no larger number is passed in. The owner ensures
/// that; nothing is checked here.
struct ResidentList {
    private let entries: UnsafeMutablePointer<Unmanaged<EntryStorage>?>
    private let tags: UnsafeMutablePointer<UInt32>

    /// An empty list with room for the nodes 1 to `capacity`.
    init(capacity: Int) {
        entries = .allocate(capacity: capacity + 1)
        entries.initialize(repeating: nil, count: capacity + 1)
        tags = .allocate(capacity: capacity + 1)
        tags.initialize(repeating: 0, count: capacity + 1)
    }

    /// Gives the memory back; the list may not be used again.
    func deallocate() {
        entries.deallocate()
        tags.deallocate()
    }

    /// Hands over the entries of the nodes 1 to `lastNode`, which are all; the list may not be used again.
    ///
    /// - Parameter deallocate: frees what goes with them, when all are released.
    func takeBlock(lastNode: UInt32, deallocate: @escaping () -> Void) -> EntryBlock {
        EntryBlock(entries + 1, count: Int(lastNode)) {
            self.deallocate()
            deallocate()
        }
    }

    /// The entry of a node; `nil` when the node is free.
    @inline(__always)
    subscript(node: UInt32) -> Resident? {
        get { entries[Int(node)].map { Resident(entry: $0, tag: tags[Int(node)]) } }
        nonmutating set {
            entries[Int(node)] = newValue?.entry
            if let newValue { tags[Int(node)] = newValue.tag }
        }
    }
}
