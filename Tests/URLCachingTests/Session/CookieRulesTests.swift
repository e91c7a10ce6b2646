import HTTPSemantics
import Testing

@testable import URLCaching

/// What Foundation on Linux leaves out of RFC 6265.
@Suite struct CookieRulesTests {
    @Test(
        "a cookie is kept for its host, or for a domain above it, and for no other (section 5.3)",
        arguments: [
            ("www.example.com", nil, "www.example.com"), ("www.example.com", "example.com", ".example.com"),
            ("www.example.com", ".Example.com", ".example.com"), ("example.com", "example.com", ".example.com"),
            ("example.com", "EXAMPLE.COM", ".example.com"), ("localhost", "localhost", "localhost"),
            ("example.com", "", "example.com"), ("example.com", "example.com; Domain=", ".example.com"),
            ("example.com", "com", nil), ("example.com", "ample.com", nil), ("example.com", "bank.com", nil),
            ("example.com", "www.example.com", nil), ("1.2.3.4", "3.4", nil), ("1.2.3.4", "1.2.3.4", "1.2.3.4"),
            ("WWW.Example.com", "example.com", ".example.com"),
            ("example.com", "..", nil),
        ] as [(String, String?, String?)])
    func domains(host: String, domain: String?, kept: String?) throws {
        let url = try #require(URL(string: "http://\(host)/"))
        let cookies = CookieRules.received("a=b" + (domain.map { "; Domain=\($0)" } ?? ""), from: url)
        #expect(cookies.map { $0.domain.lowercased() } == (kept.map { [$0] } ?? []))
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        storage.setCookies(cookies, for: url, mainDocumentURL: nil)
        #expect(storage.cookies(for: url)?.count ?? 0 == cookies.count)
        // A name that begins with a dot is that of the domains below, too (section 5.1.3).
        let below = try #require(URL(string: "http://a.\(host)/"))
        let isShared = kept?.hasPrefix(".") == true
        #expect(storage.cookies(for: below)?.count ?? 0 == (isShared ? 1 : 0))
    }

    @Test(
        "Max-Age comes before Expires, and dates of all three formats count",
        arguments: [
            ("Max-Age=100", 100), ("Max-Age=0; Expires=Fri, 01 Jan 2100 00:00:00 GMT", -1), ("max-age=-5", -1),
            ("Max-Age=99999999999999999999999", 3_155_760_000), ("Max-Age=1x", nil), ("Max-Age=", nil),
            ("Max-Age=100\t", 100), ("Max-Age\t= \t100 ", 100), ("Discard; Max-Age=100", 100), ("Max-Age=-", nil),
            ("Expires=Friday, 01-Jan-60 00:00:00 GMT", 1), ("Expires=Fri Jan  1 00:00:00 2100", 1),
            ("Expires=Thu, 01 Jan 1970 00:00:00 GMT", -1), ("Expires=never", nil), ("Secure", nil),
            ("expires=Wed, 21-Oct-60 07:28:00 GMT", 1), ("expires=Wed, 21-Oct-1960 07:28:00 GMT", -1),
            ("expires=2100 jan 1 0:0:0", 1), ("expires=07:28:00 21 October 99", -1), ("expires=Fri, 32 Jan 2100", nil),
            ("expires=31 Feb 2100 00:00:00", nil), ("expires=1 Jan 2100 24:00:00", nil), ("expires=1 Jan 2100", nil),
            ("expires=31 Dec 2100 08:49:37GMT", 1), ("expires=31 Dec 1990 08:49:37.5", -1),
            ("expires=31 Dec 2100 23:59:60", nil), ("expires=31 Dec 1600 00:00:00", nil),
            ("expires=31 Dec 2100 1:2:333", nil), ("Max-Age=100; Max-Age=x", 100), ("Max-Age=--5", nil),
            ("Expires=Fri, 01 Jan 2100 00:00:00 GMT; Expires=never", 1),
        ] as [(String, Double?)])
    func expiry(attribute: String, seconds: Double?) throws {
        let url = try #require(URL(string: "http://example.com/"))
        let cookie = try #require(CookieRules.received("a=b; \(attribute)", from: url).first)
        let left = cookie.expiresDate?.timeIntervalSinceNow
        switch seconds {
        case nil: #expect(left == nil)
        case -1: #expect(try #require(left) < 0)
        case 1: #expect(try #require(left) > 0)
        case let seconds?: #expect(abs(try #require(left) - seconds) < 60)
        }
    }

    @Test(
        "a line is one cookie, whatever its value, and its path is the request's directory unless it names one (5.2, 5.1.4)",
        arguments: [
            ("s=user=1,exp=9; Path=/app; Secure; HttpOnly", "s=user=1,exp=9 /app true true"),
            ("a=b, c=d", "a=b, c=d /dir false false"), (" a = b ;secure", "a=b /dir true false"),
            ("a=\"b\"; path=x", "a=\"b\" /dir false false"), ("a=; Path=/", "a= / false false"),
            ("a", nil), ("=b", nil), ("", nil),
        ] as [(String, String?)])
    func line(line: String, expected: String?) throws {
        let url = try #require(URL(string: "https://example.com/dir/page?x=/y/"))
        let cookies = CookieRules.received(line, from: url)
        let shown = cookies.map { "\($0.name)=\($0.value) \($0.path) \($0.isSecure) \($0.isHTTPOnly)" }
        #expect(shown == (expected.map { [$0] } ?? []))
    }

