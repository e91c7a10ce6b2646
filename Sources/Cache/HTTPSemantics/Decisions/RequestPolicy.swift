/// How a request wants its cache treated: the six policies of `NSURLRequest`, by name. Their raw values differ between
/// platforms, so none are given here.
@frozen
public enum RequestPolicy: Sendable, CaseIterable {
    /// RFC 9111 decides, in full.
    case useProtocolCachePolicy
    /// To the origin; nothing stored is used, and a new answer is stored.
    case reloadIgnoringLocalCacheData
    /// To the origin, past every cache on the way: `Cache-Control: no-cache` and `Pragma: no-cache` say so.
    case reloadIgnoringLocalAndRemoteCacheData
    /// What is stored, whatever its age, else the origin.
    case returnCacheDataElseLoad
    /// What is stored, whatever its age, else failure; never a connection.
    case returnCacheDataDontLoad
    /// What is stored, once the origin has confirmed it.
    case reloadRevalidatingCacheData

    /// The older name.
    @inlinable public static var reloadIgnoringCacheData: Self { .reloadIgnoringLocalCacheData }
}
