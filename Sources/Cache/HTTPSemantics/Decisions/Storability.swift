/// Whether a private cache stores a response (RFC 9111, section 3).
package enum Storability {
    /// Stored, or why not.
    package enum Decision: Equatable, Sendable {
        /// May be stored in either tier.
        case store
        /// May not, for this reason.
        case refuse(Reason)
    }

    /// Why a response is not stored.
    package enum Reason: Equatable, Sendable {
        /// The request was not a GET.
        case method
        /// The request said `no-store`.
        case requestNoStore
        /// The response said `no-store`.
        case responseNoStore
        /// The status is interim, or not an HTTP status.
        case notFinal
        /// A part, 206 or a 200 that says which bytes it has, is not stored as a response; see `decidePart`.
        case partial
        /// The connection broke before the whole body had arrived.
        case incomplete
        /// A 304 updates a stored response and is not stored itself.
        case notModified
        /// A 412 or 416 is about the condition or the range of the request alone.
        case ofOneRequest
        /// `must-understand`, and the status is not understood.
        case notUnderstood
        /// `Vary` has the member `*`, or one that is not a name: the response would never match a request.
        case variesOnEverything
        /// Nothing allows it: no lifetime, no `public` or `private`, and a status that is not heuristically
        /// cacheable.
        case notCacheable
    }

    /// Decides about the response to a request.
    ///
    /// `Authorization` in the request does not matter to a private cache, and neither does `s-maxage`.
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
        // A Content-Range in a 200 has no meaning (RFC 9110, section 14.4), but its sender means a part.
        guard response.status != 206, response.status != 200 || !response.fields.hasContentRange else {
            return .refuse(.partial)
        }
        guard isComplete else { return .refuse(.incomplete) }
        guard response.status != 304 else { return .refuse(.notModified) }
        guard response.status != 412, response.status != 416 else { return .refuse(.ofOneRequest) }
        guard !request.flags.contains(.noStore) else { return .refuse(.requestNoStore) }
        guard !mustUnderstand || isUnderstood else { return .refuse(.notUnderstood) }
        // must-understand is sent with no-store, which is for those who do not know it (section 5.2.2.3).
        guard !directives.contains(.noStore) || mustUnderstand else { return .refuse(.responseNoStore) }
        guard response.fields.vary != .anything else { return .refuse(.variesOnEverything) }
        guard
            response.hasExplicitLifetime || !directives.isDisjoint(with: [.public, .private])
                || StatusRules.isHeuristicallyCacheable(response.status)
        else { return .refuse(.notCacheable) }
        return .store
    }

    /// Decides about a part of a representation, a 206 or the beginning of a 200 that broke off: whether it may be kept to
    /// be combined with other parts (RFC 9111, section 3.3). A part also needs a `StrongValidator`.
    ///
    /// - Parameter response: the part's fields.
    package static func decidePart(_ request: RequestFacts, _ response: ResponseValues) -> Decision {
        var whole = response
        whole.status = 200
        whole.fields.hasContentRange = false
        return decide(request, whole)
    }

    /// Whether a response that was refused shows nevertheless that the stored one is outdated and has to be removed.
    ///
    /// It does if it is about the resource itself: a success, a redirection, or the notice that it is gone. A part, a 304
    /// or an error on the way (4xx except 404 and 410, 5xx) says nothing about the stored response.
    package static func supersedes(_ request: RequestFacts, status: Int) -> Bool {
        guard request.method == .get else { return false }
        switch status {
        case 206, 304: return false
        case 200...399, 404, 410: return true
        default: return false
        }
    }
}

/// The rules that depend on the status code alone.
package enum StatusRules {
    /// The status is final: from 200 to 599 (RFC 9110, section 15).
    package static func isFinal(_ status: Int) -> Bool { status >= 200 && status <= 599 }

    /// The status is defined as heuristically cacheable (RFC 9110, section 15.1).
    ///
    /// 206 is too, by the RFC; it is left out since parts are stored by other rules (`Storability.decidePart`).

    package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// This cache does all that is specified about caching responses of this status, as `must-understand` demands
    /// (RFC 9111, section 5.2.2.3).

    package static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 302, 303, 307: true
        default: isHeuristicallyCacheable(status)
        }
    }

    /// The origin failed in a way that `stale-if-error` covers (RFC 5861, section 4).

    package static func isServerFailure(_ status: Int) -> Bool {
        switch status {
        case 500, 502, 503, 504: true
        default: false
        }
    }

    /// The status is no error: successful or a redirection, the answers that invalidate (RFC 9111, section 4.4).
    package static func isNonError(_ status: Int) -> Bool { status >= 200 && status <= 399 }
}
