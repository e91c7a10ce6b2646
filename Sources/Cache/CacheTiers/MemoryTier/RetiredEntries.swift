/// Entries that readers may still be about to retain, and the indexes that they may still be reading. All of it is
/// released when this goes out of scope: the owner sees to it that no reader is left who was inside before.
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
    }

    /// Takes over an index; its entries are somebody else's.
    mutating func append(_ index: EntryIndex) { indexes.append(index) }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Unmanaged<EntryStorage>>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}

extension Unmanaged<EntryStorage> {
    /// Ends the entry's stay in the tier, and the tier's hold on it.
    @inline(__always)
    func leaveAndRelease() {
        _withUnsafeGuaranteedRef { $0.leave() }
        release()
    }
}
