import HTTPSemantics

/// The challenges that one request has met.
///
/// Met here and not by URLSession, whose Linux version announces the 401 as the answer before it asks anybody, and ends
/// the process on a credential for Digest.
struct Challenges {
    private let session: CachingSession
    private let delegate: (any CachingSessionDelegate)?
    /// How often each space has refused, in which no other's answer counts.
    private var failures: [Space: Int] = [:]
    private var used: (credential: URLCredential, space: URLProtectionSpace)?

    private struct Space: Hashable {
        let host: String
        let port: Int
        let scheme: String
        let realm: String
    }

    init(_ session: CachingSession, _ delegate: (any CachingSessionDelegate)?) {
        self.session = session
        self.delegate = delegate
    }

    /// The request with credentials; `nil` when the 401 is the answer.
    ///
    /// - Throws: `userCancelledAuthentication` when the delegate cancels.
    mutating func request(after response: HTTPResponse, to request: URLRequest, _ url: URL) async throws -> URLRequest?
    {
        guard let realm = response.headerFields["WWW-Authenticate"].flatMap({ BasicChallenge.realm(in: $0) }),
            let host = url.host, let scheme = url.scheme?.lowercased()
        else { return nil }
        let place = Space(
            host: host, port: url.port ?? (scheme == "https" ? 443 : 80), scheme: scheme, realm: realm)
        let asked = URLProtectionSpace(
            host: place.host, port: place.port, protocol: scheme, realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let space = credentials?.known(asked) ?? asked
        let refused = failures[place] ?? 0
        let proposed = refused == 0 ? credentials?.defaultCredential(for: space) : nil
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: proposed, previousFailureCount: refused,
            failureResponse: HTTPURLResponse(response, url: url), error: nil, sender: NoSender())
        failures[place] = refused + 1
        var answer: (URLSession.AuthChallengeDisposition, URLCredential?) = (.performDefaultHandling, nil)
        if let delegate { answer = await delegate.session(session, didReceive: challenge) }
        let credential: URLCredential?
        switch answer.0 {
        case .useCredential: credential = answer.1
        case .performDefaultHandling: credential = proposed
        case .cancelAuthenticationChallenge:
            throw URLError(.userCancelledAuthentication, request, "the challenge of \(host) was cancelled")
        case .rejectProtectionSpace: credential = nil
        @unknown default: credential = nil
        }
        guard let credential else { return nil }
        used = (credential, space)
        var next = request
        next.setValue(BasicChallenge.authorization(credential), forHTTPHeaderField: "Authorization")
        return next
    }

    /// The origin took the last credentials, which are kept where they want to be.
    func succeeded() {
        guard let used, used.credential.persistence != .none else { return }
        credentials?.setDefaultCredential(used.credential, for: used.space)
    }

    private var credentials: URLCredentialStorage? { session.configuration.urlSession.urlCredentialStorage }
}

extension URLCredentialStorage {
    /// The space in the storage that stands for the same, or else this one. Foundation on Linux tells equal spaces apart,
    /// and would find no credential that another object had stored.
    fileprivate func known(_ space: URLProtectionSpace) -> URLProtectionSpace {
        #if canImport(FoundationNetworking)
        allCredentials.keys.first {
            $0.host == space.host && $0.port == space.port && $0.protocol == space.protocol
                && $0.realm == space.realm && $0.authenticationMethod == space.authenticationMethod
        } ?? space
        #else
        space
        #endif
    }
}

/// The older way to answer a challenge, by messages to its sender, does not exist here.
private final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
