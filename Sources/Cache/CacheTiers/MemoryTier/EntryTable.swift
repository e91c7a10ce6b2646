import Platform
import Synchronization

/// The entries of one owner, by node numbers, and their order of eviction. Used under the owner's lock.
///
/// Invariants:
/// - a node that has an entry is in `order`, or without one in `recency`; the index leads to the entry, and the entry knows
///   the numbers of the node and of the owner. Another node is on the free chain or above `lastNode`.
/// - an entry to which the index no longer leads is retired, and stays readable until the owner takes it from `retired`
///   and releases it after it has waited for every reader that could have found it.
struct EntryTable: ~Copyable {
    /// The tier's; it changes only while all owners are locked.
    var index: EntryIndex
    var recency: RecencyList
    /// The order of eviction; `nil` for the recency list, which needs no dynamic calls.
    let order: Unmanaged<EvictionOrder>?
    /// How many entries there are.
    private(set) var count = 0
    /// The largest number that a node has. Numbers stay as they are until an entry is inserted or the table shrinks.
    var lastNode: UInt32 = 0
    var firstFree: UInt32 = 0
    /// How many nodes there is room for.
    var room: Int
    /// Up to so many entries, the table has room and its part in the index.
    var ceiling: Int
    /// The table's part in the index: with more entries, or with fewer than `least`, the index may have to be resized.
    var most: Int
    var least = 0
    /// The cost of removals so far: entries and buckets of the index that were visited for them.
    var stepsOfRemovals = 0
    /// The moment of this change, for the stamps.
    var now: UInt64 = 0

    private let owner: Int
    var residents: ResidentList
    /// Entries that are out of use and not yet released, and indexes.
    var retired: RetiredLists

    static let smallestCapacity = 16

    /// An empty table.
    ///
    /// - Parameters:
    ///   - owner: the number of the owner.
    ///   - isStamped: whether nodes note the moment of their last use.
    init(index: EntryIndex, owner: Int, policy: EvictionPolicy, stripeCount: Int, isStamped: Bool = false) {
        self.index = index
        self.owner = owner
        retired = RetiredLists(stripeCount: stripeCount)
        recency = RecencyList(capacity: Self.smallestCapacity, isStamped: isStamped)
        residents = ResidentList(capacity: Self.smallestCapacity)
        room = Self.smallestCapacity
        most = Self.smallestCapacity
        ceiling = Self.smallestCapacity
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
    }

    // MARK: Reading

    /// The node of the entry with this key, or `nil`; for the only owner.
    @inline(__always)
    func node(of key: UnsafeRawBufferPointer, hash: KeyHash) -> UInt32? {
        index.find(key, hash: hash)?._withUnsafeGuaranteedRef { $0.node }
    }

    /// The entry of a node, `nil` when the node is free.
    func entry(_ node: UInt32) -> StoredEntry? {
        residents[node].map { StoredEntry(storage: $0.entry.takeUnretainedValue()) }
    }

    /// The entry of a node as the owner knows it, `nil` when the node is free.
    @inline(__always)
    func resident(_ node: UInt32) -> Resident? { residents[node] }

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

    /// The same in a table with stamps.
    @inline(__always)
    func touchStamped(_ node: UInt32) {
        guard node <= lastNode else { return }
        recency.touch(node)
        recency.stamp(node, now)
    }

    /// Whether nodes note the moment of their last use.
    @inline(__always)
    var isStamped: Bool { recency.isStamped }

    /// Begins to note the moments of use; all entries so far are from before.
    mutating func beginToStamp() { recency.beginToStamp(capacity: room) }

    /// The moment of the last use of the node to evict next, as far as it is known; `max` when the table is empty.
    var oldestStamp: UInt64 { recency.oldest == 0 ? .max : recency.stamp(of: recency.oldest) }

