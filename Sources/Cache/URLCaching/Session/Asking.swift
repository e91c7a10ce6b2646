import HTTPCache

/// On whose behalf the engine is asked: what hooks and transport need and an `HTTPRequest` cannot say.
struct Asking: Sendable {
    /// The application's request, or the one that a redirection has made of it.
    let request: URLRequest
    /// Who asks.
    let session: CachingSession
    /// Who is asked about it.
    let delegate: (any CachingSessionDelegate)?
}

extension CacheRequest {
    var asking: Asking? { context as? Asking }

    /// The request in Foundation's type; `nil` when Foundation takes no such URL.
    var urlRequest: URLRequest? {
        guard var made = asking?.request, made.url?.absoluteString == request.url else {
            guard let url = URL(string: request.url) else { return nil }
            var made = URLRequest(url: url)
            made.httpMethod = request.method
            for field in request.headerFields.fields {
                made.setValue(field.value, forHTTPHeaderField: field.name.rawName)
            }
            return made
        }
        // A HEAD is refreshed by a GET.
        if made.httpMethod != request.method { made.httpMethod = request.method }
        return made
    }
}
