/// What a response says about its own caching, parsed: everything that storability and freshness depend on.
public struct ResponseValues: Equatable, Sendable {
    /// The three-digit status code.
    public var status: Int
    /// `Cache-Control`, all its lines as one.
    public var cacheControl: CacheControl
    /// `Date`.
    public var date: FieldDate
    /// `Expires`.
    public var expires: FieldDate
    /// `Last-Modified`.
    public var lastModified: FieldDate
    /// The first member of `Age`.
    public var age: DeltaSeconds
    /// An `ETag` with a value is there, well-formed or not: it goes back as it came.
    public var hasEntityTag: Bool
    /// A `Vary` with at least one member is there.
    public var hasVary: Bool
    /// `*` is a member of `Vary`.
    public var variesOnEverything: Bool

    /// Values as given, absent unless given.
    public init(
        status: Int = 200, cacheControl: CacheControl = CacheControl(), date: FieldDate = .absent,
        expires: FieldDate = .absent, lastModified: FieldDate = .absent, age: DeltaSeconds = .absent,
        hasEntityTag: Bool = false, hasVary: Bool = false, variesOnEverything: Bool = false
    ) {
        self.status = status
        self.cacheControl = cacheControl
        self.date = date
        self.expires = expires
        self.lastModified = lastModified
        self.age = age
        self.hasEntityTag = hasEntityTag
        self.hasVary = hasVary || variesOnEverything
        self.variesOnEverything = variesOnEverything
    }

    /// The response says itself how long it is fresh, understandably or not (RFC 9111, section 4.2.1).
    ///
    /// `s-maxage` speaks to shared caches alone.
    @inlinable public var hasExplicitLifetime: Bool { cacheControl.maxAge.isPresent || expires != .absent }
}
