import HTTPSemantics

/// The engine's answer to a request.
public struct Answer: Sendable {
    /// How it came about.
    @frozen
    public enum Source: Sendable {
        /// Out of memory, fresh.
        case memoryHit
        /// Off the disk, fresh.
        case diskHit
        /// Out of the store, once the origin has confirmed it.
        case revalidated
        /// From the origin.
        case fetched
        /// Out of the store, although it is stale: the client takes it, the origin allows it, or it failed with a 5xx.
        case stale
        /// Without the origin, which gave no answer or was not to be asked: out of the store, stale, or the cache's own
        /// 504 (Gateway Timeout) where nothing stored would do for a request that is `only-if-cached`.
        case offline
        /// From the origin, past the store: a method, a question or a range that no stored response answers, or a URL
        /// that can be no key.
        case bypass
    }

    /// Status and header fields; `Age` is what it is now.
    public var response: HTTPResponse
    /// The body.
    public var body: AnswerBody
    /// How it came about.
    public var source: Source
    /// When the response was received, or last confirmed by the origin: seconds since 1970.
    public var receivedAt: Int64

    /// An answer.
    public init(_ response: HTTPResponse, body: AnswerBody, source: Source, receivedAt: Int64) {
        self.response = response
        self.body = body
        self.source = source
        self.receivedAt = receivedAt
    }
}

/// The body of an answer.
public enum AnswerBody: Sendable {
    /// None: the answer to a HEAD, or one of the cache's own.
    case empty
    /// That of a stored response, uncopied.
    case stored(StoredResponse)
    /// On its way from the origin.
    case stream(BodyStream)

    /// All of it in one array.
    public func collect() async throws(EngineError) -> [UInt8] {
        switch self {
        case .empty: return []
        case .stored(let stored): return stored.withBody { Array($0) }
        case .stream(let stream):
            var bytes: [UInt8] = []
            while let chunk = try await stream.next() { bytes += chunk }
            return bytes
        }
    }
}
