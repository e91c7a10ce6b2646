import HTTPSemantics

/// How an engine goes about its work where a request does not say, and what the application wants to be asked.
public struct EngineOptions: Sendable {
    /// Edits a response that may be stored, before it is; `nil` refuses it, and what was stored before goes.
    ///
    /// Asked once a response, with the whole body, and once more with the new header when a 304 has confirmed it. The
    /// application's answer is not changed by it. What the edited header says counts: it may add a lifetime that the
    /// server did not send, or `no-store`.
    public typealias WillStore = @Sendable (ResponseToStore, CacheRequest) async -> ResponseToStore?

    /// Changes the request that is about to be sent: another host in its URL, another field. The key stays.
    public typealias Rewrite = @Sendable (HTTPRequest, CacheRequest) async -> HTTPRequest

    /// The policy of requests that have none of their own.
    public var policy = RequestPolicy.useProtocolCachePolicy
    /// Seconds that a stored response is good for, whatever its header says, for requests that do not say it; `nil`
    /// leaves it to the header. An entry that is older is removed, and reads as a miss.
    ///
    /// What may not be stored at all is not stored for its sake either.
    public var timeToLive: Int64?
    /// The longest body that is kept to be stored, bytes; longer ones stream through. `nil` is 5 % of the larger tier,
    /// above which neither takes it.
    public var largestBody: Int?
    /// See `WillStore`.
    public var willStore: WillStore?
    /// See `Rewrite`.
    public var rewrite: Rewrite?
    /// Where the engine's own tasks run; `nil` is the usual place.
    public var executor: (any TaskExecutor)?

    /// The defaults: RFC 9111 decides, nobody is asked.
    public init() {}
}
