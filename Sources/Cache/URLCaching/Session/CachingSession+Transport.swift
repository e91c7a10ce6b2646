import CurlTransport
import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// The transport of a session that was given none, and why it may differ from what the configuration asks for.
    static func transport(
        _ configuration: Configuration, _ settings: URLSessionConfiguration
    ) -> (any Transport, TransportProblem?) {
        var problem: TransportProblem?
        let tls: TLSSettings
        do throws(RefusingTransport) { tls = try configuration.tlsDemands() } catch { return (error, nil) }
        if configuration.usesLibcurl(settings) {
            do throws(TransportProblem) {
                return (
                    try CurlTransport(
                        TransportSettings(configuration, settings, tls), library: configuration.loadLibcurl()), nil
                )
            } catch {
                problem = error
            }
        }
        guard !configuration.hasTLSDemands else {
            return (
                RefusingTransport(
                    reason: "pinnedPublicKeys, clientCertificates and certificateFile need libcurl to carry requests; "
                        + (problem.map { "\($0)" } ?? "set carrier to libcurl, or leave it automatic")), problem
            )
        }
        // A session that answered for CachingURLProtocol would wait for itself.
        settings.protocolClasses = settings.protocolClasses?.filter { !($0 is CachingURLProtocol.Type) }
        return (URLSessionTransport(settings, longestBacklog: configuration.longestBacklog), problem)
    }
}

/// Sends nothing: a session that cannot check what it was told to check must not go on without.
struct RefusingTransport: Transport, Error {
    let reason: String

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        throw URLError(.secureConnectionFailed, url: outgoing.request.url, reason)
    }
}

extension CachingSession.Configuration {
    /// URLSession cannot meet them on Linux.
    fileprivate var hasTLSDemands: Bool {
        !pinnedPublicKeys.isEmpty || !clientCertificates.isEmpty || certificateFile != nil
    }

    /// What is demanded of servers.
    ///
    /// - Throws: where a digest is none.
    func tlsDemands() throws(RefusingTransport) -> TLSSettings {
        var settings = TLSSettings()
        settings.certificateFile = certificateFile?.path
        for (host, certificate) in clientCertificates {
            settings.clientCertificates[TLSSettings.named(host)] = certificate
        }
        for (host, digests) in pinnedPublicKeys {
            guard let pins = PublicKeyPins(digests) else {
                throw RefusingTransport(
                    reason: "pinnedPublicKeys[\"\(host)\"] is \(digests), which are not base64 of SHA-256 digests; "
                        + "pass 44 characters each")
            }
            settings.pinnedKeys[TLSSettings.named(host)] = pins
        }
        return settings
    }

    /// The library that is to carry the requests is libcurl.
    func usesLibcurl(_ settings: URLSessionConfiguration) -> Bool {
        switch carrier {
        case .libcurl: return true
        case .urlSession: return false
        case .automatic:
            if hasTLSDemands { return true }
            #if canImport(Darwin)
            return false
            #else
            return !settings.hasOwnProtocols
            #endif
        }
    }
}

extension URLSessionConfiguration {
    /// It has protocol classes of the application, which libcurl does not ask.
    var hasOwnProtocols: Bool {
        let usual = (URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) }
        return !(protocolClasses ?? []).allSatisfy {
            $0 is CachingURLProtocol.Type || usual.contains(ObjectIdentifier($0))
        }
    }
}

extension TransportSettings {
    init(_ configuration: CachingSession.Configuration, _ settings: URLSessionConfiguration, _ tls: TLSSettings) {
        self.init()
        connectionsPerHost = settings.httpMaximumConnectionsPerHost
        largestHeader = configuration.largestHeader
        largestDecodedBody = configuration.largestDecodedBody
        idleTimeout = configuration.idleTimeout
        self.tls = tls
        proxies = settings.connectionProxyDictionary.map { ProxyDictionary($0).settings }
    }
}

/// What a session does on every exchange, whichever transport carries it: keep the answer's cookies.
struct SessionTransport: Transport {
    private let carrier: any Transport
    /// The same, where it is libcurl.
    private let curl: CurlTransport?
    private let cookies: SessionCookies

    init(carrier: any Transport, cookies: SessionCookies) {
        (self.carrier, self.cookies) = (carrier, cookies)
        curl = carrier as? CurlTransport
    }

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        let context = outgoing.context as? RequestContext
        let incoming: IncomingResponse
        if let curl {
            var terms = ExchangeTerms()
            terms.onTransaction = context?.onTransaction
            var outgoing = outgoing
            if let asked = context?.request { terms.server = outgoing.takeServer(askedFor: asked) }
            incoming = try await curl.send(outgoing, terms)
        } else {
            incoming = try await carrier.send(outgoing)
        }
        // For the URL as the application wrote it, whatever it was rewritten to.
        if let asked = context?.request { cookies.store(incoming.response, to: asked, mayBeJoined: curl == nil) }
        return incoming
    }
}

/// The session's side of a request to the engine: what hooks and transport need but an `HTTPRequest` cannot hold.
struct RequestContext: Sendable {
    /// The application's request, or the one a redirection made of it, with its cookies.
    let request: URLRequest
    let session: CachingSession
    let delegate: (any CachingSessionDelegate)?
    /// Told of the exchange with the origin.
    var onTransaction: TransactionHandler?
}

extension OutgoingRequest {
    /// Over TLS a server is checked by the host in the URL. Where a request was rewritten to another one and `Host`
    /// still names the first, the URL gets that back, so that the server's name, its certificate, pins and client
    /// certificates are the first host's.
    ///
    /// - Parameter asked: the request as the application wrote it.
    /// - Returns: where to connect to, `host:port`; `nil` for the URL's.
    mutating func takeServer(askedFor asked: URLRequest) -> String? {
        let url = request.url
        guard url.utf8.starts(with: "https://".utf8, by: { $0 | 0x20 == $1 }), let named = request.headerFields["Host"],
            let host = asked.url?.host?.lowercased()
        else { return nil }
        let authority = url.dropFirst(8).prefix { !"/?#".contains($0) }
        // A user's name and password stay.
        let place = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let (server, port) = Self.hostAndPort(authority[place...])
        guard Self.hostAndPort(named[...]).host == host, server != host else { return nil }
        request.url = "https://\(authority[..<place])\(named)\(url[authority.endIndex...])"
        return "\(server.contains(":") ? "[\(server)]" : server):\(port ?? 443)"
    }

    /// In lower case, without the brackets of an address.
    private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?) {
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        let colon = authority[end...].firstIndex(of: ":")
        let host = authority[..<(colon ?? authority.endIndex)].lowercased().filter { $0 != "[" && $0 != "]" }
        return (host, colon.flatMap { Int(authority[authority.index(after: $0)...]) })
    }
}

extension RequestContext: URLSessionRequestContext {
    func answer(
        _ challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await delegate?.session(session, didReceive: challenge) ?? (.performDefaultHandling, nil)
    }
}

extension CacheRequest {
    var sessionContext: RequestContext? { context as? RequestContext }

    /// The request in Foundation's type; `nil` if Foundation rejects the URL.
    var urlRequest: URLRequest? {
        guard var made = sessionContext?.request, made.url?.absoluteString == request.url else {
            return URLRequest(request)
        }
        // A HEAD is refreshed by a GET.
        if made.httpMethod != request.method { made.httpMethod = request.method }
        return made
    }
}
