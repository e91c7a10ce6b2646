/// How long a response is fresh, counted from its generation (RFC 9111, section 4.2.1).
package struct FreshnessLifetime: Equatable, Sendable {
    /// Seconds, at least 0.
    package let seconds: Int64
    /// The cache estimated it, since the response does not state one.
    package let isHeuristic: Bool

    /// The first that applies of `max-age`, `Expires` − `Date`, and a tenth of `Date` − `Last-Modified`.
    ///
    /// A value that cannot be understood makes the response stale: 0. `s-maxage` does not apply to a private cache.
    /// A missing or unreadable `Date` is the time of receipt (RFC 9110, section 6.6.1).
    ///
    /// - Parameter responseTime: when the response was received, seconds since 1970.
    package init(_ response: ResponseValues, responseTime: Int64) {
        let fields = response.fields
        let date = fields.date.seconds ?? responseTime
        isHeuristic = !response.hasExplicitLifetime
        if fields.cacheControl.maxAge.isPresent {
            seconds = fields.cacheControl.maxAge.seconds ?? 0
        } else if fields.expires != .absent {
            seconds = max(fields.expires.seconds?.subtractingSaturated(date) ?? 0, 0)
        } else {
            seconds = Self.heuristic(response, date: date)
        }
    }

    /// A tenth of the time since the last modification, for responses that may be cached without an explicit lifetime:
    /// those with a status of RFC 9110, section 15.1, and those marked `public` (RFC 9111, section 4.2.2).
    private static func heuristic(_ response: ResponseValues, date: Int64) -> Int64 {
        guard
            StatusRules.isHeuristicallyCacheable(response.status)
                || response.fields.cacheControl.directives.contains(.public),
            let lastModified = response.fields.lastModified.seconds
        else { return 0 }
        return max(date.subtractingSaturated(lastModified), 0) / 10
    }
}
