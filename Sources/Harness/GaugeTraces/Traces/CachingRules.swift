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
    /// Whether the stored responses for the URL must not be used any more.
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
        let isGet = exchange.method == "GET"
        return CachingVerdict(
            mayBeAnswered: isGet, freshSeconds: isGet && exchange.status == 200 ? .max : nil,
            invalidates: !["GET", "HEAD", "OPTIONS", "TRACE"].contains(exchange.method))
    }
}