    /// Begins to load the memory that evicting the entry after the next one changes: it is rarely in a cache, and not needed
    /// at once.
    @inline(__always)
    func prefetchSecond() {
        guard order == nil, let resident = residents[recency.newer(than: recency.oldest)] else { return }
        resident.entry._withUnsafeGuaranteedRef { $0.prefetchEnd() }
        if isStamped { index.prefetchToChange(resident.tag) } else { index.prefetch(resident.tag) }
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

    /// The nodes from the first to evict to the last, each with its moment.
    func nodes() -> [(node: UInt32, stamp: UInt64)] {
        if let order { return order._withUnsafeGuaranteedRef { $0.nodes() }.map { ($0, 0) } }
        var nodes: [(UInt32, UInt64)] = []
        var node = recency.oldest
        while node != 0 {
            nodes.append((node, recency.stamp(of: node)))
            node = recency.newer(than: node)
        }
        return nodes
    }

    // MARK: Changing

    /// Gives an entry a node, for `link` or `takeBack`. There is room for one.
    ///
    /// - Parameter stripe: that of the thread that stores it.
    @inline(__always)
    mutating func enter(_ entry: StoredEntry, stripe: Int) -> (node: UInt32, resident: Resident) {
        let node: UInt32
        if firstFree != 0 {
            node = firstFree
            firstFree = recency.newer(than: node)
        } else {
            lastNode += 1
            node = lastNode
        }
        return (node, entering(entry, node: node, stripe: stripe))
    }

    /// Puts an entry that the index leads to in as used now.
    ///
    /// - Parameter size: its cost, in the tier's unit.
    @inline(__always)
    mutating func link(_ entered: (node: UInt32, resident: Resident), size: Int) {
        residents[entered.node] = entered.resident
        if let order {
            order._withUnsafeGuaranteedRef { $0.insert(entered.node, size: size) }
        } else {
            recency.insert(entered.node)
            recency.stampIfNoted(entered.node, now)
        }
        count &+= 1
    }

    /// Gives up an entry that the index does not lead to.
    mutating func takeBack(_ entered: (node: UInt32, resident: Resident)) {
        free(entered.node)
        entered.resident.entry.leaveAndRelease()
    }

    /// Puts an entry in. Its key may not be in the table yet, which is the only one.
    @inline(__always)
    mutating func insert(_ entry: StoredEntry, size: Int, stripe: Int) {
        let entered = enter(entry, stripe: stripe)
        index.insert(entered.resident.entry, tag: entered.resident.tag)
        link(entered, size: size)
    }

    /// Puts an entry in the place of another of the same key, which was held back or touched; readers find the one or the
    /// other.
    ///
    /// - Parameter change: replaces it in the index.
    @inline(__always)
    mutating func replace(
        _ node: UInt32, by entry: StoredEntry, size: Int, stripe: Int,
        _ change: (_ old: Resident, _ new: Resident) -> Bool
    ) -> Bool {
        guard let old = residents[node] else { return false }
        let new = entering(entry, node: node, stripe: stripe)
        guard change(old, new) else {
            new.entry.leaveAndRelease()
            return false
        }
        residents[node] = new
        order?._withUnsafeGuaranteedRef { $0.putBack(node, size: size) }
        retired.append(old.entry)
        return true
    }

    /// A reference for the table: to the entry, or to a copy when it is in a tier already.
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
            $0.owner = owner
            $0.stripe = stripe
        }
        return Resident(entry: retained, tag: EntryIndex.tag(entry.hash))
    }

    /// Takes the entry of `node` out; of the only owner, or while all are locked.
    @inline(__always)
    mutating func remove(_ node: UInt32) {
        guard let resident = residents[node] else { return }
        unlink(node, resident, steps: index.remove(resident.entry, tag: resident.tag))
    }

    /// Takes the entry of a node out to which the index no longer leads.
    @inline(__always)
    mutating func unlink(_ node: UInt32, _ resident: Resident, steps: Int) {
        stepsOfRemovals &+= 1 &+ steps
        residents[node] = nil
        if let order { order._withUnsafeGuaranteedRef { $0.remove(node) } } else { recency.remove(node) }
        free(node)
        count &-= 1
        retired.append(resident.entry)
    }

    @inline(__always)
    private mutating func free(_ node: UInt32) {
        recency.chain(node, to: firstFree)
        firstFree = node
    }

    /// Takes all entries out, for the new index. The owner releases them, by `retired`.
    mutating func removeAll(index: EntryIndex) {
        stepsOfRemovals &+= count
        let before = recency
        retired.append(residents.takeBlock(lastNode: lastNode) { before.deallocate() })
        self.index = index
        recency = RecencyList(capacity: Self.smallestCapacity, isStamped: before.isStamped)
        residents = ResidentList(capacity: Self.smallestCapacity)
        order?._withUnsafeGuaranteedRef { $0.removeAll(capacity: Self.smallestCapacity) }
        count = 0
        lastNode = 0
        firstFree = 0
        room = Self.smallestCapacity
    }
}
