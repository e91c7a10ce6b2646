import HTTPSemantics
import LoopbackOrigin
import Testing
import URLCaching
import VirtualOrigin

/// Cookies are the session's, so that a cache can match them (RFC 9111, section 4.1; C9).
@Suite(.timeLimit(.minutes(60))) struct CookieTests {
    private let storage: HTTPCookieStorage
    private let bench: SessionBench

    init() throws {
        let settings = URLSessionConfiguration.ephemeral
        let storage = try #require(settings.httpCookieStorage)
        self.storage = storage
        bench = try SessionBench { configuration in
            configuration.urlSession.httpCookieStorage = storage
            configuration.urlSession.httpAdditionalHeaders = ["X-Additional": "yes"]
        }
    }

    @Test("the page of one login is never shown to the next") func logins() async throws {
        bench.origin.reply { request in
            switch request.path {
            case "/login?a": OriginReply([("Set-Cookie", "user=a; Path=/")], text: "in")
            case "/login?b": OriginReply([("Set-Cookie", "user=b; Path=/")], text: "in")
            default:
                OriginReply(
                    [("Cache-Control", "max-age=60"), ("Vary", "Cookie")], text: "page of \(request["Cookie"] ?? "-")")
            }
        }
        #expect(try await bench.get("/page").body == "page of -")
        _ = try await bench.get("/login?a")
        for _ in 0..<2 { #expect(try await bench.get("/page").body == "page of user=a") }
        _ = try await bench.get("/login?b")
        for _ in 0..<2 { #expect(try await bench.get("/page").body == "page of user=b") }
        #expect(bench.origin.count("/page") == 3, "each login's page was fetched once")
        let offline = bench.request("/page", policy: .returnCacheDataDontLoad)
        #expect(try await bench.get(offline).body == "page of user=b")
    }

    @Test("the page of one login is never shown to the next, also by a session that adds no fields")
    func loginsWithoutFields() async throws {
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let bench = try SessionBench { $0 = $0.with { $0.httpCookieStorage = storage } }
        bench.origin.reply { request in
            request.path.hasPrefix("/login")
                ? OriginReply([("Set-Cookie", "user=\(request.path.suffix(1)); Path=/")], text: "in")
                : OriginReply(
                    [("Cache-Control", "max-age=60"), ("Vary", "Cookie")], text: "page of \(request["Cookie"] ?? "-")")
        }
        #expect(try await bench.get("/page").body == "page of -")
        for user in ["a", "b", "a"] {
            _ = try await bench.get("/login?\(user)")
            for _ in 0..<2 { #expect(try await bench.get("/page").body == "page of user=\(user)") }
        }
        #expect(bench.origin.count("/page") == 3)
    }

    @Test("a cookie of another site than the page's is kept only where the storage takes it", arguments: [true, false])
    func mainDocument(isSame: Bool) async throws {
        storage.cookieAcceptPolicy = .onlyFromMainDocumentDomain
        bench.origin.reply { _ in OriginReply([("Set-Cookie", "k=v")], text: "in") }
        var request = bench.request("/a")
        request.mainDocumentURL = isSame ? request.url : URL(string: "http://other.example/")
        _ = try await bench.get(request)
        #expect((storage.cookies?.count ?? 0) == (isSame ? 1 : 0))
    }

    @Test("a scheme in capitals gets the same cookies", arguments: ["https", "HTTPS"])
    func schemeCase(scheme: String) async throws {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { request in
            .init(
                HTTPResponse(headerFields: ["Set-Cookie": "safe=b; Path=/; Secure"]),
                chunks: [Array((request.headerFields["Cookie"] ?? "none").utf8)])
        }
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let bench = try SessionBench(clock: clock, transport: origin) {
            $0 = $0.with { $0.httpCookieStorage = storage }
        }
        let url = try #require(URL(string: "\(scheme)://a.example/x"))
        for body in ["none", "safe=b"] { #expect(try await bench.get(URLRequest(url: url)).body == body) }
    }

    @Test("every cookie of an answer is kept, one to a line, whichever library carries it", arguments: [false, true])
    func severalCookies(byURLSession: Bool) async throws {
        let bench = try SessionBench { configuration in
            configuration.urlSession.httpCookieStorage = storage
            if byURLSession { configuration.carrier = .urlSession }
        }
        bench.origin.reply { request in
            request.path == "/login"
                ? OriginReply(
                    [
                        ("Set-Cookie", "a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT"), ("X-Between", "yes"),
                        ("Set-Cookie", "b=2"), ("Set-Cookie", "c=3"),
                    ], text: "in")
                : OriginReply(text: request["Cookie"] ?? "none")
        }
        _ = try await bench.get("/login")
        let sent = try await bench.get("/page").body
        #expect(sent.split(separator: "; ").sorted() == ["a=1", "b=2", "c=3"])
    }

    @Test("a session forgets a cookie by Max-Age=0, and sends no Secure cookie over http") func rules() async throws {
        bench.origin.reply { request in
            let fields: [(String, String)] =
                switch request.path {
                case "/login": [("Set-Cookie", "user=a; Path=/"), ("Set-Cookie", "safe=b; Path=/; Secure")]
                case "/logout": [("Set-Cookie", "user=; Path=/; Max-Age=0")]
                default: []
                }
            return OriginReply(fields, text: request["Cookie"] ?? "none")
        }
        for (path, sent) in [("/login", "none"), ("/page", "user=a"), ("/logout", "user=a"), ("/page", "none")] {
            let got = try await bench.get(path).body
            #expect(got == sent)
        }
    }

    @Test("cookies of a redirection are sent to where it leads, and none to another origin")
    func redirections() async throws {
        let other = try LoopbackOrigin { OriginReply(text: $0["Cookie"] ?? "none") }
        let target = other.base.replacing("127.0.0.1", with: "localhost")
        bench.origin.reply { request in
            switch request.path {
            case "/a": OriginReply(status: 302, [("Location", "/b"), ("Set-Cookie", "k=v")])
            case "/c": OriginReply(status: 302, [("Location", "\(target)/c")])
            default: OriginReply(text: request["Cookie"] ?? "none")
            }
        }
        #expect(try await bench.get("/a").body == "k=v")
        #expect(try await bench.get("/c").body == "none")
        #expect(try await bench.get("/c", ["Cookie": "own=1"]).body == "none")
    }

    @Test("a request's own Cookie field goes as it is, and one that wants no cookies gets none")
    func exceptions() async throws {
        bench.origin.reply { request in
            OriginReply([("Set-Cookie", "k=v")], text: request["Cookie"] ?? "none")
        }
        var request = bench.request("/a")
        request.httpShouldHandleCookies = false
        #expect(try await bench.get(request).body == "none")
        #expect(storage.cookies?.isEmpty != false)
        #expect(try await bench.get("/a").body == "none")
        #expect(try await bench.get("/a").body == "k=v")
        #expect(try await bench.get("/a", ["Cookie": "own=1"]).body == "own=1")
        #expect(try await bench.get(request).body == "none")
    }

    @Test("cookies of a rewritten request's answer are kept for the URL that the application asked for")
    func rewritten() async throws {
        let settings = URLSessionConfiguration.ephemeral
        let storage = try #require(settings.httpCookieStorage)
        let bench = try SessionBench { configuration in
            configuration.urlSession.httpCookieStorage = storage
            configuration.rewrite = { request in
                var request = request
                request.setValue("yes", forHTTPHeaderField: "X-Rewritten")
                return request
            }
        }
        bench.origin.reply { request in
            OriginReply(
                [("Set-Cookie", "k=v")],
                text: request["X-Rewritten"].map { "\($0) " + (request["Cookie"] ?? "") } ?? "-")
        }
        #expect(try await bench.get().body == "yes ")
        #expect(try await bench.get().body == "yes k=v")
    }

    @Test("a session that accepts no cookies keeps none, and one that sends none sends none", arguments: [false, true])
    func refused(accepts: Bool) async throws {
        let settings = URLSessionConfiguration.ephemeral
        let storage = try #require(settings.httpCookieStorage)
        let bench = try SessionBench { configuration in
            configuration.urlSession.httpCookieStorage = storage
            configuration.urlSession.httpCookieAcceptPolicy = accepts ? .always : .never
            configuration.urlSession.httpShouldSetCookies = !accepts
        }
        bench.origin.reply { request in OriginReply([("Set-Cookie", "k=v")], text: request["Cookie"] ?? "none") }
        for _ in 0..<2 { #expect(try await bench.get().body == "none") }
        #expect(storage.cookies?.count ?? 0 == (accepts ? 1 : 0))
    }

    @Test("a configuration's additional fields are sent, and matched by Vary") func additionalFields() async throws {
        bench.origin.reply { request in
            OriginReply(
                [("Cache-Control", "max-age=60"), ("Vary", "X-Additional")], text: request["X-Additional"] ?? "-")
        }
        for _ in 0..<2 {
            #expect(try await bench.get().body == "yes")
            #expect(try await bench.get("/a", ["X-Additional": "own"]).body == "own")
        }
        #expect(bench.origin.count() == 2)
    }

    @Test(
        "broken cookies do no harm",
        arguments: ["", "=", ";;;", "a", "a=b; Expires=never; Max-Age=-; Domain=..", "a=\u{7F}; Path"])
    func brokenCookies(field: String) async throws {
        bench.origin.reply { _ in OriginReply([("Set-Cookie", field)], text: "hello") }
        for _ in 0..<2 { #expect(try await bench.get().body == "hello") }
    }
}
