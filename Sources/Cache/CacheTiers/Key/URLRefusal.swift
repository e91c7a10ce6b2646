/// The reason why a URL cannot be a cache key. Such a request is answered as if there were no cache.
public struct URLRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Reason: Sendable, CaseIterable {
        /// More than `CanonicalURL.longest` bytes.
        case tooLong
        /// No scheme: a relative reference, or not a URL at all.
        case notAbsolute
        /// A scheme that is neither `http` nor `https`.
        case unsupportedScheme
        /// No `//` after the scheme.
        case noAuthority
        /// A user name or password before the host.
        case userInfo
        /// Nothing where the host should be (RFC 9110 section 4.2.1 forbids it).
        case emptyHost
        /// A host that is neither a name nor an IP literal. Percent-encoding in a name is refused too: whether `%61` and
        /// `a` are one host depends on the resolver.
        case invalidHost
        /// A port that is not a decimal number up to 65535.
        case invalidPort
        /// A byte that RFC 3986 does not allow in a path, query or fragment: a blank, a control character, one of
        /// `"<>[\]^`{|}`, or anything beyond ASCII.
        case invalidByte
        /// A `%` without two hexadecimal digits after it.
        case invalidPercentEncoding
    }

    /// The kind of refusal.
    public let reason: Reason
    /// Where, in bytes from the start of the text.
    public let offset: Int

    /// A reason and its place.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The reason, the place and the remedy.
    public var description: String {
        switch reason {
        case .tooLong: "URL is longer than \(CanonicalURL.longest) bytes and is not cached; shorten it"
        case .notAbsolute: "URL has no scheme; pass an absolute URL that begins with http:// or https://"
        case .unsupportedScheme: "URL scheme is neither http nor https; only those two are cached"
        case .noAuthority: "URL has no // after its scheme, at byte \(offset); write http://host/path"
        case .userInfo: "URL carries a user name or password and is not cached; send them in an Authorization header"
        case .emptyHost: "URL has an empty host, at byte \(offset); write http://host/path"
        case .invalidHost:
            "URL has an invalid host, at byte \(offset); use a name in ASCII (IDNs as xn--…) or an IP literal"
        case .invalidPort: "URL has an invalid port, at byte \(offset); use a decimal number up to 65535"
        case .invalidByte: "URL has a byte that is not allowed there, at byte \(offset); percent-encode it"
        case .invalidPercentEncoding:
            "URL has a % without two hexadecimal digits, at byte \(offset); write %25 for the sign itself"
        }
    }
}
