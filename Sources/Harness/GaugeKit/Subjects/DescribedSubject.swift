/// What a cache says of itself before it is used, and the keys that it makes: common to ``CacheSubject`` and
/// ``AsyncCacheSubject``.
public protocol DescribedSubject: AnyObject, SendableMetatype {
    /// The key that a caller of this cache has when it asks: a URL's text, a `URLRequest`, a database key. It may also
    /// hold data that storing needs (a response head), since making that isn't the cache's work.
    associatedtype Key

    /// The last part of its benchmarks' names, lower-case: `files`.
    static var name: String { get }

    /// The capabilities of the subject.
    static var capabilities: SubjectCapabilities { get }

    /// The order in which the subject evicts; `.lru` by default. `verify` tests it.
    static var order: SubjectOrder { get }

    /// The order in which the disk tier evicts, also after it was closed and opened again; `.unspecified` by default.
    /// `verify` tests it.
    static var diskOrder: SubjectOrder { get }

    /// What the subject's limits mean; nothing is declared by default. `verify` tests it.
    static var limits: SubjectLimits { get }

    /// A one-line description of the configuration for reports, e.g. version and modes; empty by default.
    static var details: String { get }

    /// What people call the cache, for sentences: `Foundation's URLCache`.
    static var title: String { get }

    /// Makes the key of a URL. Untimed.
    func key(for url: String) throws -> Key

    /// Makes the key of a request, in which more than the URL may matter. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/requests``.
    func key(for request: SubjectRequest) throws -> Key
}

// Default implementations.
extension DescribedSubject {
    /// Nothing is declared.
    public static var limits: SubjectLimits { SubjectLimits() }

    /// None is promised.
    public static var diskOrder: SubjectOrder { .unspecified }

    /// Nothing to say.
    public static var details: String { "" }
    /// The name.
    public static var title: String { name }

    /// The key of the URL, if the request is a plain GET; throws otherwise.
    public func key(for request: SubjectRequest) throws -> Key {
        guard request.isPlain else { throw GaugeError("\(Self.name) knows nothing of requests but their URL") }
        return try key(for: request.url)
    }
}
