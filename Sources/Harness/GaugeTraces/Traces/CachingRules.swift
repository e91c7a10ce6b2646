/// What the replay of a trace has to know of HTTP. GaugeKit knows nothing of it by itself: the executable lends what it
/// trusts (`Gauge.cachingRules`).
package protocol CachingRules: Sendable {
    /// What a private cache may do about an exchange.
    func verdict(on exchange: HTTPExchange) -> CachingVerdict
}

/// What a private cache may do about one exchange of a trace.
package struct CachingVerdict: Hashable, Sendable {
    /// Whether the request may be answered with what is stored, while that is fresh.
    package var mayBeAnswered: Bool
    /// Seconds for which the response may be reused once it has been received, 0 for one that is stale at once;
    /// `nil` when it may not be stored.
    package var freshSeconds: Int64?
    /// Whether what is stored for the URL must not be used any more.
    package var invalidates: Bool

    /// A verdict.
    package init(mayBeAnswered: Bool, freshSeconds: Int64?, invalidates: Bool = false) {
        self.mayBeAnswered = mayBeAnswered
        self.freshSeconds = freshSeconds
        self.invalidates = invalidates
    }

    /// For ever: what a trace without header fields is taken to mean.
    package static let unlimited = CachingVerdict(mayBeAnswered: true, freshSeconds: .max)
}

/// Where nobody has lent any: a GET that was answered with 200 is stored and never grows stale.
package struct RulesOfThumb: CachingRules {

    package init() {}
    package func verdict(on exchange: HTTPExchange) -> CachingVerdict {
        let isGet = exchange.method == "GET"
        return CachingVerdict(
            mayBeAnswered: isGet, freshSeconds: isGet && exchange.status == 200 ? .max : nil,
            invalidates: !["GET", "HEAD", "OPTIONS", "TRACE"].contains(exchange.method))
    }
}
