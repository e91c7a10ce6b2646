import Synchronization

extension EntryStorage {
    /// The number of the entry in the memory tier that it is in (`EntryTable`), 0 before it comes into one. Beside the key,
    /// so that a reader who has compared the key has it at hand.
    ///
    /// Set by the tier's writer, while readers who found the entry may read it: they get the number that it has, had, or is
    /// about to have.
    @inline(__always)
    var node: UInt32 {
        get { nodeWord.pointee.load(ordering: .relaxed) }
        set { nodeWord.pointee.store(newValue, ordering: .relaxed) }
    }

    @inline(__always)
    private var nodeWord: UnsafeMutablePointer<Atomic<UInt32>> {
        withUnsafeMutablePointerToHeader { header in
            // Swift lays out the fields of a struct in the order of their declaration, and two of four bytes are the last.
            (UnsafeMutableRawPointer(header + 1) - 8).assumingMemoryBound(to: Atomic<UInt32>.self)
        }
    }
}
