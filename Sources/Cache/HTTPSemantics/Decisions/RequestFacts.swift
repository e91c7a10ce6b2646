/// The facts about a request that decide whether a stored response answers it. Trivially copyable. In a hot loop, make
/// one from an ordinary request and use it for many lookups.
@frozen
public struct RequestFacts: Equatable, Sendable {
    /// Facts that are true or false.
    @frozen
    public struct Flags: OptionSet, Sendable {
        /// One bit for each flag.
        public var rawValue: UInt16
        /// Wraps the bits.
        @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// `Cache-Control: no-cache` or an unreadable `Cache-Control`; without any `Cache-Control`, `Pragma: no-cache`.
        @inlinable public static var noCache: Self { Self(rawValue: 1 << 0) }
        /// `no-store`: the answer is not kept. A response already stored may be used (RFC 9111, section 5.2.1.5).
        @inlinable public static var noStore: Self { Self(rawValue: 1 << 1) }
        /// `only-if-cached`: from the cache or a 504.
        @inlinable public static var onlyIfCached: Self { Self(rawValue: 1 << 2) }
        /// The application sent `If-Match` or `If-Unmodified-Since`, which only the origin evaluates (RFC 9111, section
        /// 4.3.2).
        @inlinable public static var hasOriginCondition: Self { Self(rawValue: 1 << 3) }
        /// A GET with `Range`; for other methods it has no meaning (RFC 9110, section 14.2).
        @inlinable public static var hasRange: Self { Self(rawValue: 1 << 4) }
        /// `max-age`, `min-fresh` or `max-stale` is present: the client sets its own limits.
        @inlinable public static var limitsAge: Self { Self(rawValue: 1 << 5) }
        /// Because of the method or policy, freshness alone does not decide.
        @inlinable static var isUnusual: Self { Self(rawValue: 1 << 6) }
        /// The application sent `If-None-Match` or `If-Modified-Since`, which a fresh stored response answers.
        @inlinable public static var hasCacheCondition: Self { Self(rawValue: 1 << 7) }
        /// The URL's scheme is https.
        @inlinable public static var isSecure: Self { Self(rawValue: 1 << 8) }

        /// Any of these requires further checks before a fresh response is the answer.
        @inlinable static var obstacles: Self {
            [.noCache, .hasOriginCondition, .hasRange, .isUnusual, .hasCacheCondition]
        }
        /// The application's own conditions and range, which select a part of a response, or no body.
        @inlinable public static var selectsAnswer: Self { [.hasOriginCondition, .hasCacheCondition, .hasRange] }
    }

    /// How the request wants the cache to be used.
    public let policy: RequestPolicy
    /// The class of its method.
    public package(set) var method: MethodClass
    /// The facts that are true of it.
    public let flags: Flags
    /// `max-age`: the highest age accepted, seconds; `Int64.max` if absent. 0 and unreadable values give -1, no age at
    /// all, because an age of 0 may be most of a second.
    public let maxAge: Int64
    /// `min-fresh`: how many seconds the response must stay fresh; `Int64.min` if absent, `Int64.max` if unreadable.
    public let minFresh: Int64
    /// `max-stale`: the staleness accepted, seconds; -1 if absent or unreadable, `Int64.max` without an argument.
    public let maxStale: Int64
    /// `stale-if-error` (RFC 5861, section 4): seconds after the lifetime; 0 if absent or unreadable.
    public let staleIfError: Int64

    /// The facts of a request.
    ///
    /// - Parameters:
    ///   - method: the class of its method.
    ///   - policy: how it wants the cache to be used.
    ///   - cacheControl: its `Cache-Control`; `nil` without one, and then `Pragma` counts.
    ///   - pragmaNoCache: its `Pragma` has `no-cache`.
    ///   - conditions: those of `hasOriginCondition`, `hasCacheCondition`, `hasRange` and `isSecure` that are true.
    public init(
        method: MethodClass = .get, policy: RequestPolicy = .useProtocolCachePolicy, cacheControl: CacheControl? = nil,
        pragmaNoCache: Bool = false, conditions: Flags = []
    ) {
        let control = cacheControl ?? CacheControl()
        var flags = conditions.intersection([.selectsAnswer, .isSecure])
        if method != .get { flags.remove(.hasRange) }
        if !control.directives.isDisjoint(with: [.noCache, .malformed]) { flags.insert(.noCache) }
        if cacheControl == nil, pragmaNoCache { flags.insert(.noCache) }
        if control.directives.contains(.noStore) { flags.insert(.noStore) }
        if control.directives.contains(.onlyIfCached) { flags.insert(.onlyIfCached) }
        let acceptsAnyStale = control.directives.contains(.anyStale)
        if control.maxAge.isPresent || control.minFresh.isPresent || control.maxStale.isPresent || acceptsAnyStale {
            flags.insert(.limitsAge)
        }
        if policy != .useProtocolCachePolicy || (method != .get && method != .head) { flags.insert(.isUnusual) }

        self.policy = policy
        self.method = method
        self.flags = flags
        let mostSeconds = control.maxAge.isPresent ? control.maxAge.seconds ?? 0 : .max
        maxAge = mostSeconds == 0 ? -1 : mostSeconds
        minFresh = control.minFresh.isPresent ? control.minFresh.seconds ?? .max : .min
        maxStale = acceptsAnyStale && !control.maxStale.isPresent ? .max : control.maxStale.seconds ?? -1
        staleIfError = control.staleIfError.seconds ?? 0
    }

