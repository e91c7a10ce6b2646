import Foundation
import GaugeKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a caller of URLCache has: the request, and the head of its stored response. Both are made in advance, since
/// that isn't the cache's work.
struct RequestAndResponse {
    /// Why they couldn't be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let request: URLRequest
    let response: HTTPURLResponse

    /// A GET of `url`, and a 200 response, fresh for a day, with a static file's usual fields.
    init(url text: String) throws { try self.init(SubjectRequest(text)) }

    /// The same for a request with more than a URL.
    init(_ asked: SubjectRequest, cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy) throws {
        var fields = [
            "Content-Type": "application/octet-stream", "Cache-Control": "public, max-age=86400",
            "ETag": "\"5f3e1a2b\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Server": "origin",
        ]
        if !asked.vary.isEmpty { fields["Vary"] = asked.vary }
        guard let url = URL(string: asked.url),
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw Failure(description: "'\(asked.url)' is not a URL that Foundation takes") }
        var request = URLRequest(url: url, cachePolicy: cachePolicy)
        if asked.method != "GET" { request.httpMethod = asked.method }
        for field in asked.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        self.request = request
        self.response = response
    }

    /// The entry with an application's `userInfo`.
    func stored(_ body: Data, userInfo: [String: PropertyValue]) -> CachedURLResponse {
        CachedURLResponse(
            response: response, data: body, userInfo: userInfo.mapValues(\.plain), storagePolicy: .allowed)
    }

    func stored(_ body: Data, policy: SubjectStoragePolicy) -> CachedURLResponse {
        let allowed: URLCache.StoragePolicy =
            switch policy {
            case .memoryOnly: .allowedInMemoryOnly
            case .notAllowed: .notAllowed
            }
        return CachedURLResponse(response: response, data: body, storagePolicy: allowed)
    }
}
