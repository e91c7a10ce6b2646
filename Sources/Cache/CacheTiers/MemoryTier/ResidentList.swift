/// What the writer knows of the entry of a node.
struct Resident {
    let entry: Unmanaged<EntryStorage>
    /// What leads to it in the index: noted here, since the entry itself is cold when the index is built anew.
    let tag: UInt32
}

/// The entries by their nodes, 12 bytes a node.
///
/// Invariant: both arrays have room for numbers 0 to the capacity, and no larger number is ever passed in. The owner sees
/// to it; nothing is checked here.
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

    /// What is at a node; `nil` when it is free.
    @inline(__always)
    subscript(node: UInt32) -> Resident? {
        get { entries[Int(node)].map { Resident(entry: $0, tag: tags[Int(node)]) } }
        nonmutating set {
            entries[Int(node)] = newValue?.entry
            if let newValue { tags[Int(node)] = newValue.tag }
        }
    }
}