    /// GET or HEAD, which a stored response can answer.
    @inlinable public var isAnsweredFromStore: Bool { method == .get || method == .head }

    /// Its policy uses nothing that is stored.
    package var ignoresStored: Bool {
        policy == .reloadIgnoringLocalCacheData || policy == .reloadIgnoringLocalAndRemoteCacheData
    }
}

extension RequestFacts {
    /// Reads the facts from the request's method, URL and header fields in one pass. Allocates only if `Cache-Control`
    /// or `Pragma` has several lines.
    ///
    /// `request` is borrowed; otherwise the initialiser would count a reference for each of its strings. `policy` is
    /// the request's own, or else its session's.
    package init(_ request: borrowing HTTPRequest, policy: RequestPolicy = .useProtocolCachePolicy) {
        var hasCacheControl = false
        var hasPragma = false
        var conditions: Flags = []
        for field in request.headerFields.fields {
            // Every hit comes through here, and few request fields have these lengths.
            switch field.name.rawName.utf8.count {
            case 5: if field.name == "Range" { conditions.insert(.hasRange) }
            case 6: if field.name == "Pragma" { hasPragma = true }
            case 8: if field.name == "If-Match" { conditions.insert(.hasOriginCondition) }
            case 13:
                if field.name == "Cache-Control" { hasCacheControl = true }
                if field.name == "If-None-Match" { conditions.insert(.hasCacheCondition) }
            case 17: if field.name == "If-Modified-Since" { conditions.insert(.hasCacheCondition) }
            case 19: if field.name == "If-Unmodified-Since" { conditions.insert(.hasOriginCondition) }
            default: break
            }
        }
        if policy == .reloadRevalidatingCacheData, URLReference.isSecure(request.url) { conditions.insert(.isSecure) }
        self.init(
            method: MethodClass(request.method), policy: policy,
            cacheControl: hasCacheControl ? CacheControl(request.headerFields) : nil,
            pragmaNoCache: hasPragma && Pragma.isNoCache(request.headerFields), conditions: conditions)
    }
}

extension URLReference {
    /// Whether the URL's scheme is https. Does not split the URL.
    static func isSecure(_ url: String) -> Bool {
        let scheme = url.utf8.prefix(6)
        return scheme.count == 6 && zip(scheme, "https:".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
}

/// How a request wants the cache to be used: the six policies of `NSURLRequest`, under their names. Their raw values
/// are left out, because they differ between platforms.
@frozen
public enum RequestPolicy: Sendable, CaseIterable {
    /// RFC 9111 decides, in full.
    case useProtocolCachePolicy
    /// Goes to the origin, uses no stored response, and stores the new answer.
    case reloadIgnoringLocalCacheData
    /// Goes to the origin, past every cache on the way: sends `Cache-Control: no-cache` and `Pragma: no-cache`.
    case reloadIgnoringLocalAndRemoteCacheData
    /// The stored response, whatever its age; otherwise the origin.
    case returnCacheDataElseLoad
    /// The stored response, whatever its age; otherwise failure, never a connection.
    case returnCacheDataDontLoad
    /// The stored response, once the origin has confirmed it. Over https, also a fresh `immutable` one (RFC 8246).
    case reloadRevalidatingCacheData

    /// The older name.
    @inlinable public static var reloadIgnoringCacheData: Self { .reloadIgnoringLocalCacheData }
}

/// The classes of methods a cache tells apart (RFC 9110, section 9.2). Methods are case-sensitive: `get` is not GET.
@frozen
public enum MethodClass: Sendable {
    /// GET: its response is stored, and a stored response answers it.
    case get
    /// HEAD: answered from a stored GET.
    case head
    /// OPTIONS and TRACE: they change nothing, and no stored response answers them.
    case otherSafe
    /// POST, PUT, DELETE, PATCH, and every method not known to be safe.
    case unsafe

    /// Classifies a method.
    public init(_ method: String) {
        self =
            switch method {
            case "GET": .get
            case "HEAD": .head
            case "OPTIONS", "TRACE": .otherSafe
            default: .unsafe
            }
    }
}
