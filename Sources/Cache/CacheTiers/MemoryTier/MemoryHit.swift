/// What a memory tier hands out for a hit.
package enum MemoryHit {
    /// The entry.
    case entry(StoredEntry)
    /// The object that is kept for it; see `StoredEntry.keepHandout`.
    case handout(AnyObject)
}
