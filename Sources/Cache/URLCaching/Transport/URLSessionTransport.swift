import CurlTransport
import HTTPCache
import HTTPSemantics

/// Carries requests with `URLSession`, which decides nothing itself: no cache, no cookie, no redirection, no challenge
/// that can be met above it.
///
/// On Linux Foundation ends the process on some broken answers (a connection that closes within the header, a trailer),
/// and loses the body of a redirection.
final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: ExchangeDelegate
    private let longestBacklog: Int64

    /// - Parameters:
    ///   - settings: a copy, which is changed.
    ///   - longestBacklog: how many bytes a body may run ahead of its reader.
    init(_ settings: URLSessionConfiguration, longestBacklog: Int64) {
        self.longestBacklog = longestBacklog
        // The engine keeps that of each request, of which several may share a task.
        settings.timeoutIntervalForResource = Self.longestTimeout
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.httpAdditionalHeaders = nil
        #if !canImport(Darwin)
        // With it, the 401 would be announced as the answer, and then the next attempt's answer. See Challenges.
        settings.urlCredentialStorage = nil
        #endif
        exchanges = ExchangeDelegate()
        session = URLSession(configuration: settings, delegate: exchanges, delegateQueue: InlineQueue())
    }

    // The session keeps its delegate until told.
    deinit { session.finishTasksAndInvalidate() }

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let context = outgoing.context as? any URLSessionRequestContext
        let exchange = Exchange(context, longestBacklog: longestBacklog)
        let task = session.dataTask(with: try Self.urlRequest(outgoing, context?.request))
        exchanges.begin(exchange, task)
        return try await withTaskCancellationHandler {
            IncomingResponse(try await exchange.response(), body: exchange)
        } onCancel: {
            exchange.cancel()
        }
    }

    /// The application's request with URL, method, fields, body and time-out of the one to send.
    private static func urlRequest(_ outgoing: OutgoingRequest, _ original: URLRequest?) throws -> URLRequest {
        guard let url = URL(string: outgoing.request.url)?.withLowercasedScheme else { throw URLError(.badURL) }
        var request = original ?? URLRequest(url: url)
        request.url = url
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.timeoutInterval = min(outgoing.timeout ?? longestTimeout, longestTimeout)
        if request.httpMethod != outgoing.request.method { request.httpMethod = outgoing.request.method }
        for name in request.allHTTPHeaderFields?.keys ?? [:].keys { request.setValue(nil, forHTTPHeaderField: name) }
        for field in outgoing.request.headerFields.fields {
            request.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        switch outgoing.body {
        case nil:
            request.httpBody = nil
            request.httpBodyStream = nil
        case .bytes(let bytes): request.httpBody = Data(bytes)
        case .stream(let stream as InputStreamBody, _): request.httpBodyStream = stream.stream
        case .stream:
            throw URLError(
                .cannotOpenFile, url: outgoing.request.url,
                "URLSession cannot send a RequestBodyStream; set the URLRequest's httpBodyStream")
        }
        return request
    }

    /// A week in seconds, URLSession's value for resources.
    static let longestTimeout = 604_800.0
}

extension URLSessionTransport: ExchangeCounting {
    var exchangesUnderWay: Int { exchanges.count }
}

/// What URLSession needs to know about a request beside its message.
protocol URLSessionRequestContext: Sendable {
    /// The application's request, for settings outside the message, e.g. its network service type.
    var request: URLRequest { get }

    /// Meets a challenge that only URLSession can send, e.g. about a server's trust on Apple systems.
    func answer(_ challenge: URLAuthenticationChallenge) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

/// Runs what it is given at once, on the calling thread.
///
/// On Linux URLSession passes every part of a body to its delegate by a block in this queue, and goes on reading: in an
/// ordinary queue a body would pile up unseen. The delegate here does little, and runs none of the application's code.
///
/// `@unchecked Sendable`, like its superclass: it adds no stored property.
private final class InlineQueue: OperationQueue, @unchecked Sendable {
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
