import HTTPSemantics

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
