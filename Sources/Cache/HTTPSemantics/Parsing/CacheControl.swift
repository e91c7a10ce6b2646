/// The directives of a request's or response's `Cache-Control` field (RFC 9111, section 5.2).
///
/// A plain value: parsing allocates nothing. Of repeated directives with an argument the first counts, of contradictory
/// ones the most restrictive; unknown ones are ignored. After adding a directive here, run `generate-directives`.
public struct CacheControl: Hashable, Sendable {
    /// The directives without a number, as a set.
    public struct Directives: OptionSet, Hashable, Sendable {
        /// One bit a directive.
        public var rawValue: UInt32
        /// Wraps the bits.
        @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// `no-store`: neither tier may keep the message.
        @inlinable public static var noStore: Self { Self(rawValue: 1 << 0) }
        /// `no-cache`, with or without a field list: not reused until the origin has confirmed it.
        @inlinable public static var noCache: Self { Self(rawValue: 1 << 1) }
        /// `must-revalidate`: never reused stale.
        @inlinable public static var mustRevalidate: Self { Self(rawValue: 1 << 2) }
        /// `proxy-revalidate`: only for shared caches.
        @inlinable public static var proxyRevalidate: Self { Self(rawValue: 1 << 3) }
        /// `public`.
        @inlinable public static var `public`: Self { Self(rawValue: 1 << 4) }
        /// `private`, with or without a field list.
        @inlinable public static var `private`: Self { Self(rawValue: 1 << 5) }
        /// `immutable` (RFC 8246): the client need not revalidate while fresh.
        @inlinable public static var immutable: Self { Self(rawValue: 1 << 6) }
        /// `must-understand`: stored only if the status code is understood.
        @inlinable public static var mustUnderstand: Self { Self(rawValue: 1 << 7) }
        /// `no-transform`.
        @inlinable public static var noTransform: Self { Self(rawValue: 1 << 8) }
        /// `only-if-cached` (request): from the cache or a 504.
        @inlinable public static var onlyIfCached: Self { Self(rawValue: 1 << 9) }
        /// `max-stale` without an argument (request): any staleness will do.
        @inlinable public static var anyStale: Self { Self(rawValue: 1 << 10) }
        /// A quote is never closed or is where the grammar allows none, or `;` follows a directive. The text there may
        /// be any directive, so the field counts as `no-cache`.
        @inlinable public static var malformed: Self { Self(rawValue: 1 << 11) }

        /// The directives that count whatever follows the name. The others widen a cache's rights, and count only if
        /// nothing does; `immutable` also with an argument.
        static var restrictive: Self {
            [.noStore, .noCache, .mustRevalidate, .proxyRevalidate, .private, .noTransform, .onlyIfCached]
        }
    }

    /// Where the names of `no-cache="…"` or `private="…"` are in the field value, without the quotes; may be empty.
    public typealias FieldList = FieldRange

    /// The directives without a number.
    public var directives: Directives = []
    /// `max-age`.
    public var maxAge: DeltaSeconds = .absent
    /// `s-maxage`: parsed, but ignored by a private cache.
    public var sharedMaxAge: DeltaSeconds = .absent
    /// `stale-while-revalidate` (RFC 5861, section 3).
    public var staleWhileRevalidate: DeltaSeconds = .absent
    /// `stale-if-error` (RFC 5861, section 4).
    public var staleIfError: DeltaSeconds = .absent
    /// `min-fresh` (request).
    public var minFresh: DeltaSeconds = .absent
    /// `max-stale` with an argument (request); without one it is `Directives.anyStale`.
    public var maxStale: DeltaSeconds = .absent
    /// The names in `no-cache="…"`.
    public var noCacheFields = FieldList()
    /// The names in `private="…"`.
    public var privateFields = FieldList()

    /// No directive at all.
    @inlinable public init() {}
}
