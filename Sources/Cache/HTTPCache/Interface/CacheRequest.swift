import HTTPSemantics

package struct CacheRequest: Sendable {
    /// The application's request. Its URL is the key, even if `EngineOptions.rewrite` changes the URL that is sent.
    package var request: HTTPRequest
    /// How the cache is used.
    package var policy: RequestPolicy
    package var body: RequestBody?
    /// Seconds without progress after which the request fails; see `OutgoingRequest.timeout`.
    package var timeout: Double?
    /// When it must be over, even if bytes keep coming.
    package var limit: TimeLimit?
    /// See `OutgoingRequest.secondsRunning`.
    package var secondsRunning: (@Sendable () -> Double)?
    /// `BodyStream.rest` will read a 2xx body at once, so the origin need not wait for it.
    package var readsWhole = false
    /// The application's value, passed to the transport and the hooks.
    package var context: (any Sendable)?

    package init(
        _ request: HTTPRequest, policy: RequestPolicy = .useProtocolCachePolicy, body: RequestBody? = nil,
        timeout: Double? = nil, context: (any Sendable)? = nil
    ) {
        self.request = request
        self.policy = policy
        self.body = body
        self.timeout = timeout
        self.context = context
    }

    /// Whether its body has a byte, or may have one.
    var hasBody: Bool {
        switch body {
        case .bytes(let bytes): !bytes.isEmpty
        case .stream: true
        case nil: false
        }
    }
}

/// Distinguishes representations of one URL for which the server sends no `Vary`: the returned text becomes part of the
/// cache key. `nil` adds nothing. A removal, or the invalidation by an unsafe request, affects only the responses under
/// the text for its request.
///
/// Called at any lookup, store and removal, on the thread that makes it, which may be the session's network thread: it
/// must return soon. The cache holds no lock meanwhile.
public typealias KeyHook = @Sendable (HTTPRequest) -> String?

package enum EngineError: Error, CustomStringConvertible {
    /// The policy forbids a connection, and nothing is stored for this URL.
    case notStored(url: String)
    /// The transport failed with this error before an answer came, and no stored response may be served instead.
    case noAnswer(any Error)
    /// The transport failed with this error in the middle of the body.
    case brokenOff(any Error)
    /// The header took longer than the request allows, or no byte of the body came for that long.
    case timedOut(seconds: Double)
    /// The time of the whole request is over, see `TimeLimit`.
    case tookTooLong(seconds: Double)
    case cancelled

    package var description: String {
        switch self {
        case .notStored(let url):
            "nothing is stored for \(url) and the policy forbids loading; use returnCacheDataElseLoad to allow it"
        case .noAnswer(let error): "the origin gave no answer: \(error); try again"
        case .brokenOff(let error): "the body broke off: \(error); try again, or resume where it stopped"
        case .timedOut(let seconds):
            "the answer did not come within \(seconds) s, or stopped for that long; try again, or allow more time"
        case .tookTooLong(let seconds): "the request took longer than \(seconds) s; raise timeoutIntervalForResource"
        case .cancelled: "the request was cancelled"
        }
    }
}
