import HTTPCache
import HTTPSemantics

/// The cookies of a session (RFC 6265). They are put into requests above the cache, so that `Vary: Cookie` is matched
/// against what is sent, and the page of one login is not shown to the next.
struct SessionCookies: Sendable {
    private let storage: HTTPCookieStorage?
    private let accepts: HTTPCookie.AcceptPolicy
    private let sends: Bool

    init(_ configuration: URLSessionConfiguration) {
        storage = configuration.httpCookieStorage
        accepts = configuration.httpCookieAcceptPolicy
        sends = configuration.httpShouldSetCookies
    }

    /// The request with the cookies of its URL, unless it says itself which to send, or that it wants none.
    func applied(to request: URLRequest) -> URLRequest {
        guard sends, request.httpShouldHandleCookies, let storage, let url = request.url?.withLowercasedScheme,
            request.value(forHTTPHeaderField: "Cookie") == nil,
            let cookies = storage.cookies(for: url), !cookies.isEmpty,
            let field = HTTPCookie.requestHeaderFields(with: CookieRules.sent(cookies, to: url))["Cookie"],
            !field.isEmpty
        else { return request }
        var request = request
        request.setValue(field, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Keeps the cookies of an answer.
    func store(_ response: HTTPResponse, to request: URLRequest) {
        guard let storage, accepts != .never, response.headerFields.fields.contains(where: { $0.name == "Set-Cookie" }),
            request.httpShouldHandleCookies, let url = request.url?.withLowercasedScheme
        else { return }
        // Line by line: joined, a comma within a date would be hard to tell from one between cookies.
        let cookies = response.headerFields.fields.filter { $0.name == "Set-Cookie" }
            .flatMap { CookieRules.received($0.value, from: url) }
        guard !cookies.isEmpty else { return }
        storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
    }
}
