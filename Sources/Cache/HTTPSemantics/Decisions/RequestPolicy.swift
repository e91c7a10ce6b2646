/// How a request wants the cache to be used: the six policies of `NSURLRequest`, by name. Their raw values differ between
/// platforms and are left out.
@frozen
public enum RequestPolicy: Sendable, CaseIterable {
    /// RFC 9111 decides, in full.
    case useProtocolCachePolicy
    /// To the origin; no stored response is used, and the new answer is stored.
    case reloadIgnoringLocalCacheData
    /// To the origin, past every cache on the way: `Cache-Control: no-cache` and `Pragma: no-cache` say so.
    case reloadIgnoringLocalAndRemoteCacheData
    /// The stored response, whatever its age, else the origin.
    case returnCacheDataElseLoad
    /// The stored response, whatever its age, else failure; never a connection.
    case returnCacheDataDontLoad
    /// The stored response, once the origin has confirmed it; over https also a fresh `immutable` one (RFC 8246).
    case reloadRevalidatingCacheData

    /// The older name.
    @inlinable public static var reloadIgnoringCacheData: Self { .reloadIgnoringLocalCacheData }
}
