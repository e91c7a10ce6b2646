/// The age a response already had when it arrived: `corrected_initial_age` (RFC 9111, section 4.2.3).
package enum InitialAge {
    /// The larger of the age by the clocks and the age by the caches on the way, in seconds, at least 0.
    ///
    /// An `Age` or a `Date` that cannot be read counts as absent (RFC 9111, section 5.1). A clock that was set back
    /// between request and response counts as no delay.
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
