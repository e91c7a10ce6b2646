import HTTPCache
import HTTPSemantics

/// A session's own work on every exchange, whichever transport carries it: the application's rewriting, and the cookies
/// of the answer.
struct SessionTransport: Transport {
    let carrier: any Transport
    let rewrite: CachingSession.Configuration.Rewrite?
    let cookies: SessionCookies

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        let incoming = try await carrier.send(await rewritten(outgoing))
        cookies.store(incoming.response, of: outgoing)
        return incoming
    }

    private func rewritten(_ outgoing: OutgoingRequest) async -> OutgoingRequest {
        guard let rewrite, var request = URLRequest(outgoing.request) else { return outgoing }
        if case .bytes(let bytes) = outgoing.body { request.httpBody = Data(bytes) }
        let url = request.url
        // The application's code must not hold up the transport's thread.
        var rewritten = await withTaskExecutorPreference(globalConcurrentExecutor) { [request] in
            await rewrite(request)
        }
        if let url, let host = url.host, rewritten.url?.host != host,
            rewritten.value(forHTTPHeaderField: "Host") == nil
        {
            let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            rewritten.setValue(url.port.map { "\(name):\($0)" } ?? name, forHTTPHeaderField: "Host")
        }
        var outgoing = outgoing
        outgoing.request = HTTPRequest(rewritten)
        if rewritten.httpBody != request.httpBody || rewritten.httpBodyStream != nil {
            outgoing.body = RequestBody(rewritten)
        }
        return outgoing
    }
}
