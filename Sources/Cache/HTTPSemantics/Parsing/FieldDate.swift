/// A date as a field carries it: absent, present but unreadable, or an instant.
///
/// Invalid is told apart from absent, since an `Expires` that cannot be read has already expired (RFC 9111, section
/// 5.3), and one that is missing leaves room for a heuristic.
public enum FieldDate: Hashable, Sendable {
    /// The field is missing.
    case absent
    /// The field is present, but is not an HTTP-date.
    case invalid
    /// Seconds since 1970-01-01T00:00:00Z.
    case at(Int64)

    /// The instant, `nil` when absent or invalid.
    @inlinable public var seconds: Int64? {
        if case .at(let seconds) = self { seconds } else { nil }
    }
}
