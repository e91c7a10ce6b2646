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
