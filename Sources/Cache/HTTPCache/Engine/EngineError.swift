import HTTPSemantics

/// Why the engine has no answer.
public enum EngineError: Error, CustomStringConvertible {
    /// The policy forbids to load, and nothing is stored for this URL.
    case notStored(url: String)
    /// The transport brought no answer, and nothing stored may stand in; the transport's error.
    case noAnswer(any Error)
    /// The answer broke off within its body; the transport's error.
    case brokenOff(any Error)
    /// The task that waited was cancelled.
    case cancelled

    /// The thing, the reason and the remedy.
    public var description: String {
        switch self {
        case .notStored(let url):
            "nothing is stored for \(url) and the policy forbids to load it; use returnCacheDataElseLoad to let it load"
        case .noAnswer(let error): "the origin gave no answer: \(error); try again"
        case .brokenOff(let error): "the body broke off: \(error); try again, or resume where it stopped"
        case .cancelled: "the request was cancelled"
        }
    }
}
