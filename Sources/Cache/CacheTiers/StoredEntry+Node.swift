import Synchronization

extension EntryStorage {
    /// The number of the entry in the memory tier that holds it, 0 before it enters one. Beside the key, so that a reader
    /// that has compared the key has the number in its cache.
    ///
    /// Invariant: only the tier's writer sets it. A reader that finds the entry meanwhile gets the number that the entry
    /// has, had, or is about to have.
    @inline(__always)
    var node: UInt32 {
        get { withUnsafeMutablePointerToHeader { $0.node.pointee.load(ordering: .relaxed) } }
        set { withUnsafeMutablePointerToHeader { $0.node.pointee.store(newValue, ordering: .relaxed) } }
    }
}
