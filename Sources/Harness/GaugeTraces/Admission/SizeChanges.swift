/// The meaning of a size that differs from the one of the last request for the object.
package enum SizeChanges: String, CaseIterable, Sendable {
    /// The object has changed: its stored body is outdated, and the request a miss. In a log that counts headers, sizes
    /// that differ by a header's worth are one (``SettledSizes``).
    case version
    /// The same, and any difference is a change.
    case exact
    /// Nothing: the entry keeps the size with which it was stored. So libCacheSim counts.
    case ignore
    /// A hit, and the entry has the new size from then on.
    case update

    /// Whether another size is another version.
    package var tellsVersions: Bool { self == .version || self == .exact }
}
