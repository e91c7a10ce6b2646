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

    /// - Parameter mayBeJoined: whether the transport may have joined several lines, as URLSession does.
    func store(_ response: HTTPResponse, to request: URLRequest, mayBeJoined: Bool) {
        guard let storage, accepts != .never, response.headerFields.contains("Set-Cookie"),
            request.httpShouldHandleCookies, let url = request.url?.withLowercasedScheme
        else { return }
        let cookies = response.headerFields.fields.filter { $0.name == "Set-Cookie" }
            .flatMap { mayBeJoined ? CookieRules.lines(in: $0.value) : [$0.value] }
            .flatMap { CookieRules.received($0, from: url) }
        guard !cookies.isEmpty else { return }
        let kept = Array(cookies.suffix(CookieRules.mostOfAnswer))
        let before = storage.cookies(for: url)?.count ?? 0
        // Foundation on Linux removes cookies whose time is over here, and nowhere else.
        storage.setCookies(kept, for: url, mainDocumentURL: request.mainDocumentURL)
        let surplus = CookieRules.surplus(of: storage.cookies(for: url) ?? [], over: before, keeping: kept)
        for cookie in surplus { storage.deleteCookie(cookie) }
    }
}

/// The rules of RFC 6265 that Foundation on Linux does not apply: how a line is read (section 5.2), what is kept of it
/// (section 5.3), and before sending path, `Secure` and expiry (section 5.4). On Apple systems Foundation applies them.
enum CookieRules {
    /// How many cookies of one answer are kept, the last ones, and how many of a site. RFC 6265, section 6.1, asks for
    /// 50 of a site at least, browsers keep 180. Foundation on Linux writes all cookies to their file for each new one.
    static let (mostOfAnswer, mostOfSite) = (50, 180)

    /// The cookies that have to go where a site has come to have more than ``mostOfSite``, and more than it had before:
    /// those that end first, then those with a long name, which an origin makes anew for each sign-in. Foundation on
    /// Linux doesn't keep when a cookie was created or last used.
    static func surplus(of stored: [HTTPCookie], over before: Int, keeping new: [HTTPCookie]) -> [HTTPCookie] {
        let excess = stored.count - max(mostOfSite, before)
        guard excess > 0 else { return [] }
        let kept = Set(new.map { [$0.name, $0.domain, $0.path] })
        let rest = stored.filter { !kept.contains([$0.name, $0.domain, $0.path]) }.sorted {
            ($0.expiresDate ?? .distantFuture, $1.name.utf8.count, $0.name)
                < ($1.expiresDate ?? .distantFuture, $0.name.utf8.count, $1.name)
        }
        return Array(rest.prefix(excess))
    }

