/// A restriction on where a response may be stored.
public enum SubjectStoragePolicy: String, Hashable, Sendable {
    /// In memory only, never on disk.
    case memoryOnly = "for memory only"
    /// Nowhere; the response that it supersedes is removed all the same.
    case notAllowed = "not to be kept"
}
