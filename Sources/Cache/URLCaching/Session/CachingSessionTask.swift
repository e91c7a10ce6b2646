import HTTPCache

/// A task of a `CachingSession`, whichever of URLSession's classes it is of.
///
/// Some values are there twice: as URLSession types them, and in the narrower type that they have here. The compiler
/// takes the one that fits.
public protocol CachingSessionTask: URLSessionTask {
    /// The source of the answer; `nil` until it comes.
    var answerSource: Answer.Source? { get }
    /// When the steps of the task happened.
    var times: TaskTimes { get }
}

extension CachingSessionTask {
    private var asURLSession: URLSessionTask { self }

    /// The request as it was given.
    public var originalRequest: URLRequest {
        asURLSession.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }
    /// The request that was sent last; after a redirection it differs from the original one.
    public var currentRequest: URLRequest { asURLSession.currentRequest ?? originalRequest }
    /// The answer's header.
    public var response: HTTPURLResponse? { asURLSession.response as? HTTPURLResponse }
    /// Why the task failed; `nil` if it did not fail, or has not completed.
    public var error: URLError? { asURLSession.error as? URLError }
}
