import GaugeSupport

/// A class of responses with the same caching fields. The class of an object follows from seed and key, by weight.
@usableFromInline package struct HeaderClass: Hashable, Sendable {
    /// The number of objects of this class, relative to the other classes.
    @usableFromInline package var weight: Double
    /// `Cache-Control: max-age`, seconds; `nil` for none, which with `lastModified` leaves the lifetime to heuristics.
    @usableFromInline package var maxAge: Int?
    /// `Cache-Control: stale-while-revalidate`, seconds.
    @usableFromInline package var staleWhileRevalidate: Int?
    /// `Cache-Control: no-store`.
    @usableFromInline package var noStore: Bool
    /// `Cache-Control: no-cache`.
    @usableFromInline package var noCache: Bool
    /// `Cache-Control: must-revalidate`.
    @usableFromInline package var mustRevalidate: Bool
    /// `Cache-Control: immutable`.
    @usableFromInline package var immutable: Bool
    /// An `ETag`, which changes with the object.
    @usableFromInline package var etag: Bool
    /// `Last-Modified`: how many seconds before the start of the workload such objects last changed, on average; `nil`
    /// for no such field.
    @usableFromInline package var lastModified: Int?
    /// The request field that the response varies by; empty for none.
    @usableFromInline package var vary: String
    /// The number of values of that field in requests.
    @usableFromInline package var variants: Int
    /// Seconds between two changes of an object; `nil` for objects that never change.
    @usableFromInline package var changesEvery: Int?

    /// Creates a class; fields that are not given are absent.
    @usableFromInline package init(
        weight: Double = 1, maxAge: Int? = nil, staleWhileRevalidate: Int? = nil, noStore: Bool = false,
        noCache: Bool = false, mustRevalidate: Bool = false, immutable: Bool = false, etag: Bool = false,
        lastModified: Int? = nil, vary: String = "", variants: Int = 1, changesEvery: Int? = nil
    ) {
        self.weight = weight
        self.maxAge = maxAge
        self.staleWhileRevalidate = staleWhileRevalidate
        self.noStore = noStore
        self.noCache = noCache
        self.mustRevalidate = mustRevalidate
        self.immutable = immutable
        self.etag = etag
        self.lastModified = lastModified
        self.vary = vary
        self.variants = variants
        self.changesEvery = changesEvery
    }

    /// The value of `Cache-Control`; `nil` when there are no directives.
    @usableFromInline package var cacheControl: String? {
        var directives: [String] = []
        if noStore { directives.append("no-store") }
        if noCache { directives.append("no-cache") }
        if let maxAge { directives.append("max-age=\(maxAge)") }
        if mustRevalidate { directives.append("must-revalidate") }
        if immutable { directives.append("immutable") }
        if let staleWhileRevalidate { directives.append("stale-while-revalidate=\(staleWhileRevalidate)") }
        return directives.isEmpty ? nil : directives.joined(separator: ", ")
    }
}

extension HeaderClass {
    /// The class that an object belongs to.
    package static func of(_ key: UInt64, among classes: [HeaderClass], seed: UInt64) -> HeaderClass {
        var random = SplitMix64(seed: SplitMix64.derive(seed, "headers") ^ SplitMix64.mix(key))
        var point = Double(random.next() >> 11) * 0x1p-53 * classes.reduce(0) { $0 + max(0, $1.weight) }
        var chosen = classes.first ?? HeaderClass()
        for one in classes where one.weight > 0 {
            chosen = one
            point -= one.weight
            if point < 0 { break }
        }
        return chosen
    }
}