    /// The cookies of one `Set-Cookie` line in an answer from `url`.
    static func received(_ line: String, from url: URL) -> [HTTPCookie] {
        #if canImport(FoundationNetworking)
        // Foundation would split the line at a comma with a name behind it, also within a value.
        let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let attributes = attributes(of: line)
        guard pair.count == 2, let host = url.host?.lowercased(), let domain = domain(attributes, of: host) else {
            return []
        }
        let name = trimmed(pair[0])
        guard !name.isEmpty else { return [] }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: String(name), .value: String(trimmed(pair[1])), .domain: domain, .path: path(attributes, of: url),
        ]
        properties[.expires] = expiry(attributes)
        if attributes["secure"] != nil { properties[.secure] = "TRUE" }
        if attributes["httponly"] != nil { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties).map { [$0] } ?? []
        #else
        return HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: url)
        #endif
    }

    /// The lines that a transport has joined by commas: another begins behind a comma where a name and `=` follow. A
    /// comma in a date is followed by neither.
    static func lines(in text: String) -> [String] {
        var lines: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let end = part.firstIndex { $0 == "=" || $0 == ";" } ?? part.endIndex
            let name = trimmed(part[..<end])
            let isNamed =
                part[end...].first == "=" && !name.isEmpty
                && name.allSatisfy { $0 > " " && !"()<>@:\\\"/[]?{}".contains($0) }
            if isNamed || lines.isEmpty {
                lines.append(String(part))
            } else {
                lines[lines.count - 1] += ",\(part)"
            }
        }
        return lines
    }

    /// The attribute's path, or that of the request up to its last `/` (section 5.1.4).
    private static func path(_ attributes: [Substring: Substring], of url: URL) -> String {
        if let path = attributes["path"], path.hasPrefix("/") { return String(path) }
        let path = url.path(percentEncoded: true)
        guard path.hasPrefix("/"), let last = path.lastIndex(of: "/"), last > path.startIndex else { return "/" }
        return String(path[..<last])
    }

    /// The stored cookies that go with a request to `url`, longer paths first. Foundation on Linux doesn't keep when a
    /// cookie was created, so then the name decides: equal cookies make an equal field in every process, which is what
    /// `Vary: Cookie` compares.
    static func sent(_ cookies: [HTTPCookie], to url: URL) -> [HTTPCookie] {
        #if canImport(FoundationNetworking)
        let path = url.path(percentEncoded: true)
        let isSecure = url.scheme == "https"
        return cookies.filter { cookie in
            contains(cookie.path, path) && (isSecure || !cookie.isSecure)
                && cookie.expiresDate.map { $0 > Date() } ?? true
        }.sorted {
            ($1.path.utf8.count, $0.name, $0.domain) < ($0.path.utf8.count, $1.name, $1.domain)
        }
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
        if let seconds = attributes["max-age"].flatMap(seconds) {
            return seconds <= 0 ? .distantPast : Date(timeIntervalSinceNow: min(seconds, 3_155_760_000))
        }
        return attributes["expires"].flatMap(date)
    }

    /// The value of `Max-Age`: digits, with a minus sign at most.
    private static func seconds(_ text: Substring) -> Double? {
        let digits = text.first == "-" ? text.dropFirst() : text
        return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Double(text) : nil
    }

    /// A date as section 5.1.1 reads it: time, day, month and year in any order, whatever is between them.
    private static func date(_ text: Substring) -> Date? {
        var time: [Int]?
        var (day, month, year): (Int?, Substring?, Int?)
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == ":")) }
        for word in words {
            let digits = word.prefix { $0.isNumber }
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            // What follows the seconds is left out.
            let fields = parts.count == 3 ? [parts[0], parts[1], parts[2].prefix { $0.isNumber }] : []
            if time == nil, parts.count == 3, fields.allSatisfy({ 1...2 ~= $0.count && Int($0) != nil }) {
                time = fields.compactMap { Int($0) }
            } else if day == nil, 1...2 ~= digits.count {
                day = Int(digits)
            } else if month == nil, let name = months.first(where: { word.lowercased().hasPrefix($0.lowercased()) }) {
                month = name
            } else if year == nil, 2...4 ~= digits.count, let number = Int(digits) {
                year = number + (number < 70 ? 2_000 : number < 100 ? 1_900 : 0)
            }
        }
        guard let time, time[2] < 60, let day, let month, let year, year >= 1_601 else { return nil }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = time.map(padded).joined(separator: ":")
        return HTTPDate.parse("Sun, \(padded(day)) \(month) \(year) \(clock) GMT", now: 0)
            .map { Date(timeIntervalSince1970: Double($0)) }
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The attributes after name and value, names in lower case. The last of several that can be read counts (sections
    /// 5.2.1 to 5.2.3).
    private static func attributes(of line: String) -> [Substring: Substring] {
        var attributes: [Substring: Substring] = [:]
        for part in line.split(separator: ";", omittingEmptySubsequences: false).dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (trimmed(Substring(pair[0].lowercased())), pair.count > 1 ? trimmed(pair[1]) : "")
            switch name {
            case "expires" where date(value) == nil, "max-age" where seconds(value) == nil,
                "domain" where value.isEmpty:
                continue
            default: attributes[name] = value
            }
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
