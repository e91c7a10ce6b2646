import Platform
import Synchronization

/// The entries of a memory tier and their order of use, as the one writer sees them; `published` is for readers.
///
/// Invariants:
/// - a node is in the recency list exactly if it has an entry, which the index leads to and which knows the node's number,
///   and else it is on the free chain or above `lastNode`;
/// - what the index no longer leads to is retired, and stays readable until the owner takes it by `takeRetired`, and
///   lets go of it when it has seen that no reader is left who could have found it.
struct EntryTable: ~Copyable {
    /// The `word` of the index in use, for readers: on cache lines of its own, which change only with the table's size.
    let published: UnsafeMutablePointer<Atomic<UInt>>
    private(set) var recency: RecencyList
    /// How many entries there are.
    private(set) var count = 0
    /// The largest number that a node has. Numbers stay as they are until an entry is inserted or the table shrinks.
    private(set) var lastNode: UInt32 = 0
    private var firstFree: UInt32 = 0
    /// What taking entries out has cost so far: entries and buckets of the index that were visited for it.
    private(set) var stepsOfRemovals = 0

    private var index: EntryIndex
    private var residents: ResidentList
    /// What is out of the index and not yet released.
    private(set) var retired = RetiredEntries()

    private static let smallestCapacity = 16

    /// An empty table.
    init() {
        index = EntryIndex(capacity: Self.smallestCapacity)
        published = .allocateAlone()
        published.initialize(to: Atomic(index.word))
        recency = RecencyList(capacity: Self.smallestCapacity)
        residents = ResidentList(capacity: Self.smallestCapacity)
    }

    /// No reader is left.
    deinit {
        var node = recency.oldest
        while node != 0 {
            residents[node]?.entry.leaveAndRelease()
            node = recency.newer(than: node)
        }
        published.deinitialize(count: 1)
        published.deallocateAlone()
        index.deallocate()
        recency.deallocate()
        residents.deallocate()
    }

    // MARK: Reading

    /// The node of the entry with this key, `nil` when there is none.
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
        resident.entry._withUnsafeGuaranteedRef { $0.node = node }
        residents[node] = resident
        index.insert(resident.entry, tag: resident.tag)
        recency.insert(node)
        count += 1
    }

    /// Puts an entry in the place of another of the same key; readers find the one or the other.
    mutating func replace(_ node: UInt32, by entry: StoredEntry) {
        guard let old = residents[node] else { return }
        let new = Resident(entry: Self.entering(entry), tag: old.tag)
        new.entry._withUnsafeGuaranteedRef { $0.node = node }
        residents[node] = new
        index.replace(old.entry, by: new.entry, tag: old.tag)
        retired.append(old.entry)
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
        stepsOfRemovals &+= 1 + index.remove(resident.entry, tag: resident.tag)
        residents[node] = nil
        recency.remove(node)
        recency.chain(node, to: firstFree)
        firstFree = node
        count -= 1
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
        use(largerIndex, larger.0, larger.1)
    }

    /// Resizes a table that is filled to less than three eighths, so that its memory stays within what an entry's
    /// overhead counts for it. Numbers the nodes anew, in their order of use. Amortised, constant time for an entry that
    /// has gone.
    mutating func shrinkIfSparse() {
        guard index.capacity > Self.smallestCapacity, count * 8 < index.capacity * 3 else { return }
        var capacity = Self.smallestCapacity
        while capacity * 3 < count * 4 { capacity *= 2 }
        stepsOfRemovals += count + index.capacity * 2
        let smallerIndex = EntryIndex(capacity: capacity)
        let smaller = (RecencyList(capacity: capacity), ResidentList(capacity: capacity))
        var last: UInt32 = 0
        var node = recency.oldest
        while node != 0 {
            if let resident = residents[node] {
                last += 1
                resident.entry._withUnsafeGuaranteedRef { $0.node = last }
                smaller.0.insert(last)
                smaller.1[last] = resident
                smallerIndex.insert(resident.entry, tag: resident.tag)
            }
            node = recency.newer(than: node)
        }
        use(smallerIndex, smaller.0, smaller.1)
        lastNode = last
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

    /// Hands over what is retired. The caller keeps it until no reader is left who is inside now.
    mutating func takeRetired() -> RetiredEntries {
        var taken = RetiredEntries()
        swap(&taken, &retired)
        return taken
    }
}
