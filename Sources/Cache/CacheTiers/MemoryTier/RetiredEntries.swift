/// Entries that are out of the index but may still be in a reader's hands, and indexes that readers may still be reading.
/// All of it is released when this goes out of scope: by then the owner has waited for the readers
/// (`MemoryTier.waitForReaders`).
///
/// Invariant: the first `count` of `capacity` places are initialised, with entries that are retained for this list.
struct RetiredEntries: ~Copyable {
    private var entries: UnsafeMutablePointer<Unmanaged<EntryStorage>>
    private var capacity = 32
    private var indexes: [EntryIndex] = []

    /// How many entries there are.
    private(set) var count = 0
    /// Bytes of their keys, metadata and bodies.
    private(set) var byteCount = 0
    /// Contains the address of every entry.
    private(set) var filter = AddressFilter.nothing

    init() { entries = .allocate(capacity: capacity) }

    /// Releases everything.
    deinit {
        for place in 0..<count { entries[place].leaveAndRelease() }
        entries.deallocate()
        for index in indexes { index.deallocate() }
    }

    /// Whether there is nothing to release.
    var isEmpty: Bool { count == 0 && indexes.isEmpty }

    /// Takes over a reference to an entry.
    @inline(__always)
    mutating func append(_ entry: Unmanaged<EntryStorage>) {
        if count == capacity { grow() }
        entries[count] = entry
        count += 1
        byteCount += entry._withUnsafeGuaranteedRef { $0.byteCount }
        filter.insert(UInt(bitPattern: entry.toOpaque()))
    }

    /// Takes over an index, without its entries.
    mutating func append(_ index: EntryIndex) { indexes.append(index) }

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

extension Unmanaged<EntryStorage> {
    /// Ends the entry's stay in the tier, and releases the tier's reference.
    @inline(__always)
    func leaveAndRelease() {
        _withUnsafeGuaranteedRef { $0.leave() }
        release()
    }
}
