/// What a reuse decision has to know of a request. A trivially copyable value; making one of an ordinary request once
/// and using it for many look-ups is what a hot loop does.
@frozen
public struct RequestFacts: Equatable, Sendable {
    /// What is true or false of a request.
    @frozen
    public struct Flags: OptionSet, Sendable {
        /// One bit a flag.
        public var rawValue: UInt16
        /// Wraps the bits.
        @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// `Cache-Control: no-cache`, or `Pragma: no-cache` where there is no `Cache-Control`, or a `Cache-Control` that
        /// could not be read.
        @inlinable public static var noCache: Self { Self(rawValue: 1 << 0) }
        /// `no-store`: the answer is not kept. What is stored already may be used (RFC 9111, section 5.2.1.5).
        @inlinable public static var noStore: Self { Self(rawValue: 1 << 1) }
        /// `only-if-cached`: from the cache or a 504.
        @inlinable public static var onlyIfCached: Self { Self(rawValue: 1 << 2) }
        /// The application asks a question of its own: `If-None-Match`, `If-Modified-Since`, `If-Match`,
        /// `If-Unmodified-Since` or `If-Range`. It goes through untouched, and so does the answer.
        @inlinable public static var isConditional: Self { Self(rawValue: 1 << 3) }
        /// It asks for a part: `Range`.
        @inlinable public static var hasRange: Self { Self(rawValue: 1 << 4) }
        /// `max-age`, `min-fresh` or `max-stale` is there: the client has drawn the line itself.
        @inlinable public static var limitsAge: Self { Self(rawValue: 1 << 5) }
        /// Method or policy keep it from the plain question "is the stored response fresh?".
        @inlinable static var isUnusual: Self { Self(rawValue: 1 << 6) }

        /// Any of them, and a fresh response is not the answer without further thought.
        @inlinable static var obstacles: Self { [.noCache, .isConditional, .hasRange, .isUnusual] }
    }

    /// How the request wants its cache treated.
    public let policy: RequestPolicy
    /// What kind of method it has.
    public let method: MethodClass
    /// What is true of it.
    public let flags: Flags
    /// `max-age`: the oldest that will do, seconds; `Int64.max` when absent, 0 when unreadable.
    public let maxAge: Int64
    /// `min-fresh`: seconds of freshness that have to be left; `Int64.min` when absent, `Int64.max` when unreadable.
    public let minFresh: Int64
    /// `max-stale`: how stale will do, seconds; -1 when absent or unreadable, `Int64.max` without an argument.
    public let maxStale: Int64
    /// `stale-if-error` (RFC 5861, section 4): seconds after the lifetime; 0 when absent or unreadable.
    public let staleIfError: Int64

    /// The facts of a request.
    ///
    /// - Parameters:
    ///   - method: what kind of method it has.
    ///   - policy: how it wants its cache treated.
    ///   - cacheControl: its `Cache-Control`; `nil` when it has none, and `Pragma` speaks.
    ///   - pragmaNoCache: its `Pragma` says `no-cache`.
    ///   - isConditional: it has a conditional field of the application's own.
    ///   - hasRange: it has a `Range`.
    public init(
        method: MethodClass = .get, policy: RequestPolicy = .useProtocolCachePolicy, cacheControl: CacheControl? = nil,
        pragmaNoCache: Bool = false, isConditional: Bool = false, hasRange: Bool = false
    ) {
        let control = cacheControl ?? CacheControl()
        var flags: Flags = []
        if !control.directives.isDisjoint(with: [.noCache, .malformed]) { flags.insert(.noCache) }
        if cacheControl == nil, pragmaNoCache { flags.insert(.noCache) }
        if control.directives.contains(.noStore) { flags.insert(.noStore) }
        if control.directives.contains(.onlyIfCached) { flags.insert(.onlyIfCached) }
        if isConditional { flags.insert(.isConditional) }
        if hasRange { flags.insert(.hasRange) }
        let acceptsAnyStale = control.directives.contains(.anyStale)
        if control.maxAge.isPresent || control.minFresh.isPresent || control.maxStale.isPresent || acceptsAnyStale {
            flags.insert(.limitsAge)
        }
        if policy != .useProtocolCachePolicy || (method != .get && method != .head) { flags.insert(.isUnusual) }

        self.policy = policy
        self.method = method
        self.flags = flags
        maxAge = control.maxAge.isPresent ? control.maxAge.seconds ?? 0 : .max
        minFresh = control.minFresh.isPresent ? control.minFresh.seconds ?? .max : .min
        maxStale = acceptsAnyStale && !control.maxStale.isPresent ? .max : control.maxStale.seconds ?? -1
        staleIfError = control.staleIfError.seconds ?? 0
    }

    /// GET or HEAD: what a stored response can answer.
    @inlinable public var isAnsweredFromStore: Bool { method == .get || method == .head }
}
