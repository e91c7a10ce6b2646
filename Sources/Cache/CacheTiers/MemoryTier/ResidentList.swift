// Invariant of the pointers: `entries` and `tags` have room for numbers 0 to the capacity, from `init` to `deallocate`.

/// An entry as the writer knows it.
struct Resident {
    let entry: Unmanaged<EntryStorage>
    /// Leads to it in the index. Noted here: the entry is rarely in a cache when the index is resized.
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
