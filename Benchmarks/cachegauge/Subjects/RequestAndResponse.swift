import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a URLCache's caller holds: the request, and the head of the response that is stored for it. Made beforehand,
/// since neither is the cache's work.
struct RequestAndResponse {
    /// Why there is none.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let request: URLRequest
    let response: HTTPURLResponse

    /// A GET of `url`, and a 200 that is fresh for a day, with the fields that a static file usually comes with.
    init(url text: String) throws {
        guard let url = URL(string: text),
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1",
                headerFields: [
                    "Content-Type": "application/octet-stream", "Cache-Control": "public, max-age=86400",
                    "ETag": "\"5f3e1a2b\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Server": "origin",
                ])
        else { throw Failure(description: "'\(text)' is no URL that Foundation takes") }
        self.request = URLRequest(url: url)
        self.response = response
    }
}
