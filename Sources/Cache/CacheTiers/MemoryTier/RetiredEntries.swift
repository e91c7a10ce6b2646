// Invariants of the pointers: the first `count` of the `capacity` places of `RetiredEntries` hold entries that are
// retained for the list. `RetiredLists` has `stripeCount` lists from `init` to `deinit`, and an entry's stripe is below
// that.

/// Entries that left the index but may still be in a reader's hands, and old indexes. All are released when this goes
/// out of scope: by then the tier has waited for the readers (`MemoryTier.waitForReaders`). Blocks of entries have to
/// be released by `release(by:)`.
struct RetiredEntries: ~Copyable {
    private var entries: UnsafeMutablePointer<Unmanaged<EntryStorage>>
    private var capacity = 32
    /// Entries that left together, and old indexes.
    fileprivate var blocks: [EntryBlock] = []

    /// How many entries there are.
    private(set) var count = 0
    /// Bytes of their keys, metadata and bodies.
    private(set) var byteCount = 0
    /// Has the address of every entry.
    fileprivate(set) var filter = BloomFilter.nothing

    init() { entries = .allocate(capacity: capacity) }

    /// Releases everything.
    deinit {
        for place in 0..<count { entries[place].leaveAndRelease() }
        entries.deallocate()
    }

    /// Releases everything: many entries later, by `background`.
    consuming func release(by background: BackgroundRelease) {
        // Joined to one, since `background` keeps two at most waiting.
        if let block = blocks.count > 1 ? EntryBlock(joining: blocks) : blocks.first { background.add(block) }
        guard count > BackgroundRelease.entriesAtOnce else { return }
        let (entries, count) = (entries, count)
        self.entries = .allocate(capacity: 1)
        self.count = 0
        // An optional reference has the same layout.
        let places = UnsafeMutableRawPointer(entries).bindMemory(to: Unmanaged<EntryStorage>?.self, capacity: count)
        background.add(EntryBlock(places, count: count) { places.deallocate() })
    }

    /// Takes over a reference to an entry.
    @inline(__always)
    fileprivate mutating func append(_ entry: Unmanaged<EntryStorage>, byteCount added: Int) {
        if count == capacity { grow() }
        entries[count] = entry
        count &+= 1
        byteCount &+= added
        filter.insert(UInt(bitPattern: entry.toOpaque()))
    }

    /// Takes another list over.
    mutating func append(contentsOf other: consuming RetiredEntries) {
        for place in 0..<other.count { append(other.entries[place], byteCount: 0) }
        byteCount += other.byteCount
        other.count = 0
        guard !other.blocks.isEmpty else { return }
        swap(&blocks, &other.blocks)
        blocks += other.blocks
        other.blocks = []
        filter = .everything
    }

    /// Whether there is nothing to release.
    var isEmpty: Bool { count == 0 && blocks.isEmpty }

    @inline(never)
    private mutating func grow() {
        let larger = capacity * 2
        let grown = UnsafeMutablePointer<Unmanaged<EntryStorage>>.allocate(capacity: larger)
        grown.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = grown
        capacity = larger
    }
}

/// The retired entries of a tier, by the stripe that stored them.
///
/// A thread that stores frees its own entries' memory, and gets the blocks back for the next ones. If another thread
/// frees a block, both wait for a lock of the allocator; with two threads that took a third of the time.
struct RetiredLists: ~Copyable {
    private let lists: UnsafeMutablePointer<RetiredEntries>
    private let stripeCount: Int
    private var blocks: [EntryBlock] = []

    /// Entries of all lists.
    private(set) var count = 0
    /// Bytes of their keys, metadata and bodies.
    private(set) var byteCount = 0

    /// Empty lists.
    init(stripeCount: Int) {
        self.stripeCount = stripeCount
        lists = .allocate(capacity: stripeCount)
        for stripe in 0..<stripeCount { (lists + stripe).initialize(to: RetiredEntries()) }
    }

    /// Releases everything.
    deinit {
        lists.deinitialize(count: stripeCount)
        lists.deallocate()
    }

    /// Whether there is nothing to release.
    var isEmpty: Bool { count == 0 && blocks.isEmpty }

    /// Entries that a stripe stored.
    @inline(__always)
    func count(of stripe: Int) -> Int { lists[stripe].count }

    /// Bytes of the keys, metadata and bodies of entries that a stripe stored.
    @inline(__always)
    func byteCount(of stripe: Int) -> Int { lists[stripe].byteCount }

    /// Takes over a reference to an entry.
    @inline(__always)
    mutating func append(_ entry: Unmanaged<EntryStorage>) {
        let (stripe, added) = entry._withUnsafeGuaranteedRef {
            $0.prefetchBehind()
            return ($0.stripe, $0.heldCount)
        }
        lists[stripe].append(entry, byteCount: added)
        count &+= 1
        byteCount &+= added
    }

    /// Takes over an index, without its entries.
    mutating func append(_ index: EntryIndex) {
        blocks.append(EntryBlock(nil, count: 0) { index.deallocate() })
    }

    /// Takes over a block of entries; `takeAll` has to follow.
    mutating func append(_ block: EntryBlock) {
        blocks.append(block)
        lists[0].filter = .everything
    }

    /// Hands over the entries of one stripe, and the indexes.
    mutating func take(of stripe: Int) -> RetiredEntries {
        var taken = RetiredEntries()
        swap(&taken, &lists[stripe])
        count -= taken.count
        byteCount -= taken.byteCount
        swap(&taken.blocks, &blocks)
        return taken
    }

    /// Hands everything over.
    mutating func takeAll() -> RetiredEntries {
        var taken = take(of: 0)
        for stripe in 0..<stripeCount where lists[stripe].count > 0 { taken.append(contentsOf: take(of: stripe)) }
        return taken
    }
}

extension Unmanaged<EntryStorage> {
    /// Releases the tier's reference, and the handout.
    @inline(__always)
    func leaveAndRelease() {
        _withUnsafeGuaranteedRef { $0.leave() }
        release()
    }
}
