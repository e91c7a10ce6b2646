import HTTPSemantics

/// A request to the engine: what is asked, and how the cache is to be used for it.
public struct CacheRequest: Sendable {
    /// The application's request. Its URL is the key, whatever `EngineOptions.rewrite` makes of it afterwards.
    public var request: HTTPRequest
    /// How its cache is to be treated; `nil` leaves it to `EngineOptions.policy`.
    public var policy: RequestPolicy?
    /// Seconds that a stored response is good for, whatever its header says; `nil` leaves it to
    /// `EngineOptions.timeToLive`.
    public var timeToLive: Int64?
    /// Goes untouched to the transport and to the hooks.
    public var context: (any Sendable)?

    /// A request.
    public init(
        _ request: HTTPRequest, policy: RequestPolicy? = nil, timeToLive: Int64? = nil, context: (any Sendable)? = nil
    ) {
        self.request = request
        self.policy = policy
        self.timeToLive = timeToLive
        self.context = context
    }
}
