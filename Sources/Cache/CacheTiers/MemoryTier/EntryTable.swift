/// The entries of a memory tier by node number, the index, and the order of eviction. Used under the tier's lock.
///
/// Invariants:
/// - a node with an entry is in `order`, or in `recency` if there is none; the index leads to the entry, and the entry
///   knows its node. Other nodes are in the free list or above `lastNode`.
/// - an entry that left the index is retired: it stays readable until the tier takes it from `retired` and releases it,
///   after every reader that could have found it has left.
struct EntryTable: ~Copyable {
    private(set) var index: EntryIndex
    private var recency: RecencyList
    /// The order of eviction; `nil` for the recency list, which needs no dynamic calls.
    private let order: Unmanaged<EvictionOrder>?
    /// How many entries there are.
    private(set) var count = 0
    /// The largest node number. Nodes keep their numbers until the table shrinks.
    private(set) var lastNode: UInt32 = 0
    private var firstFree: UInt32 = 0
    /// How many entries there is room for; a power of two.
    private var capacity = Self.smallestCapacity
    /// With fewer entries the table is sparse.
    private var least = 0
    /// Steps of removals so far: entries and buckets of the index visited.
    private(set) var stepsOfRemovals = 0
    private var residents: ResidentList
    /// Entries and indexes that left and aren't released yet.
    var retired: RetiredLists

    private static let smallestCapacity = 16

    /// An empty table.
    init(policy: EvictionPolicy, stripeCount: Int) {
        index = EntryIndex(capacity: Self.smallestCapacity)
        retired = RetiredLists(stripeCount: stripeCount)
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
        recency.deallocate()
        residents.deallocate()
        index.deallocate()
    }

    // MARK: Reading

