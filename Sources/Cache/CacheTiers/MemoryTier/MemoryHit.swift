/// What a memory tier hands out for a hit.
public enum MemoryHit {
    /// The entry.
    case entry(StoredEntry)
    /// The object that is kept for it; see `StoredEntry.keepHandout`.
    case handout(AnyObject)
}
