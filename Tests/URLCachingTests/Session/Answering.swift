import Platform
import URLCaching

/// Answers the first challenge, and leaves later ones to the default.
final class Answering: CachingSessionDelegate, Sendable {
    let challenges = Locked<[URLAuthenticationChallenge]>([])
    private let disposition: URLSession.AuthChallengeDisposition
    private let credential: URLCredential?

    init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil) {
        self.disposition = disposition
        self.credential = credential
    }

    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        challenges.withLock { $0.append(challenge) }
        return challenge.previousFailureCount == 0 ? (disposition, credential) : (.performDefaultHandling, nil)
    }
}
