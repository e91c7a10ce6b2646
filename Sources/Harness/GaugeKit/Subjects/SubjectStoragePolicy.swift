/// Where a response may be kept, apart from everywhere.
public enum SubjectStoragePolicy: String, Hashable, Sendable {
    /// In memory; it never reaches the disk.
    case memoryOnly = "for memory only"
    /// Nowhere; what it supersedes is gone all the same.
    case notAllowed = "not to be kept"
}
