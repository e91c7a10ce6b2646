/// The directives of a `Cache-Control` field, of a request or of a response (RFC 9111, section 5.2).
///
/// A plain value: parsing allocates nothing. Of two directives with an argument the first counts, of contradictory
/// ones the most restrictive; unknown ones are ignored.
package struct CacheControl: Hashable, Sendable {
    /// The directives without a number, as a set.
    package struct Directives: OptionSet, Hashable, Sendable {
        /// One bit a directive.
        package var rawValue: UInt32
        /// Wraps the bits.
        @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// `no-store`: neither tier may keep the message.
        @inlinable package static var noStore: Self { Self(rawValue: 1 << 0) }
        /// `no-cache`, with or without a field list: not reused until the origin has confirmed it.
        @inlinable package static var noCache: Self { Self(rawValue: 1 << 1) }
        /// `must-revalidate`: never reused stale.
        @inlinable package static var mustRevalidate: Self { Self(rawValue: 1 << 2) }
        /// `proxy-revalidate`: for shared caches alone.
        @inlinable package static var proxyRevalidate: Self { Self(rawValue: 1 << 3) }
        /// `public`.
        @inlinable package static var `public`: Self { Self(rawValue: 1 << 4) }
        /// `private`, with or without a field list.
        @inlinable package static var `private`: Self { Self(rawValue: 1 << 5) }
        /// `immutable` (RFC 8246): the client need not revalidate while fresh.
        @inlinable package static var immutable: Self { Self(rawValue: 1 << 6) }
        /// `must-understand`: stored only when the status code is understood.
        @inlinable package static var mustUnderstand: Self { Self(rawValue: 1 << 7) }
        /// `no-transform`.
        @inlinable package static var noTransform: Self { Self(rawValue: 1 << 8) }
        /// `only-if-cached` (request): from the cache or a 504.
        @inlinable package static var onlyIfCached: Self { Self(rawValue: 1 << 9) }
        /// `max-stale` without an argument (request): any staleness will do.
        @inlinable package static var anyStale: Self { Self(rawValue: 1 << 10) }
        /// A quote was never closed, or stands where none can: what it hides is unknown, so that the response has to be
        /// treated as one that says `no-store`.
        @inlinable package static var malformed: Self { Self(rawValue: 1 << 11) }
    }

    /// Where in the field value the list of names in `no-cache="…"` or `private="…"` stands, without the quotes; empty
    /// when there is none.
    package typealias FieldList = FieldRange

    /// The directives without a number.
    package var directives: Directives = []
    /// `max-age`.
    package var maxAge: DeltaSeconds = .absent
    /// `s-maxage`: parsed and, by a private cache, ignored.
    package var sharedMaxAge: DeltaSeconds = .absent
    /// `stale-while-revalidate` (RFC 5861, section 3).
    package var staleWhileRevalidate: DeltaSeconds = .absent
    /// `stale-if-error` (RFC 5861, section 4).
    package var staleIfError: DeltaSeconds = .absent
    /// `min-fresh` (request).
    package var minFresh: DeltaSeconds = .absent
    /// `max-stale=N` (request); the bare form is `Directives.anyStale`.
    package var maxStale: DeltaSeconds = .absent
    /// The names in `no-cache="…"`.
    package var noCacheFields = FieldList()
    /// The names in `private="…"`.
    package var privateFields = FieldList()

    /// No directive at all.
    @inlinable package init() {}
}
