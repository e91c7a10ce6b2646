extension Reference {
    /// A stored response and its times, in seconds since 1970. Sums and differences are clamped to the bounds of
    /// `Int64`, which no realistic time reaches. An age at the upper bound exceeds every lifetime.
    package struct StoredResponse: Equatable, Sendable {
        /// Its status and fields.
        package var response: Response
        /// When the request was sent.
        package var requestTime: Int64
        /// When the response was received, or last confirmed.
        package var responseTime: Int64

        /// A response that was just stored.
        package init(_ response: Response, requestTime: Int64, responseTime: Int64) {
            self.response = response
            self.requestTime = requestTime
            self.responseTime = responseTime
        }

        /// `Date`, or otherwise the time of receipt (RFC 9110, section 6.6.1).
        private var dateValue: Int64 { response.date.moment ?? responseTime }

        /// `current_age` (RFC 9111, section 4.2.3) in seconds. All its terms are 0 or more.
        package func currentAge(at now: Int64) -> Int64 {
            let apparentAge = max(0, difference(responseTime, dateValue))
            let responseDelay = max(0, difference(responseTime, requestTime))
            let correctedAgeValue = sum(response.age ?? 0, responseDelay)
            let correctedInitialAge = max(apparentAge, correctedAgeValue)
            let residentTime = max(0, difference(now, responseTime))
            return sum(correctedInitialAge, residentTime)
        }

        /// `freshness_lifetime` of a private cache (section 4.2.1): a value that cannot be read makes it 0.
        package var freshnessLifetime: Int64 {
            switch response.cacheControl.number("max-age") {
            case .number(let seconds): return seconds
            case .invalid: return 0
            case .absent: break
            }
            switch response.expires {
            case .at(let moment): return max(0, difference(moment, dateValue))
            case .invalid: return 0
            case .absent: break
            }
            return heuristicLifetime
        }

        /// A tenth of the time since the last modification (section 4.2.2) if a heuristic is allowed, otherwise 0.
        private var heuristicLifetime: Int64 {
            guard response.isHeuristicallyCacheable || response.cacheControl.has("public"),
                let lastModified = response.lastModified.moment
            else { return 0 }
            return max(0, difference(dateValue, lastModified)) / 10
        }

        /// `response_is_fresh` (section 4.2).
        package func isFresh(at now: Int64) -> Bool { freshnessLifetime > currentAge(at: now) }

        /// Seconds by which the lifetime is exceeded; negative while the response is fresh.
        func staleness(at now: Int64) -> Int64 { currentAge(at: now) - freshnessLifetime }

        /// Whether it must be validated before every use, even while fresh: `no-cache`, or an unreadable field that may
        /// have contained it.
        var alwaysValidate: Bool { response.cacheControl.has("no-cache") || response.cacheControl.malformed }

        /// Whether it must be validated before it is used stale.
        var neverStale: Bool { alwaysValidate || response.cacheControl.has("must-revalidate") }

        /// Whether it has a validator (section 4.3.1).
        var hasValidator: Bool { response.hasEntityTag || response.hasLastModified }
    }
}

private func sum(_ one: Int64, _ other: Int64) -> Int64 { Int64(clamping: Int128(one) + Int128(other)) }

private func difference(_ one: Int64, _ other: Int64) -> Int64 { Int64(clamping: Int128(one) - Int128(other)) }
