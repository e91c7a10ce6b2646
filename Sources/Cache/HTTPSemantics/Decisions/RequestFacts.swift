/// The facts about a request by which a stored response is judged. A trivially copyable value. A hot loop makes one from
/// an ordinary request once and uses it for many lookups.
@frozen
public struct RequestFacts: Equatable, Sendable {
    /// Facts that are true or false.
    @frozen
    public struct Flags: OptionSet, Sendable {
        /// One bit for each flag.
        public var rawValue: UInt16
        /// Wraps the bits.
        @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// `Cache-Control: no-cache`, or `Pragma: no-cache` without a `Cache-Control`, or a `Cache-Control` that cannot be
        /// read.
        @inlinable public static var noCache: Self { Self(rawValue: 1 << 0) }
        /// `no-store`: the answer is not kept. A response stored before may be used (RFC 9111, section 5.2.1.5).
        @inlinable public static var noStore: Self { Self(rawValue: 1 << 1) }
        /// `only-if-cached`: from the cache or a 504.
        @inlinable public static var onlyIfCached: Self { Self(rawValue: 1 << 2) }
        /// The application sent `If-Match` or `If-Unmodified-Since`, which only the origin evaluates (RFC 9111, section
        /// 4.3.2).
        @inlinable public static var hasOriginCondition: Self { Self(rawValue: 1 << 3) }
        /// A GET with `Range`. Other methods define no meaning for it (RFC 9110, section 14.2).
        @inlinable public static var hasRange: Self { Self(rawValue: 1 << 4) }
        /// `max-age`, `min-fresh` or `max-stale` is present: the client sets its own bounds.
        @inlinable public static var limitsAge: Self { Self(rawValue: 1 << 5) }
        /// Because of its method or policy, freshness alone does not decide.
        @inlinable static var isUnusual: Self { Self(rawValue: 1 << 6) }
        /// The application sent `If-None-Match` or `If-Modified-Since`, which a fresh stored response answers.
        @inlinable public static var hasCacheCondition: Self { Self(rawValue: 1 << 7) }
        /// The URL's scheme is https.
        @inlinable public static var isSecure: Self { Self(rawValue: 1 << 8) }

        /// With any of these, a fresh response is the answer only after further checks.
        @inlinable static var obstacles: Self {
            [.noCache, .hasOriginCondition, .hasRange, .isUnusual, .hasCacheCondition]
        }
        /// The application's own conditions and range: they select a part of a response, or no body.
        @inlinable public static var selectsAnswer: Self { [.hasOriginCondition, .hasCacheCondition, .hasRange] }
    }

    /// How the request wants the cache to be used.
    public let policy: RequestPolicy
    /// The class of its method.
    public package(set) var method: MethodClass
    /// The facts that are true of it.
    public let flags: Flags
    /// `max-age`: the highest age that is accepted, seconds; `Int64.max` if absent; -1, no age at all, if it is 0 or
    /// unreadable, since an age of 0 may be most of a second.
    public let maxAge: Int64
    /// `min-fresh`: the seconds for which the response has to stay fresh; `Int64.min` if absent, `Int64.max` if unreadable.
    public let minFresh: Int64
    /// `max-stale`: the staleness that is accepted, seconds; -1 if absent or unreadable, `Int64.max` without an argument.
    public let maxStale: Int64
    /// `stale-if-error` (RFC 5861, section 4): seconds after the lifetime; 0 if absent or unreadable.
    public let staleIfError: Int64

    /// The facts of a request.
    ///
    /// - Parameters:
    ///   - method: the class of its method.
    ///   - policy: how it wants the cache to be used.
    ///   - cacheControl: its `Cache-Control`; `nil` without one, so that `Pragma` counts.
    ///   - pragmaNoCache: its `Pragma` has `no-cache`.
    ///   - conditions: `hasOriginCondition`, `hasCacheCondition`, `hasRange` and `isSecure`, as far as they are true.
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
}

extension RequestFacts {
    /// The facts of a request, read from its method, URL and header fields in one pass. Allocates only for a
    /// `Cache-Control` or `Pragma` of several lines.
    ///
    /// `request` is borrowed: an initialiser would otherwise take it over, with a reference count for each string.
    ///
    /// - Parameter policy: the policy in force: the request's own, or else its session's.
    package init(_ request: borrowing HTTPRequest, policy: RequestPolicy = .useProtocolCachePolicy) {
        var hasCacheControl = false
        var hasPragma = false
        var conditions: Flags = []
        for field in request.headerFields.fields {
            // Every hit goes through here, and few fields of a request have these lengths.
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
    /// Whether a URL's scheme is https, without splitting it.
    static func isSecure(_ url: String) -> Bool {
        let scheme = url.utf8.prefix(6)
        return scheme.count == 6 && zip(scheme, "https:".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
}

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

/// The classes of request methods that a cache distinguishes (RFC 9110, section 9.2). Methods are case-sensitive: `get` is
/// not GET.
@frozen
public enum MethodClass: Sendable {
    /// GET: its response is stored, and a stored response answers it.
    case get
    /// HEAD: answered from a stored GET.
    case head
    /// OPTIONS and TRACE: they change nothing, and no stored response answers them.
    case otherSafe
    /// POST, PUT, DELETE, PATCH, and every method that is not known to be safe.
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
