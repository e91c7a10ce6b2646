/// The meaning of a size that differs from the one of the last request for the object.
package enum SizeChanges: String, CaseIterable, Sendable {
    /// The object has changed: its stored body is outdated, and the request a miss.
    case version
    /// Nothing: the entry keeps the size with which it was stored. So libCacheSim counts.
    case ignore
    /// A hit, and the entry has the new size from then on.
    case update
}
