import HTTPSemantics

/// The challenges one request has met.
///
/// Met here and not by URLSession. On Linux, that announces the 401 as the answer before it asks anybody, and ends the
/// process on a credential for Digest.
struct Challenges {
    private let session: CachingSession
    private let delegate: (any CachingSessionDelegate)?
    /// How many challenges the protection space `last` has sent.
    private var failures = 0
    private var last: URLProtectionSpace?
    private var isRedirected = false
    private var used: (credential: URLCredential, space: URLProtectionSpace)?
    /// The field made for the last challenge of Digest.
    private var madeDigest: String?
    /// How many Digest nonces were too old.
    private var staleNonces = 0

    init(_ session: CachingSession, _ delegate: (any CachingSessionDelegate)?) {
        self.session = session
        self.delegate = delegate
    }

    /// The request with credentials; `nil` if the 401 is the answer.
    ///
    /// - Throws: `userCancelledAuthentication` if the delegate cancels.
    mutating func request(after response: HTTPResponse, to request: URLRequest, _ url: URL) async throws -> URLRequest?
    {
        guard let field = response.headerFields["WWW-Authenticate"], let host = url.host,
            let scheme = url.scheme?.lowercased()
        else { return nil }
        // The stronger one, if the origin accepts both.
        let digest = DigestChallenge(in: field)
        guard let realm = digest?.realm ?? BasicChallenge.realm(in: field) else { return nil }
        if let digest, digest.isStale, let used, staleNonces < Self.mostStaleNonces {
            staleNonces += 1
            let next = authorized(request, used.credential, digest, url)
            madeDigest = next.value(forHTTPHeaderField: "Authorization")
            return next
        }
        let asked = URLProtectionSpace(
            host: host, port: url.port ?? (scheme == "https" ? 443 : 80), protocol: scheme, realm: realm,
            authenticationMethod: digest == nil
                ? NSURLAuthenticationMethodHTTPBasic : NSURLAuthenticationMethodHTTPDigest)
        // Without a redirection, an origin that names other realms could ask for ever.
        if isRedirected, last?.isSame(as: asked) != true { failures = 0 }
        (last, isRedirected) = (asked, false)
        let space = credentials?.known(asked) ?? asked
        let proposed = failures == 0 ? credentials?.defaultCredential(for: space) : nil
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: proposed, previousFailureCount: failures,
            failureResponse: HTTPURLResponse(response, url: url), error: nil, sender: NoSender())
        failures += 1
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
        let next = authorized(request, credential, digest, url)
        madeDigest = digest == nil ? nil : next.value(forHTTPHeaderField: "Authorization")
        return next
    }

    /// An origin that finds every nonce too old would be asked for ever.
    private static let mostStaleNonces = 3

    private func authorized(
        _ request: URLRequest, _ credential: URLCredential, _ digest: DigestChallenge?, _ url: URL
    ) -> URLRequest {
        var next = request
        let path = url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        let value =
            digest?.authorization(
                credential, method: request.method, target: target,
                clientNonce: UUID().uuidString.filter { $0 != "-" }.lowercased())
            ?? BasicChallenge.authorization(credential)
        next.setValue(value, forHTTPHeaderField: "Authorization")
        return next
    }

    /// The origin accepted the last credentials. Stores them as they ask.
    func succeeded() {
        guard let used, used.credential.persistence != .none else { return }
        credentials?.setDefaultCredential(used.credential, for: used.space)
    }

    /// The origin accepted the last credentials, and another protection space may ask for others.
    ///
    /// - Parameter request: the one that follows. What was made for the target of the last one by Digest is taken out
    ///   of it, since it holds for that target alone (RFC 7616, section 3.4); the origin asks again.
    mutating func redirected(to request: inout URLRequest) {
        succeeded()
        if let madeDigest, request.value(forHTTPHeaderField: "Authorization") == madeDigest {
            request.setValue(nil, forHTTPHeaderField: "Authorization")
        }
        if used != nil { failures = 0 }
        (used, madeDigest, isRedirected) = (nil, nil, true)
    }

    private var credentials: URLCredentialStorage? { session.configuration.urlSession.urlCredentialStorage }
}

extension URLCredentialStorage {
    /// The equal space in the storage, or else this one. Foundation on Linux tells equal spaces apart, and would find
    /// no credential stored under another object.
    fileprivate func known(_ space: URLProtectionSpace) -> URLProtectionSpace {
        #if canImport(FoundationNetworking)
        allCredentials.keys.first { $0.isSame(as: space) } ?? space
        #else
        space
        #endif
    }
}

extension URLProtectionSpace {
    /// Whether it is the same space, even as another object.
    fileprivate func isSame(as other: URLProtectionSpace) -> Bool {
        host == other.host && port == other.port && self.protocol == other.protocol && realm == other.realm
            && authenticationMethod == other.authenticationMethod
    }
}

/// There is no sender: the older way to answer a challenge, by messages to one, does not exist here.
private final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

/// A challenge for Basic authentication in a `WWW-Authenticate` field (RFC 7617; RFC 9110, section 11.6.1).
enum BasicChallenge {
    /// The realm; empty if the challenge names none, `nil` if there is no such challenge.
    static func realm(in field: String) -> String? {
        var isBasic = false
        for member in members(of: field) {
            var rest = Substring(member)
            let word = rest.prefix { $0 != " " && $0 != "=" && $0 != "\t" }
            rest = rest.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
            // `Basic realm="x"` begins a challenge, `realm="x"` continues one.
            if rest.first != "=" {
                if isBasic { return "" }
                isBasic = word.lowercased() == "basic"
                guard isBasic else { continue }
                if let realm = parameter("realm", in: rest) { return realm }
            } else if isBasic, let realm = parameter("realm", in: Substring(member)) {
                return realm
            }
        }
        return isBasic ? "" : nil
    }

    /// The value of `Authorization`.
    static func authorization(_ credential: URLCredential) -> String {
        let text = "\(credential.user ?? ""):\(credential.password ?? "")"
        return "Basic \(Data(text.utf8).base64EncodedString())"
    }

    /// The texts between unquoted commas, without the blanks around them.
    static func members(of field: String) -> [String] {
        var members: [String] = []
        var member = ""
        var isQuoted = false
        var isEscaped = false
        for character in field {
            if character == ",", !isQuoted {
                members.append(member)
                member = ""
                continue
            }
            member.append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
        }
        return (members + [member]).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    static func parameter(_ name: String, in text: Substring) -> String? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        guard text[..<equals].trimmingCharacters(in: .whitespaces).lowercased() == name else { return nil }
        let value = text[text.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        guard value.first == "\"" else { return value }
        var unquoted = ""
        var isEscaped = false
        for character in value.dropFirst() {
            if !isEscaped, character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { unquoted.append(character) }
        }
        return unquoted
    }
}
