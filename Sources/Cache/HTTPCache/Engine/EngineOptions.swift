import HTTPSemantics

/// The settings of an engine: defaults for requests, limits, and hooks of the application.
package struct EngineOptions: Sendable {
    /// Edits a response before it is stored. `nil` refuses it, and removes the response stored before.
    ///
    /// Called once for each response that may be stored, with the whole body, and again with the new header when a 304
    /// has confirmed the response. The answer to the application's request does not change. The edited header decides
    /// about storing and freshness: it may add a lifetime that the server did not send, or `no-store`.
    package typealias WillStore = @Sendable (ResponseToStore, CacheRequest) async -> ResponseToStore?

    /// Changes a request before it is sent, for instance the host in its URL or a field. The cache key stays the same.
    /// Called before the request waits for another's fetch, since requests that differ afterwards share none.
    package typealias Rewrite = @Sendable (OutgoingRequest) async -> OutgoingRequest

    /// The policy of requests whose own policy is `nil`.
    package var policy = RequestPolicy.useProtocolCachePolicy
    /// Seconds for which a stored response answers requests, whatever its header says; `nil` leaves it to the header. An
    /// older entry is removed, and the lookup is a miss. A request may carry its own number.
    ///
    /// A response that may not be stored is not stored because of this either.
    package var timeToLive: Int64?
    /// The longest body, in bytes, that is kept to be stored; longer ones stream through. `nil` means 5 % of the larger
    /// tier, the most that either takes.
    package var largestBody: Int?
    /// If the origin cannot be reached, answer 504 (Gateway Timeout) in place of a stale response that `must-revalidate`
    /// or `no-cache` forbids to serve (RFC 9111, section 5.2.2.2). Otherwise the request fails with the transport's error.
    package var answersGatewayTimeout = false
    /// See `WillStore`.
    package var willStore: WillStore?
    /// Whether `willStore` has something to say about the received answer to that request; `nil` means always. About
    /// confirmed responses it is asked in any case.
    package var asksWillStore: (@Sendable (CacheRequest) -> Bool)?
    /// Told of each answer of an origin that is not stored, once, with the reason; `nil` costs nothing.
    package var onNotStored: (@Sendable (CacheRequest, HTTPResponse, NotStoredReason) -> Void)?
    /// See `Rewrite`.
    package var rewrite: Rewrite?
    /// The executor of the engine's own tasks, for instance the transport's thread; `nil` means the default one.
    package var executor: (any TaskExecutor)?
    /// The executor of work that may block: the disk tier's and an application's own storage. `nil` means `executor`.
    package var blockingExecutor: (any TaskExecutor)?

    /// The defaults: RFC 9111 decides, and there are no hooks.
    package init() {}
}
