import HTTPSemantics

/// What carries requests to origins: URLSession in an application, a script in a test, a state machine in a fuzzer.
public protocol Transport: Sendable {
    /// Sends a request, and returns as soon as status and header fields of the answer are there.
    ///
    /// Called in a task of its own, which is cancelled when nobody waits for the answer any more. Redirections are not
    /// followed: a 3xx is an answer like any other, and may be stored.
    ///
    /// - Throws: anything; no answer came.
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

/// A request on its way out.
public struct OutgoingRequest: Sendable {
    /// Method, URL and header fields: the application's request with the cache's own conditional fields, and rewritten
    /// where the application rewrites.
    public var request: HTTPRequest
    /// The body to send; `nil` sends none.
    public var body: RequestBody?
    /// Seconds that may pass without a byte sent or received before `send`, or the body of its answer, fails; `nil` sets
    /// no limit.
    public var timeout: Double?
    /// `CacheRequest.context`, as the application set it.
    public var context: (any Sendable)?

    /// A request.
    public init(
        _ request: HTTPRequest, body: RequestBody? = nil, timeout: Double? = nil, context: (any Sendable)? = nil
    ) {
        self.request = request
        self.body = body
        self.timeout = timeout
        self.context = context
    }
}

/// An answer whose body is still to come.
public struct IncomingResponse: Sendable {
    /// Status and header fields. Where the transport has decoded the body, `Content-Encoding` and `Content-Length` of
    /// the coded one have to be taken out.
    public var response: HTTPResponse
    /// The body.
    public var body: any IncomingBody

    /// Joins the two.
    public init(_ response: HTTPResponse, body: any IncomingBody) {
        self.response = response
        self.body = body
    }
}

/// The body of an answer, part by part. Asked from one task at a time.
public protocol IncomingBody: Sendable {
    /// The next bytes, at least one; `nil` when the whole body, as far as its framing tells, has arrived.
    ///
    /// - Throws: anything; the rest will not come. Has to return or throw soon after its task is cancelled.
    func next() async throws -> [UInt8]?

    /// The rest is not wanted. May be called at any time, more than once too.
    func cancel()
}
