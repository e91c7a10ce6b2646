import HTTPCache
import HTTPSemantics

extension CachingSession.Configuration {
    /// The application's rewriting of what is sent, for the engine; `nil` if there is none.
    var rewriting: (@Sendable (OutgoingRequest) async -> OutgoingRequest)? {
        guard let rewrite else { return nil }
        return { outgoing in
            guard var request = URLRequest(outgoing.request) else { return outgoing }
            if case .bytes(let bytes) = outgoing.body { request.httpBody = Data(bytes) }
            // The application's code must not hold up the transport's thread.
            var rewritten = await withTaskExecutorPreference(globalConcurrentExecutor) { [request] in
                await rewrite(request)
            }
            if let host = request.url?.host, rewritten.url?.host != host,
                rewritten.value(forHTTPHeaderField: "Host") == nil
            {
                let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
                rewritten.setValue(request.url?.port.map { "\(name):\($0)" } ?? name, forHTTPHeaderField: "Host")
            }
            var outgoing = outgoing
            outgoing.request = HTTPRequest(rewritten)
            if rewritten.httpBody != request.httpBody || rewritten.httpBodyStream != nil {
                outgoing.body = RequestBody(rewritten)
            }
            return outgoing
        }
    }
}
