import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// A field `Host` of the application's own names the site that a URL with an address is for.
@Suite struct HostKeyTests {
    private static let url = "http://203.0.113.7/a"

    private func request(_ host: String?, _ fields: HTTPFields = [:], url: String = Self.url) -> HTTPRequest {
        var fields = fields
        fields["host"] = host
        return HTTPRequest(url: url, headerFields: fields)
    }

    @Test(
        "two requests have one key if they name the same site",
        arguments: [
            (url, "a.example", url, "a.example", true), (url, "a.example", url, "A.Example:80", true),
            (url, "a.example", url, "b.example", false), (url, "a.example", url, nil, false),
            (url, nil, url, "203.0.113.7", true), (url, nil, url, "203.0.113.7:080", true),
            (url, nil, url, "203.0.113.7:8080", false), (url, "a.example", "http://a.example/a", nil, false),
            ("https://a.example/a", nil, "https://a.example/a", "a.example:443", true),
            ("https://a.example/a", nil, "https://a.example/a", "a.example:80", false),
            ("https://a.example:8443/a", nil, "https://a.example:8443/a", "A.EXAMPLE:8443", true),
            ("https://a.example:8443/a", nil, "https://a.example:8443/a", "a.example", false),
            ("http://[::1]:81/a", nil, "http://[::1]:81/a", "[::1]:81", true),
            ("http://a.example/", nil, "http://a.example/", "a.example#b", false),
            ("http://a.example/", nil, "http://a.example/", "a.example/", false),
            ("http://a.example/", nil, "http://a.example/", "a.example?", false),
            ("http://a.example/", nil, "http://a.example/", "me@a.example", false),
            ("http://a.example/", nil, "http://a.example/", "", false),
            (url, "no host", url, "No Host", true), (url, "no host", url, "none", false),
        ] as [(String, String?, String, String?, Bool)])
    func sites(url: String, host: String?, other: String, otherHost: String?, isOne: Bool) throws {
        let store = try makeStore()
        store.put("hello", for: request(host, url: url))
        #expect(store.lookup(request(host, url: url)) != nil)
        #expect((store.lookup(request(otherHost, url: other)) != nil) == isOne)
        store.put("other", for: request(otherHost, url: other))
        #expect(store.tiers.memory.count == (isOne ? 1 : 2))
    }

    @Test("a removal is one site's, with its variants, and a key hook tells its requests apart") func removal() throws {
        let store = try makeStore { $0.headerFields["X-User"] }
        let varying = HTTPResponse(headerFields: ["Cache-Control": "max-age=60", "Vary": "Accept"])
        let one = request("a.example", ["Accept": "text/html"])
        let two = request("b.example", ["Accept": "text/html"])
        let user = request("a.example", ["Accept": "text/html", "X-User": "me"])
        // The hook's text is no site's name.
        let named = request(nil, ["Accept": "text/html", "X-User": "a.example"])
        for (number, request) in [one, two, user, named].enumerated() {
            store.put("\(number)", varying, for: request)
        }
        for (number, request) in [one, two, user, named].enumerated() {
            #expect(store.lookup(request)?.withBody { Array($0) } == Array("\(number)".utf8))
        }
        #expect(try store.remove(one))
        #expect(store.lookup(one) == nil)
        for request in [two, user, named] { #expect(store.lookup(request) != nil) }
    }

    @Test("sites behind one address share neither a stored answer nor a fetch, and a POST removes one site's")
    func engine() throws {
        let bench = try Bench()
        bench.origin.reply { request in
            .init(
                HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]),
                chunks: [Array((request.headerFields["Host"] ?? "none").utf8)])
        }
        for _ in 0..<2 {
            for host in ["a.example", "b.example", nil] {
                #expect(try bench.get(host.map { ["Host": $0] } ?? [:]).body == host ?? "none")
            }
        }
        #expect(bench.origin.requests.count == 3)
        _ = try bench.get(["Host": "a.example"], method: "POST")
        for host in ["b.example", "a.example"] { _ = try bench.get(["Host": host]) }
        #expect(bench.origin.requests.count == 5)
    }

    @Test("a POST invalidates what its answer names by the site's name, for that site alone") func named() throws {
        let bench = try Bench()
        bench.origin.reply { request in
            request.method == "POST"
                ? .init(HTTPResponse(headerFields: ["Location": "http://a.example/list"]))
                : .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[1]])
        }
        let hosts: [HTTPFields] = [["Host": "a.example"], ["Host": "b.example"], [:]]
        for fields in hosts { _ = try bench.get(fields, url: "http://203.0.113.7/list") }
        _ = try bench.get(["Host": "a.example"], method: "POST", url: "http://203.0.113.7/x")
        let found = hosts.map {
            bench.store.lookup(HTTPRequest(url: "http://203.0.113.7/list", headerFields: $0)) != nil
        }
        #expect(found == [false, true, true])
    }

    @Test("a POST with user information in its URL invalidates what the URL stands for") func userInformation() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        _ = try bench.get(method: "POST", url: Bench.url.replacing("//", with: "//me:secret@"))
        #expect(!bench.isStored())
    }
}
