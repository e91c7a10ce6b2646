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
    /// Goes to the transport; a cache does not look at it.
    public var body: RequestBody?
    /// Seconds without progress after which the request fails; see `OutgoingRequest.timeout`.
    public var timeout: Double?
    /// Goes untouched to the transport and to the hooks.
    public var context: (any Sendable)?

    /// A request.
    public init(
        _ request: HTTPRequest, policy: RequestPolicy? = nil, timeToLive: Int64? = nil, body: RequestBody? = nil,
        timeout: Double? = nil, context: (any Sendable)? = nil
    ) {
        self.request = request
        self.policy = policy
        self.timeToLive = timeToLive
        self.body = body
        self.timeout = timeout
        self.context = context
    }
}
