/// Keeps the bytes of an entry where they are, but not the entry.
///
/// Swift ends an object when its last strong reference goes, and frees its memory when its last unowned reference goes, too.
/// An entry's bytes lie in the memory of its storage and are not touched at its end. So what holds this may read them for as
/// long as it likes, and may itself be attached to the entry: the two make no cycle.
///
/// `@unchecked Sendable`: the reference is counted, which any thread may do, and never loaded, which would trap once the entry
/// has gone.
package struct EntryMemory: @unchecked Sendable {
    private unowned let storage: EntryStorage

    fileprivate init(_ storage: EntryStorage) { self.storage = storage }
}

extension StoredEntry {
    /// Keeps the addresses that `withKey`, `withMetadata` and `withBody` lend valid after the entry has gone.
    package var memory: EntryMemory { withStorage { EntryMemory($0) } }
}
