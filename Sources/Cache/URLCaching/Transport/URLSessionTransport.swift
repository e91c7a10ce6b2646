import HTTPCache
import HTTPSemantics

/// Carries the engine's requests by `URLSession`, which is left nothing to decide: no cache, no redirection, no
/// challenge that can be met above it.
final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: ExchangeDelegate
    private let rewrite: CachingSession.Configuration.Rewrite?
    private let longestBacklog: Int64

    init(_ configuration: CachingSession.Configuration) {
        rewrite = configuration.rewrite
        longestBacklog = configuration.longestBacklog
        let settings = configuration.urlSession
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        // A session that answered for CachingURLProtocol would wait for itself.
        settings.protocolClasses = settings.protocolClasses?.filter { !($0 is CachingURLProtocol.Type) }
        #if !canImport(Darwin)
        // With it, the 401 would be announced as the answer and the next attempt's answer after it. See Challenges.
        settings.urlCredentialStorage = nil
        #endif
        exchanges = ExchangeDelegate()
        session = URLSession(configuration: settings, delegate: exchanges, delegateQueue: InlineQueue())
    }

    // The session keeps its delegate until it is told.
    deinit { session.finishTasksAndInvalidate() }

    /// Requests whose answers are still coming.
    var exchangesUnderWay: Int { exchanges.count }

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let asking = outgoing.context as? Asking
        var request = try Self.urlRequest(outgoing, asking?.request)
        if let rewrite {
            let url = request.url
            request = await rewrite(request)
            if let url, let host = url.host, request.url?.host != host, request.value(forHTTPHeaderField: "Host") == nil
            {
                request.setValue(url.port.map { "\(host):\($0)" } ?? host, forHTTPHeaderField: "Host")
            }
        }
        let exchange = Exchange(asking, longestBacklog: longestBacklog)
        let task = session.dataTask(with: request)
        exchanges.begin(exchange, task)
        return try await withTaskCancellationHandler {
            IncomingResponse(try await exchange.response(), body: exchange)
        } onCancel: {
            exchange.cancel()
        }
    }

    /// The application's request with the engine's URL, method and fields.
    private static func urlRequest(_ outgoing: OutgoingRequest, _ original: URLRequest?) throws -> URLRequest {
        guard let url = URL(string: outgoing.request.url) else { throw URLError(.badURL) }
        var request = original ?? URLRequest(url: url)
        request.url = url
        request.cachePolicy = .reloadIgnoringLocalCacheData
        if request.httpMethod != outgoing.request.method { request.httpMethod = outgoing.request.method }
        for name in request.allHTTPHeaderFields?.keys ?? [:].keys { request.setValue(nil, forHTTPHeaderField: name) }
        for field in outgoing.request.headerFields.fields {
            request.setValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        return request
    }
}

/// Runs what it is given at once, where it is given.
///
/// On Linux URLSession hands every part of a body to its delegate by a block in this queue, and goes on reading: with an
/// ordinary queue a body would pile up in it unseen. The delegate here does little, none of it the application's.
private final class InlineQueue: OperationQueue, @unchecked Sendable {
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