    @Test(
        "lines that URLSession has joined are told apart, and commas of dates and values are not taken for ends",
        arguments: [
            ("sid=abc, theme=dark; Path=/", ["sid=abc", " theme=dark; Path=/"]),
            (
                "a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT; HttpOnly, b=2,c=3",
                ["a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT; HttpOnly", " b=2", "c=3"]
            ),
            ("a=1, 2, 3; Secure", ["a=1, 2, 3; Secure"]), ("a=b", ["a=b"]), ("", [""]),
        ])
    func joined(text: String, lines: [String]) { #expect(CookieRules.lines(in: text) == lines) }

    @Test("a cookie that is called as an attribute is has none by that", arguments: ["Max-Age=100", "Expires=never"])
    func nameOfAttribute(line: String) throws {
        let url = try #require(URL(string: "http://example.com/"))
        let cookie = try #require(CookieRules.received("\(line); Path=/", from: url).first)
        #expect(cookie.expiresDate == nil && "\(cookie.name)=\(cookie.value)" == line)
    }

    @Test("Secure and HttpOnly stay as the origin said", arguments: [false, true], [false, true])
    func marks(isSecure: Bool, isHTTPOnly: Bool) throws {
        let url = try #require(URL(string: "https://example.com/"))
        let line = "a=b; Max-Age=100\(isSecure ? "; Secure" : "")\(isHTTPOnly ? "; HttpOnly" : "")"
        let cookie = try #require(CookieRules.received(line, from: url).first)
        #expect(cookie.isSecure == isSecure && cookie.isHTTPOnly == isHTTPOnly)
    }

    @Test("a logout that sets Max-Age=0 removes the cookie") func logout() throws {
        let url = try #require(URL(string: "http://example.com/"))
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        for (line, count) in [("user=a", 1), ("user=; Max-Age=0", 0)] {
            storage.setCookies(CookieRules.received(line, from: url), for: url, mainDocumentURL: nil)
            #expect(storage.cookies?.count ?? 0 == count)
        }
    }

    @Test(
        "a cookie is sent to its path, Secure over https alone, and never after its time (section 5.4)",
        arguments: [
            ("http://example.com/", "root"), ("https://example.com/", "root secure"),
            ("http://example.com/a", "a root"), ("http://example.com/a/", "a root"),
            ("http://example.com/a/b?c", "a root"), ("http://example.com/ab", "root"), ("http://example.com", "root"),
        ])
    func sent(url: String, names: String) throws {
        let url = try #require(URL(string: url))
        let cookies = [
            ("root", "/", nil, nil), ("a", "/a", nil, nil), ("secure", "/", true, nil), ("old", "/", nil, -1),
        ]
        .compactMap { (name: String, path: String, isSecure: Bool?, seconds: Double?) in
            var properties: [HTTPCookiePropertyKey: Any] = [
                .name: name, .value: "v", .domain: "example.com", .path: path,
            ]
            if isSecure == true { properties[.secure] = "TRUE" }
            properties[.expires] = seconds.map { Date(timeIntervalSinceNow: $0) }
            return HTTPCookie(properties: properties)
        }
        // The longest path comes first, then the name, in whichever order they are kept: `Vary: Cookie` compares.
        for kept in [cookies, cookies.reversed()] {
            let sent = CookieRules.sent(kept, to: url).map(\.name)
            #expect(sent == (names.split(separator: " ").map(String.init)))
        }
    }

    @Test("of a site that has come to have more than 180 cookies, those that end first go, then those with a long name")
    func surplus() throws {
        let url = try #require(URL(string: "https://example.com/"))
        func cookies(_ range: Range<Int>, _ attributes: String = "") -> [HTTPCookie] {
            range.flatMap { CookieRules.received("c\($0)=\($0)\(attributes)", from: url) }
        }
        let (ending, endless) = (cookies(0..<2, "; Max-Age=900"), cookies(2..<180))
        let long = CookieRules.received("correlation.0123=1", from: url)
        func gone(_ stored: [HTTPCookie], over before: Int, keeping new: [HTTPCookie]) -> Set<String> {
            Set(CookieRules.surplus(of: stored, over: before, keeping: new).map(\.name))
        }
        let session = CookieRules.received("session=s", from: url)
        #expect(gone(ending + endless, over: 179, keeping: session) == [])
        #expect(gone(ending + endless + session, over: 180, keeping: session).count == 1)
        #expect(gone(ending + endless + long + session, over: 180, keeping: session) == ["c0", "c1"])
        #expect(gone(endless + long + session + cookies(200..<201), over: 180, keeping: session) == [long[0].name])
        // What is new stays, although it ends first.
        #expect(gone(ending + endless + long, over: 180, keeping: ending) == [long[0].name])
        // An application may have put in any number itself.
        #expect(gone(cookies(0..<300), over: 300, keeping: cookies(0..<5)) == [])
    }

    @Test(
        "of one answer the last 50 cookies are kept, and a login is kept however many cookies its site has set before")
    func login() throws {
        let url = try #require(URL(string: "https://example.com/"))
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        let cookies = SessionCookies(configuration)
        func answer(_ lines: [String]) {
            let fields = HTTPFields(lines.map { HTTPFields.Field(name: "Set-Cookie", value: $0) })
            cookies.store(HTTPResponse(headerFields: fields), to: URLRequest(url: url), mayBeJoined: false)
        }
        answer((0..<60).map { "first\($0)=1" })
        #expect(Set(storage.cookies(for: url)?.map(\.name) ?? []) == Set((10..<60).map { "first\($0)" }))
        for round in 0..<4 { answer((0..<50).map { "correlation.\(round).\($0)=1; Max-Age=900" }) }
        answer(["session=s"])
        let names = storage.cookies(for: url)?.map(\.name) ?? []
        #expect(names.count == 180 && names.contains("session") && names.contains("first10"))
        answer((0..<180).map { "old\($0)=; Max-Age=0" })
        #expect(storage.cookies(for: url)?.count == 180)
    }
}