    /// The node of the entry with this key, or `nil`.
    @inline(__always)
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
        residents[node]?.entry._withUnsafeGuaranteedRef { $0.heldCount + StoredEntry.overhead } ?? 0
    }

    // MARK: The order of eviction

    /// Notes a use of `node`, if it has an entry.
    @inline(__always)
    func touch(_ node: UInt32) {
        // When the hit is applied, the number may be that of a free node, or of a larger table.
        guard node <= lastNode else { return }
        if let order { order._withUnsafeGuaranteedRef { $0.use(node) } } else { recency.touch(node) }
    }

    /// Whether the policy is LRU, so that `touchRecency` does for many hits what `touch` does.
    @inline(__always)
    var hasRecencyOnly: Bool { order == nil }

    @inline(__always)
    func touchRecency(_ node: UInt32) { if node <= lastNode { recency.touch(node) } }

    /// Prefetches what evicting the entry after the next one will change: it's rarely in a cache, and there is time to
    /// load it.
    @inline(__always)
    func prefetchSecond() {
        guard order == nil, let resident = residents[recency.newer(than: recency.oldest)] else { return }
        resident.entry._withUnsafeGuaranteedRef { $0.prefetchEnd() }
        index.prefetch(resident.tag)
    }

    /// The node to evict next, 0 when the table is empty.
    @inline(__always)
    var next: UInt32 { order?._withUnsafeGuaranteedRef { $0.next() } ?? recency.oldest }

    /// Tells the order that the next node is evicted; `remove` follows.
    @inline(__always)
    func willEvict(_ node: UInt32) { order?._withUnsafeGuaranteedRef { $0.willEvict(node) } }

    /// Keeps a node from being evicted for the entry that replaces its own; `replace` follows.
    @inline(__always)
    func holdBack(_ node: UInt32) {
        // The most recently used is evicted last, and the new entry costs no more than the whole capacity.
        if let order { order._withUnsafeGuaranteedRef { $0.holdBack(node) } } else { recency.touch(node) }
    }

    /// The nodes from the first to evict to the last.
    func nodes() -> [UInt32] {
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

    /// Inserts an entry, as used now. Its key isn't in the table yet, which has room.
    ///
    /// - Parameters:
    ///   - size: its cost, in the tier's unit.
    ///   - stripe: that of the thread that stores it.
    @inline(__always)
    mutating func insert(_ entry: StoredEntry, size: Int, stripe: Int) {
        let node: UInt32
        if firstFree != 0 {
            node = firstFree
            firstFree = recency.newer(than: node)
        } else {
            lastNode += 1
            node = lastNode
        }
        let entered = entering(entry, node: node, stripe: stripe)
        index.insert(entered.entry, tag: entered.tag)
        residents[node] = entered
        if let order { order._withUnsafeGuaranteedRef { $0.insert(node, size: size) } } else { recency.insert(node) }
        count &+= 1
    }

    /// Replaces an entry of the same key, which was held back; readers find one or the other.
    @inline(__always)
    mutating func replace(_ node: UInt32, by entry: StoredEntry, size: Int, stripe: Int) {
        guard let old = residents[node] else { return }
        let new = entering(entry, node: node, stripe: stripe)
        index.replace(old.entry, by: new.entry, tag: old.tag)
        residents[node] = new
        order?._withUnsafeGuaranteedRef { $0.putBack(node, size: size) }
        retired.append(old.entry)
    }

    /// A reference for the table: to the entry, or to a copy if the entry is in a tier already.
    @inline(__always)
    private func entering(_ entry: StoredEntry, node: UInt32, stripe: Int) -> Resident {
        let retained: Unmanaged<EntryStorage> =
            if entry.withStorage({ $0.enter() }) {
                entry.storage.retain()
            } else {
                entry.copied().withStorage {
                    _ = $0.enter()
                    return .passRetained($0)
                }
            }
        retained._withUnsafeGuaranteedRef {
            $0.node = node
            $0.stripe = stripe
        }
        return Resident(entry: retained, tag: EntryIndex.tag(entry.hash))
    }

    /// Takes the entry of `node` out.
    @inline(__always)
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

    /// Takes all entries out.
    mutating func removeAll() {
        stepsOfRemovals &+= count
        let before = recency
        retired.append(residents.takeBlock(lastNode: lastNode) { before.deallocate() })
        recency = RecencyList(capacity: Self.smallestCapacity)
        residents = ResidentList(capacity: Self.smallestCapacity)
        order?._withUnsafeGuaranteedRef { $0.removeAll(capacity: Self.smallestCapacity) }
        count = 0
        lastNode = 0
        firstFree = 0
        use(EntryIndex(capacity: Self.smallestCapacity))
    }

    // MARK: Size

    /// Whether there is no room for one more entry.
    var isFull: Bool { count == capacity }

    /// Whether the table is less than three eighths full, and should shrink: that keeps its memory within its share of
    /// an entry's overhead.
    var isSparse: Bool { count < least }

    /// Doubles the table. Nodes keep their numbers, so no entry is read.
    mutating func grow() {
        let (nodes, larger) = (RecencyList(capacity: capacity * 2), ResidentList(capacity: capacity * 2))
        let index = EntryIndex(capacity: capacity * 2)
        nodes.copy(recency, count: capacity)
        var node: UInt32 = 0
        while node < lastNode {
            node += 1
            larger[node] = residents[node]
            if let resident = residents[node] { index.insert(resident.entry, tag: resident.tag) }
        }
        order?._withUnsafeGuaranteedRef { $0.grow(to: index.capacity) }
        use(nodes, larger)
        use(index)
    }

    /// Shrinks the table, and numbers the nodes again in their order of eviction. Amortised constant time per removed
    /// entry.
    mutating func shrink() {
        stepsOfRemovals += count + capacity * 2
        var smallest = Self.smallestCapacity
        while smallest * 3 < count * 4 { smallest *= 2 }
        let (list, smaller) = (RecencyList(capacity: smallest), ResidentList(capacity: smallest))
        let index = EntryIndex(capacity: smallest)
        var numbers = [UInt32](repeating: 0, count: order == nil ? 0 : Int(lastNode) + 1)
        var last: UInt32 = 0
        for node in nodes() {
            guard let resident = residents[node] else { continue }
            last += 1
            resident.entry._withUnsafeGuaranteedRef { $0.node = last }
            if order == nil { list.insert(last) } else { numbers[Int(node)] = last }
            smaller[last] = resident
            index.insert(resident.entry, tag: resident.tag)
        }
        order?._withUnsafeGuaranteedRef { $0.renumber(numbers, capacity: smallest) }
        lastNode = last
        firstFree = 0
        use(list, smaller)
        use(index)
    }

    private mutating func use(_ recency: RecencyList, _ residents: ResidentList) {
        self.recency.deallocate()
        self.residents.deallocate()
        self.recency = recency
        self.residents = residents
    }

    private mutating func use(_ index: EntryIndex) {
        retired.append(self.index)
        self.index = index
        capacity = index.capacity
        least = capacity > Self.smallestCapacity ? capacity * 3 / 8 : 0
    }
}

// Invariant of the pointers: `entries` and `tags` have room for numbers 0 to the capacity, from `init` to `deallocate`.

/// A node's entry.
struct Resident {
    let entry: Unmanaged<EntryStorage>
    /// The entry's bits of hash for the index. Kept here, since the entry is rarely in a cache when the index is
    /// resized.
    let tag: UInt32
}

/// The entries by their nodes, 12 bytes a node.
///
/// Invariant: both arrays have room for numbers 0 to the capacity, and no larger number is passed in. The table ensures
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

    /// Frees the memory; the list may not be used again.
    func deallocate() {
        entries.deallocate()
        tags.deallocate()
    }

    /// Hands over all entries, those of the nodes 1 to `lastNode`; the list may not be used again.
    ///
    /// - Parameter deallocate: called when all are released.
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
