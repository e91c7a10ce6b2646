/// The HTTP rules that the replay of a trace needs. GaugeKit does not contain any: the executable supplies an
/// implementation that it trusts (`Gauge.cachingRules`).
package protocol CachingRules: Sendable {
    /// The actions that a private cache may take for an exchange.
    func verdict(on exchange: HTTPExchange) -> CachingVerdict
}

/// The actions that a private cache may take for one exchange of a trace.
package struct CachingVerdict: Hashable, Sendable {
    /// Whether a fresh stored response may answer the request.
    package var mayBeAnswered: Bool
    /// Seconds for which the response may be reused after it was received, 0 if it is stale at once; `nil` when it may
    /// not be stored.
    package var freshSeconds: Int64?
    /// Whether the answer of the origin ends the use of the stored response: an unsafe method succeeded, or the response
    /// shows that the stored one is outdated, but may not be stored. A part (206) and errors on the way (4xx but 404 and
    /// 410, 5xx) do not.
    package var invalidates: Bool

    /// Creates a verdict.
    package init(mayBeAnswered: Bool, freshSeconds: Int64?, invalidates: Bool = false) {
        self.mayBeAnswered = mayBeAnswered
        self.freshSeconds = freshSeconds
        self.invalidates = invalidates
    }

    /// Fresh for ever: the verdict for traces without header fields.
    package static let unlimited = CachingVerdict(mayBeAnswered: true, freshSeconds: .max)
}

/// The default rules: a GET answered with 200 is stored and never becomes stale.
package struct RulesOfThumb: CachingRules {

    package init() {}
    package func verdict(on exchange: HTTPExchange) -> CachingVerdict {
        guard exchange.method == "GET" else {
            let isSafe = ["HEAD", "OPTIONS", "TRACE"].contains(exchange.method)
            return CachingVerdict(
                mayBeAnswered: false, freshSeconds: nil, invalidates: !isSafe && (200..<400).contains(exchange.status))
        }
        return CachingVerdict(
            mayBeAnswered: exchange.status != 206, freshSeconds: exchange.status == 200 ? .max : nil,
            invalidates: exchange.status != 200 && exchange.supersedes)
    }
}

extension HTTPExchange {
    /// Whether the answer to a GET is about the resource itself, so that it replaces the stored one even if it may not be
    /// stored: a success, a redirection, or the notice that the resource is gone.
    package var supersedes: Bool {
        switch status {
        case 206, 304: false
        case 200...399, 404, 410: true
        default: false
        }
    }
}
