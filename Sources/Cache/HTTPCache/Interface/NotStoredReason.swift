import HTTPSemantics

/// Why an answer of an origin was not stored: one reason for each, made where it is decided.
public enum NotStoredReason: Equatable, Sendable {
    /// The request was not a GET, or had a body.
    case method
    /// The URL cannot be a key: it is neither http nor https, or contains a user name.
    case url
    /// The request said `no-store`.
    case requestNoStore
    /// The response said `no-store`.
    case responseNoStore
    /// A 206, or a 200 that says which bytes it has. Its bytes may be kept as a part of the whole.
    case partial
    /// A status that is not stored, e.g. 304, 416 or 429, or one with `must-understand` that is not understood.
    case status(Int)
    /// `Vary: *`: the response would never match a request.
    case variesOnEverything
    /// `Vary` names a field that `CachingSession.Configuration.rewrite` has changed: the response would match requests
    /// that go out otherwise.
    case rewritten
    /// No lifetime, no `public` or `private`, and a status that is not stored without one.
    case noLifetime
    /// The cache has no capacity.
    case noCapacity
    /// The body is longer than 5 % of the larger tier.
    ///
    /// - Parameters:
    ///   - byteCount: its length; `nil` if it was not announced.
    ///   - limit: the longest that is stored, bytes.
    case tooLarge(byteCount: Int64?, limit: Int)
    /// Only the end of the connection ends the body, so it may have been cut.
    case uncertainEnd
    /// The body broke off, or does not have the announced length, or the task was cancelled before its delegate could
    /// be asked.
    case incomplete
    /// The stored response answers instead of this failure, and stays.
    case standIn
    /// `willCacheResponse` refused it, or its storage policy forbade it.
    case application
    /// It was removed while it was on its way, or a newer answer came first.
    case superseded
    /// The disk could not be written, and it is too large for memory.
    case unwritten

    init(_ reason: Storability.Reason, status: Int) {
        switch reason {
        case .method: self = .method
        case .requestNoStore: self = .requestNoStore
        case .responseNoStore: self = .responseNoStore
        case .partial: self = .partial
        case .incomplete: self = .incomplete
        case .notFinal, .notModified, .ofOneRequest, .notUnderstood: self = .status(status)
        case .variesOnEverything: self = .variesOnEverything
        case .notCacheable: self = .noLifetime
        }
    }

    /// One word for it, as in `Cache-Status` and `ResponseCache.notStoredCounts`.
    public var word: String {
        switch self {
        case .method: "method"
        case .url: "url"
        case .requestNoStore: "request-no-store"
        case .responseNoStore: "no-store"
        case .partial: "partial"
        case .status: "status"
        case .variesOnEverything: "vary"
        case .rewritten: "rewritten"
        case .noLifetime: "no-lifetime"
        case .noCapacity: "no-capacity"
        case .tooLarge: "too-large"
        case .uncertainEnd: "uncertain-end"
        case .incomplete: "incomplete"
        case .standIn: "stand-in"
        case .application: "application"
        case .superseded: "superseded"
        case .unwritten: "unwritten"
        }
    }
}

extension NotStoredReason: CustomStringConvertible {
    /// The reason, and what you could do.
    public var description: String {
        switch self {
        case .method: "only answers to GET without a body are stored"
        case .url: "only http and https URLs without a user's name are stored"
        case .requestNoStore: "the request says Cache-Control: no-store; leave it out"
        case .responseNoStore:
            "the response says Cache-Control: no-store; let the origin leave it out, or call storeCachedResponse"
        case .partial: "it is a part of a representation; the whole is stored once all parts have come"
        case .status(let status): "an answer with status \(status) is not stored"
        case .variesOnEverything: "Vary: * matches no request; let the origin name the fields"
        case .rewritten: "Vary names a field that rewrite has changed; set the field on the request itself"
        case .noLifetime: "it has no lifetime; let the origin send Cache-Control: max-age, or Expires"
        case .noCapacity: "the cache has no capacity in memory or on disk; see diskProblem and memoryProblem"
        case .tooLarge(let byteCount, let limit):
            "its body \(byteCount.map { "has \($0) bytes" } ?? "is longer"), and at most \(limit) are stored, 5 % of the "
                + "larger tier; raise diskCapacity"
        case .uncertainEnd: "only the end of the connection ends its body; let the origin send Content-Length"
        case .incomplete: "its body did not come whole"
        case .standIn: "the stored response answers in place of this failure"
        case .application: "the application refused it, by willCacheResponse or its storage policy"
        case .superseded: "it was removed, or a newer answer was stored, while it was under way"
        case .unwritten: "the disk could not be written, and memory does not take it; see diskProblem"
        }
    }
}
