extension Reference {
    package enum Reuse: Equatable, Sendable {
        case fresh
        /// The stored response is fresh, and the request's own conditions and range select the answer; see `Selection`.
        case select
        case stale
        /// Answer with the stale response, and revalidate it in the background (RFC 5861, section 3).
        case staleWhileRevalidating
        case validate
        /// Send the request as it is.
        case fetch
        /// Answer 504, because `only-if-cached` forbids the origin.
        case gatewayTimeout
        /// Fail, because the policy forbids the origin.
        case fail

        /// Decides about `request`, given what is stored for it (RFC 9111, section 4).
        package static func decide(_ request: Request, _ stored: StoredResponse?, now: Int64) -> Reuse {
            let stored = request.isRead ? stored : nil
            let staysHere = request.cacheControl.has("only-if-cached") && request.isSafe
            switch request.policy {
            case .storedOnly:
                guard let stored else { return .fail }
                return stored.isFresh(at: now) ? .fresh : .stale
            case .storedElseLoad:
                guard let stored else { return staysHere ? .gatewayTimeout : .fetch }
                return stored.isFresh(at: now) ? .fresh : .stale
            case .reload, .reloadPastAllCaches:
                return staysHere ? .gatewayTimeout : .fetch
            case .revalidate, .protocolDecides:
                guard let stored else { return staysHere ? .gatewayTimeout : .fetch }
                // Only the origin evaluates these (RFC 9111, section 4.3.2), if it may be asked.
                if request.hasOriginCondition && !staysHere { return .fetch }
                if isFreshEnough(request, stored, now: now), mayAnswerFresh(request, stored) {
                    return request.selects && !request.hasOriginCondition ? .select : .fresh
                }
                if request.selects && !staysHere { return .fetch }
                if request.policy == .protocolDecides,
                    let allowance = staleAllowance(request, stored, now: now)
                {
                    return allowance
                }
                if staysHere { return .gatewayTimeout }
                return stored.hasValidator ? .validate : .fetch
            }
        }

        /// Whether the response is fresh, neither side has `no-cache`, and it is within the client's limits (section
        /// 5.2.1).
        private static func isFreshEnough(_ request: Request, _ stored: StoredResponse, now: Int64) -> Bool {
            stored.isFresh(at: now) && mayReuse(request, stored, now: now)
                && keepsMinFresh(request, stored, now: now)
        }

        /// When a fresh response need not be confirmed first: under the protocol's policy, and on a reload over https
        /// if it is `immutable` (RFC 8246, section 2) and the request itself does not ask for confirmation.
        private static func mayAnswerFresh(_ request: Request, _ stored: StoredResponse) -> Bool {
            if request.policy == .protocolDecides { return true }
            guard request.isSecure, stored.response.cacheControl.has("immutable") else { return false }
            switch request.cacheControl.number("max-age") {
            case .absent: return true
            case .invalid: return false
            case .number(let seconds): return seconds > 0
            }
        }

        /// Neither side asks for validation, and the response is not older than the request's `max-age`.
        private static func mayReuse(_ request: Request, _ stored: StoredResponse, now: Int64) -> Bool {
            guard !request.cacheControl.has("no-cache"), !stored.alwaysValidate else { return false }
            switch request.cacheControl.number("max-age") {
            case .absent: return true
            // The safe reading of an unreadable limit is the narrowest.
            case .invalid: return false
            // Ages are whole seconds, so no stored response is known to be 0 s old.
            case .number(let seconds): return seconds > 0 && stored.currentAge(at: now) <= seconds
            }
        }

        private static func keepsMinFresh(_ request: Request, _ stored: StoredResponse, now: Int64) -> Bool {
            switch request.cacheControl.number("min-fresh") {
            case .absent: true
            case .invalid: false
            case .number(let seconds): -stored.staleness(at: now) >= seconds
            }
        }

        /// Whether the stale response will do before asking the origin: because of `max-stale` (section 5.2.1.2), or of
        /// `stale-while-revalidate` (RFC 5861, section 3) if the client sets no limits.
        private static func staleAllowance(_ request: Request, _ stored: StoredResponse, now: Int64) -> Reuse? {
            guard !stored.isFresh(at: now), !stored.neverStale, mayReuse(request, stored, now: now),
                keepsMinFresh(request, stored, now: now)
            else { return nil }
            let staleness = stored.staleness(at: now)
            switch request.cacheControl.number("max-stale") {
            case .number(let seconds): if staleness <= seconds { return .stale }
            // An argument restricts a `max-stale` without one.
            case .absent: if request.cacheControl.has("max-stale") { return .stale }
            case .invalid: break
            }
            // With no-store in the request, the background's answer could not be stored.
            guard !request.limitsAge, !request.cacheControl.has("no-store"),
                let seconds = stored.response.cacheControl.number("stale-while-revalidate").value,
                staleness < seconds
            else { return nil }
            return .staleWhileRevalidating
        }

        /// Whether the stored response may be used when the origin fails: by `stale-if-error` of either side (RFC 5861,
        /// section 4), or because it is fresh.
        package static func mayStandIn(_ request: Request, _ stored: StoredResponse, now: Int64) -> Bool {
            guard request.policy == .protocolDecides, request.isRead, !request.selects,
                !request.cacheControl.has("no-cache"), !stored.neverStale
            else { return false }
            let allowance = max(
                stored.response.cacheControl.number("stale-if-error").value ?? 0,
                request.cacheControl.number("stale-if-error").value ?? 0)
            return stored.staleness(at: now) < allowance
        }
    }
}

extension Reference {
    /// A stored response and its times, in seconds since 1970. Sums and differences are clamped to `Int64`, whose
    /// bounds no realistic time reaches. An age at the upper bound exceeds every lifetime.
    package struct StoredResponse: Equatable, Sendable {
        package var response: Response
        /// When the request was sent.
        package var requestTime: Int64
        /// When the response was received, or last confirmed.
        package var responseTime: Int64

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

        /// `freshness_lifetime` of a private cache (section 4.2.1): an unreadable value makes it 0.
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

        /// By how many seconds the lifetime is exceeded; negative while the response is fresh.
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
