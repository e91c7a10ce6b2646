import HTTPSemantics

/// A request to the engine, and how the cache is to be used for it.
package struct CacheRequest: Sendable {
    /// The application's request. Its URL is the key, also where `EngineOptions.rewrite` changes the URL that is sent.
    package var request: HTTPRequest
    /// How the cache is used; `nil` means `EngineOptions.policy`.
    package var policy: RequestPolicy?
    /// Seconds for which a stored response answers the request, whatever its header says; `nil` means
    /// `EngineOptions.timeToLive`.
    package var timeToLive: Int64?
    /// The body, which the engine passes to the transport.
    package var body: RequestBody?
    /// Seconds without progress after which the request fails; see `OutgoingRequest.timeout`.
    package var timeout: Double?
    /// A body that comes with a 2xx will be read by `BodyStream.rest` at once, so that the origin need not wait for that.
    package var readsWhole = false
    /// A value of the application that the engine passes to the transport and to the hooks.
    package var context: (any Sendable)?

    /// A request.
    package init(
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

    /// Its body has a byte, or may have one.
    var hasBody: Bool {
        switch body {
        case .bytes(let bytes): !bytes.isEmpty
        case .stream: true
        case nil: false
        }
    }
}
