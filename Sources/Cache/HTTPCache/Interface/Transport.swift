import HTTPSemantics

/// Carries requests to origins: libcurl or URLSession in an application, a script in a test.
public protocol Transport: Sendable {
    /// Sends a request, and returns once status and header fields of the final answer have arrived.
    ///
    /// Runs in a separate task, which is cancelled when no request waits for the answer any more. Does not follow
    /// redirections: a 3xx is an answer like any other, and may be stored.
    ///
    /// - Throws: any error, if no answer came.
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

/// A request that goes to the origin.
public struct OutgoingRequest: Sendable {
    /// Method, URL and header fields: the application's request, as rewritten, with the cache's conditional fields.
    public var request: HTTPRequest
    /// The body to send; `nil` sends none.
    public var body: RequestBody?
    /// How many seconds may pass without a byte sent or received before `send`, or reading the body of its answer,
    /// fails; `nil` sets no limit. It is `nil` for a fetch that several requests may share: the engine keeps the time
    /// of each, and cancels the task when the last one has failed.
    public var timeout: Double?
    /// For how many seconds the application has let the request run: 0 while it is suspended, otherwise since it was
    /// resumed, and endless if it never was suspended. `timeout` counts no time before. `nil` if it can't be suspended,
    /// or the engine keeps the time.
    public internal(set) var secondsRunning: (@Sendable () -> Double)?
    /// `CacheRequest.context`, as the application set it.
    public var context: (any Sendable)?
    /// Call this when bytes of an incomplete header have come; it restarts the engine's time. `nil` if the engine keeps
    /// none.
    public internal(set) var onProgress: (@Sendable () -> Void)?

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

/// An answer whose body is still arriving.
public struct IncomingResponse: Sendable {
    /// Status and header fields of the final answer, never of an interim one (1xx).
    ///
    /// A transport that decodes the body must remove `Content-Encoding` and `Content-Length`, which describe the coded
    /// body, and set `Accept-Ranges: none`, because a range counts coded bytes.
    public var response: HTTPResponse
    /// Whether the end of the body can be told from a cut. It cannot if the end of a TLS connection ends a body of
    /// unknown length (RFC 9112, section 9.8). Such a body is handed out, but not stored.
    public var isEndCertain = true
    /// The body.
    public var body: any IncomingBody { didSet { pushed = nil } }
    /// The answer depends on something that is not in the request, e.g. a credential given for a challenge. It answers
    /// no other request under way.
    public var isPersonal = false
    /// The body, if its transport pushes it.
    private(set) var pushed: (any PushedBody)?

    /// A response with its body.
    public init(_ response: HTTPResponse, body: any IncomingBody) {
        self.response = response
        self.body = body
        pushed = nil
    }

    /// A response whose transport pushes the body.
    package init(_ response: HTTPResponse, pushed: any PushedBody) {
        self.response = response
        body = pushed
        self.pushed = pushed
    }
}

/// An answer's body, read chunk by chunk by one task at a time.
public protocol IncomingBody: Sendable {
    /// The next bytes, at least one; `nil` once the whole body has arrived, as far as its framing tells.
    ///
    /// Must return or throw soon after its task is cancelled.
    ///
    /// - Throws: any error, if the rest will not come.
    func next() async throws -> [UInt8]?

    /// Discards the rest. May be called at any time and more than once.
    func cancel()
}

/// The body of a request.
public enum RequestBody: Sendable {
    /// Bytes in memory. They can be sent again, e.g. after a redirection.
    case bytes([UInt8])
    /// Bytes that are read while they are sent. They can be sent only once.
    ///
    /// - Parameter length: the number of bytes; `nil` if unknown, and then the transport must mark the end.
    case stream(any RequestBodyStream, length: Int64?)
}

/// A request's body that one task at a time reads while it is sent.
public protocol RequestBodyStream: Sendable {
    /// The next bytes, at least one; `nil` at the end.
    ///
    /// - Throws: any error; the request then fails with it.
    func next() async throws -> [UInt8]?
}

/// A body whose transport pushes the bytes on its own thread, so no part of it costs a change of threads.
package protocol PushedBody: IncomingBody {
    /// As in `IncomingResponse`, but it may only show at the end.
    var isEndCertain: Bool { get }
    /// All bytes have come, so `deliver` will not wait.
    var isComplete: Bool { get }

    /// Adds the bytes to `sink` as they come. May be called again after returning `false`.
    ///
    /// - Returns: `true` at the end, `false` as soon as `sink` asks to stop.
    /// - Throws: any error, if the rest will not come.
    nonisolated(nonsending) func deliver(to sink: any BodySink) async throws -> Bool
}

extension PushedBody {
    package var isEndCertain: Bool { true }
}

/// Takes the bytes of a `PushedBody`, from one thread at a time.
package protocol BodySink: AnyObject, Sendable {
    /// How many bytes may be added now; the next addition may exceed that by one part. If it is 0, `onRoom` is called
    /// once there is room.
    func room(orCall onRoom: @escaping @Sendable () -> Void) -> Int
    /// Adds bytes.
    ///
    /// - Returns: whether more may follow before `deliver` has returned.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// The same for bytes that the caller no longer uses.
    func append(_ bytes: BodyBytes) -> Bool
    /// No more bytes are at hand: wake waiting readers.
    func flush()
}
