/// Whether a private cache stores a response (RFC 9111, section 3).
package enum Storability {
    package enum Decision: Equatable, Sendable {
        /// May be stored in either tier.
        case store
        case refuse(Reason)
    }

    package enum Reason: Equatable, Sendable {
        case method
        case requestNoStore
        case responseNoStore
        /// The status is interim, or not an HTTP status.
        case notFinal
        /// A 206, or a 200 with Content-Range, is not stored as a response; see `decidePart`.
        case partial
        /// The connection broke before the whole body arrived.
        case incomplete
        /// A 304 updates a stored response but is not stored itself.
        case notModified
        /// The status concerns only this request; see `StatusRules.isOfOneRequest`.
        case ofOneRequest
        /// `must-understand`, but the status is not understood.
        case notUnderstood
        /// `Vary` contains `*`, something that is not a name, or too many: the response would never match a request.
        case variesOnEverything
        /// Nothing allows it: no lifetime, neither `public` nor `private`, and a status that is not heuristically
        /// cacheable.
        case notCacheable
    }

    /// Decides about the response to a request.
    ///
    /// A private cache ignores `Authorization` in the request, and `s-maxage`.
    ///
    /// - Parameter isComplete: the whole body has arrived, as far as its framing tells.
    package static func decide(
        _ request: RequestFacts, _ response: ResponseValues, isComplete: Bool = true
    ) -> Decision {
        let directives = response.fields.cacheControl.directives
        let isUnderstood = StatusRules.isUnderstood(response.status)
        let mustUnderstand = directives.contains(.mustUnderstand)
        guard request.method == .get else { return .refuse(.method) }
        guard StatusRules.isFinal(response.status) else { return .refuse(.notFinal) }
        // Content-Range has no meaning in a 200 (RFC 9110, section 14.4), but the sender means a part.
        guard response.status != 206, response.status != 200 || !response.fields.hasContentRange else {
            return .refuse(.partial)
        }
        guard isComplete else { return .refuse(.incomplete) }
        guard response.status != 304 else { return .refuse(.notModified) }
        guard !StatusRules.isOfOneRequest(response.status) else { return .refuse(.ofOneRequest) }
        guard !request.flags.contains(.noStore) else { return .refuse(.requestNoStore) }
        guard !mustUnderstand || isUnderstood else { return .refuse(.notUnderstood) }
        // must-understand comes with a no-store for caches that do not know it (section 5.2.2.3).
        guard !directives.contains(.noStore) || mustUnderstand else { return .refuse(.responseNoStore) }
        guard response.fields.vary != .anything else { return .refuse(.variesOnEverything) }
        guard
            response.hasExplicitLifetime || !directives.isDisjoint(with: [.public, .private])
                || StatusRules.isHeuristicallyCacheable(response.status)
        else { return .refuse(.notCacheable) }
        return .store
    }

    /// Whether it is worth storing a response that may be stored. An error that is stale at once is not: origins
    /// confirm no errors (RFC 9110, section 13.2.1), so it would answer only those who ask for a stored response of any
    /// age, for ever, and it would take the place of a good response.
    package static func isOfUse(_ response: ResponseValues, responseTime: Int64) -> Bool {
        guard StatusRules.isError(response.status) else { return true }
        return response.fields.cacheControl.directives.isDisjoint(with: [.noCache, .malformed])
            && FreshnessLifetime(response, responseTime: responseTime).seconds > 0
    }

    /// Whether a part, i.e. a 206 or the start of a 200 that broke off, may be kept to be combined with others
    /// (RFC 9111, section 3.3). It also needs a `StrongValidator`.
    package static func decidePart(_ request: RequestFacts, _ response: ResponseValues) -> Decision {
        var whole = response
        whole.status = 200
        whole.fields.hasContentRange = false
        return decide(request, whole)
    }

    /// Whether a refused response still shows that the stored one is outdated and must be removed.
    ///
    /// It does if it is about the resource itself: a success, a redirection, or the notice that it is gone. A part, a
    /// 304 or an error on the way (5xx, and 4xx except 404 and 410) says nothing about the stored response.
    package static func supersedes(_ request: RequestFacts, status: Int) -> Bool {
        guard request.method == .get else { return false }
        switch status {
        case 206, 304: return false
        case 200...399, 404, 410: return true
        default: return false
        }
    }
}

/// Rules that depend only on the status code.
package enum StatusRules {
    /// Final: 200 to 599 (RFC 9110, section 15).
    package static func isFinal(_ status: Int) -> Bool { status >= 200 && status <= 599 }

    /// Heuristically cacheable by definition (RFC 9110, section 15.1).
    ///
    /// The RFC includes 206, but parts are stored by other rules (`Storability.decidePart`).

    package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether this cache does all that is specified about caching this status, as `must-understand` demands (RFC 9111,
    /// section 5.2.2.3).

    package static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 302, 303, 307: true
        default: isHeuristicallyCacheable(status)
        }
    }

    /// The answer concerns only its own request: its condition (412) or range (416), or RFC 6585 forbids storing it
    /// (428, 429, 431, 511).
    package static func isOfOneRequest(_ status: Int) -> Bool {
        switch status {
        case 412, 416, 428, 429, 431, 511: true
        default: false
        }
    }

    /// An error of the request or the origin.
    static func isError(_ status: Int) -> Bool { status >= 400 }

    /// The origin failed in a way that `stale-if-error` covers (RFC 5861, section 4).

    package static func isServerFailure(_ status: Int) -> Bool {
        switch status {
        case 500, 502, 503, 504: true
        default: false
        }
    }

    /// A success or a redirection: the answers that invalidate (RFC 9111, section 4.4).
    package static func isNonError(_ status: Int) -> Bool { status >= 200 && status <= 399 }
}
