/// How long a response is fresh, counted from its generation (RFC 9111, section 4.2.1).
package struct FreshnessLifetime: Equatable, Sendable {
    /// Seconds, at least 0.
    package let seconds: Int64
    /// The cache estimated it, because the response states none.
    package let isHeuristic: Bool

    /// The first that applies of `max-age`, `Expires` − `Date`, and a tenth of `Date` − `Last-Modified`.
    ///
    /// An unreadable value makes the response stale: 0. A private cache ignores `s-maxage`. A missing or unreadable
    /// `Date` counts as the time of receipt (RFC 9110, section 6.6.1).
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

    /// A tenth of the time since the last modification, if the response may be cached without an explicit lifetime: by
    /// its status (RFC 9110, section 15.1), or because it is `public` (RFC 9111, section 4.2.2).
    private static func heuristic(_ response: ResponseValues, date: Int64) -> Int64 {
        guard
            StatusRules.isHeuristicallyCacheable(response.status)
                || response.fields.cacheControl.directives.contains(.public),
            let lastModified = response.fields.lastModified.seconds
        else { return 0 }
        return max(date.subtractingSaturated(lastModified), 0) / 10
    }
}

/// The age a response already had when it arrived: `corrected_initial_age` (RFC 9111, section 4.2.3).
package enum InitialAge {
    /// The larger of two ages in seconds, at least 0: by the clocks, and by the caches on the way.
    ///
    /// An unreadable `Age` or `Date` counts as absent (RFC 9111, section 5.1). If the clock was set back between
    /// request and response, the delay counts as 0.
    ///
    /// - Parameters:
    ///   - requestTime: when the request was sent, seconds since 1970.
    ///   - responseTime: when the response was received.
    package static func seconds(_ fields: ResponseFieldValues, requestTime: Int64, responseTime: Int64) -> Int64 {
        let apparentAge = max(responseTime.subtractingSaturated(fields.date.seconds ?? responseTime), 0)
        let responseDelay = max(responseTime.subtractingSaturated(requestTime), 0)
        let correctedAge = (fields.age.seconds ?? 0).addingSaturated(responseDelay)
        return max(apparentAge, correctedAge)
    }
}

/// The status and field values that decide whether a response may be stored and how long it is fresh.
package struct ResponseValues: Hashable, Sendable {
    package var status: Int
    package var fields: ResponseFieldValues

    package init(status: Int, fields: ResponseFieldValues) {
        self.status = status
        self.fields = fields
    }

    /// Reads a response.
    ///
    /// - Parameter responseTime: when it was received, seconds since 1970; decides the century of two-digit years.
    package init(_ response: HTTPResponse, responseTime: Int64) {
        self.init(status: response.status, fields: ResponseFieldValues(response.headerFields, now: responseTime))
    }

    /// Whether the response states its own lifetime, readable or not (RFC 9111, section 4.2.1).
    ///
    /// `s-maxage` is only for shared caches.
    package var hasExplicitLifetime: Bool { fields.cacheControl.maxAge.isPresent || fields.expires != .absent }

    /// Whether there is an `ETag` to send back, well-formed or not.
    var hasEntityTag: Bool { fields.places.entityTag.count > 0 }

    /// Whether there is a `Last-Modified` to send back, a date or not.
    var hasLastModified: Bool { fields.places.lastModified.count > 0 }
}

// Times come from clocks, headers and disks. If a difference overflows, it stops at the end instead of trapping.
extension Int64 {
    @inlinable
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    @inlinable
    func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
