import HTTPCache
import HTTPSemantics

/// A session's cookies (RFC 6265). They are put into requests above the cache: `Vary: Cookie` is then matched against
/// what is sent, and the next login does not get the page of the last one.
struct SessionCookies: Sendable {
    private let storage: HTTPCookieStorage?
    private let accepts: HTTPCookie.AcceptPolicy
    private let sends: Bool

    init(_ configuration: URLSessionConfiguration) {
        storage = configuration.httpCookieStorage
        accepts = configuration.httpCookieAcceptPolicy
        sends = configuration.httpShouldSetCookies
    }

    /// The request with its URL's cookies, unless it says which to send, or that it wants none.
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

    func store(_ response: HTTPResponse, to request: URLRequest) {
        guard let storage, accepts != .never, response.headerFields.fields.contains(where: { $0.name == "Set-Cookie" }),
            request.httpShouldHandleCookies, let url = request.url?.withLowercasedScheme
        else { return }
        // Line by line: in joined lines, a comma in a date is hard to tell from one between cookies.
        let cookies = response.headerFields.fields.filter { $0.name == "Set-Cookie" }
            .flatMap { CookieRules.received($0.value, from: url) }
        guard !cookies.isEmpty else { return }
        storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
    }
}

/// The rules of RFC 6265 that Foundation on Linux does not apply: on receipt `Max-Age`, two-digit years and foreign
/// domains (section 5.3), and before sending path, `Secure` and expiry (section 5.4). On Apple systems Foundation
/// applies them.
enum CookieRules {
    /// The cookies of one `Set-Cookie` line in an answer from `url`.
    static func received(_ line: String, from url: URL) -> [HTTPCookie] {
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: url)
        #if canImport(FoundationNetworking)
        let attributes = attributes(of: line)
        guard let host = url.host?.lowercased(), let domain = domain(attributes, of: host) else { return [] }
        return cookies.map { cookie in
            var properties = cookie.properties ?? [:]
            properties[.domain] = domain
            if let moment = expiry(attributes) {
                // Foundation would only look at the age, and only in a cookie of version 1.
                properties[.maximumAge] = nil
                properties[.expires] = moment
                properties[.discard] = nil
            }
            // Foundation accepts these only as text; it hands out the first as a Boolean, and the second not at all.
            if cookie.isSecure { properties[.secure] = "TRUE" }
            if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
            return HTTPCookie(properties: properties) ?? cookie
        }
        #else
        return cookies
        #endif
    }

    /// The stored cookies that go with a request to `url`, longer paths first.
    static func sent(_ cookies: [HTTPCookie], to url: URL) -> [HTTPCookie] {
        #if canImport(FoundationNetworking)
        let path = url.path(percentEncoded: true)
        let isSecure = url.scheme == "https"
        return cookies.filter { cookie in
            contains(cookie.path, path) && (isSecure || !cookie.isSecure)
                && cookie.expiresDate.map { $0 > Date() } ?? true
        }.sorted { $0.path.utf8.count > $1.path.utf8.count }
        #else
        return cookies
        #endif
    }

    /// Whether the cookie's path is the request's or a directory above it (section 5.1.4).
    private static func contains(_ directory: String, _ path: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        guard path.hasPrefix(directory) else { return false }
        return directory.hasSuffix("/") || path.utf8.count == directory.utf8.count
            || path.dropFirst(directory.count).hasPrefix("/")
    }

    /// A cookie's domain as Foundation writes it, with a dot in front if subdomains get it, too; `nil` if the host may
    /// not set the cookie (section 5.3, points 4 to 6).
    ///
    /// The attribute must name the host, or a domain above it that has a dot and is not part of an address (section
    /// 5.1.3). There is no list of public suffixes, so a host below `co.uk` can set a cookie for all of it.
    private static func domain(_ attributes: [Substring: Substring], of host: String) -> String? {
        let value = attributes["domain"] ?? ""
        if value.isEmpty || value == "." { return host }
        let domain = value.lowercased().drop { $0 == "." }
        let isAddress = host.contains(":") || host.split(separator: ".").last?.allSatisfy(\.isNumber) == true
        guard !isAddress, domain.contains(".") else { return domain == host ? host : nil }
        return domain == host || host.hasSuffix(".\(domain)") ? ".\(domain)" : nil
    }

    /// `Max-Age` takes precedence over `Expires` (section 5.3, point 3). Zero or a negative value is the earliest
    /// moment.
    private static func expiry(_ attributes: [Substring: Substring]) -> Date? {
        if let text = attributes["max-age"], text.drop(while: { $0 == "-" }).allSatisfy({ $0.isASCII && $0.isNumber }),
            let seconds = Double(text)
        {
            return seconds <= 0 ? .distantPast : Date(timeIntervalSinceNow: min(seconds, 3_155_760_000))
        }
        let now = Int64(Date().timeIntervalSince1970)
        return attributes["expires"].flatMap { HTTPDate.parse(String($0), now: now) }
            .map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The attributes after name and value, names in lower case; the last of several counts.
    private static func attributes(of line: String) -> [Substring: Substring] {
        var attributes: [Substring: Substring] = [:]
        for part in line.split(separator: ";", omittingEmptySubsequences: false).dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            attributes[trimmed(Substring(pair[0].lowercased()))] = pair.count > 1 ? trimmed(pair[1]) : ""
        }
        return attributes
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
