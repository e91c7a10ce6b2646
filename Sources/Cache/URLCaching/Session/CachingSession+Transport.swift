import CurlTransport
import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// The transport of a session that was given none, and why it may differ from what the configuration asks for.
    static func transport(
        _ configuration: Configuration, _ settings: URLSessionConfiguration
    ) -> (any Transport, TransportProblem?) {
        var problem: TransportProblem?
        if configuration.usesLibcurl(settings) {
            do throws(TransportProblem) {
                return (
                    try CurlTransport(
                        TransportSettings(configuration, settings), library: configuration.loadLibcurl()), nil
                )
            } catch {
                problem = error
            }
        }
        // A session that answers for CachingURLProtocol would wait for itself.
        settings.protocolClasses = settings.protocolClasses?.filter { !($0 is CachingURLProtocol.Type) }
        return (URLSessionTransport(settings, longestBacklog: configuration.longestBacklog), problem)
    }
}

extension CachingSession.Configuration {
    fileprivate func usesLibcurl(_ settings: URLSessionConfiguration) -> Bool {
        switch carrier {
        case .libcurl: return true
        case .urlSession: return false
        case .automatic:
            #if canImport(Darwin)
            return false
            #else
            let usual = (URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) }
            return (settings.protocolClasses ?? []).allSatisfy {
                $0 is CachingURLProtocol.Type || usual.contains(ObjectIdentifier($0))
            }
            #endif
        }
    }
}

extension TransportSettings {
    init(_ configuration: CachingSession.Configuration, _ settings: URLSessionConfiguration) {
        self.init()
        connectionsPerHost = settings.httpMaximumConnectionsPerHost
        if settings.timeoutIntervalForResource > 0 { resourceTimeout = settings.timeoutIntervalForResource }
        largestHeader = configuration.largestHeader
        largestDecodedBody = configuration.largestDecodedBody
        idleTimeout = configuration.idleTimeout
        certificateFile = configuration.certificateFile?.path
    }
}

/// What a session does on every exchange, whichever transport carries it: keep the answer's cookies.
struct SessionTransport: Transport {
    let carrier: any Transport
    let cookies: SessionCookies

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        let incoming = try await carrier.send(outgoing)
        // For the URL as the application wrote it, whatever it was rewritten to.
        if let asked = (outgoing.context as? RequestContext)?.request { cookies.store(incoming.response, to: asked) }
        return incoming
    }
}

/// The session's side of a request to the engine: what hooks and transport need but an `HTTPRequest` cannot hold.
struct RequestContext: Sendable {
    /// The application's request, or the one a redirection made of it, with its cookies.
    let request: URLRequest
    let session: CachingSession
    let delegate: (any CachingSessionDelegate)?
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
