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

/// Distinguishes representations of one URL for which the server sends no `Vary`: the text that it returns for a request
/// becomes part of the cache key. `nil` adds nothing. A removal, and the invalidation by an unsafe request, is of the
/// responses under the text for its request.
public typealias KeyHook = @Sendable (HTTPRequest) -> String?

/// The reason why the engine has no answer.
package enum EngineError: Error, CustomStringConvertible {
    /// The policy forbids a connection, and nothing is stored for this URL.
    case notStored(url: String)
    /// The transport failed with this error before an answer came, and no stored response may be served instead.
    case noAnswer(any Error)
    /// The transport failed with this error in the middle of the body.
    case brokenOff(any Error)
    /// The header did not come within as many seconds as the request allows, or no byte of the body came for that long.
    case timedOut(seconds: Double)
    /// The waiting task was cancelled.
    case cancelled

    /// The thing, the reason and the remedy.
    package var description: String {
        switch self {
        case .notStored(let url):
            "nothing is stored for \(url) and the policy forbids loading; use returnCacheDataElseLoad to allow it"
        case .noAnswer(let error): "the origin gave no answer: \(error); try again"
        case .brokenOff(let error): "the body broke off: \(error); try again, or resume where it stopped"
        case .timedOut(let seconds):
            "the answer did not come within \(seconds) s, or stopped for that long; try again, or allow more time"
        case .cancelled: "the request was cancelled"
        }
    }
}
