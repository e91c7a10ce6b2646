import HTTPSemantics
import Testing

@Suite("Invalidation") struct InvalidationTests {
    static let unsafeMethods = ["POST", "PUT", "DELETE", "PATCH", "BREW", "get", "PROPFIND"]

    @Test(
        "an unsafe or unknown method invalidates its URL when the answer is no error", arguments: unsafeMethods,
        [200, 201, 204, 301, 302, 303, 307, 308, 399])
    func anUnsafeOrUnknownMethodInvalidates(method: String, status: Int) {
        #expect(Invalidation.targets(request(method: method), response(status: status)) == ["https://example.org/a"])
    }

    @Test("an error invalidates nothing", arguments: unsafeMethods, [100, 199, 400, 404, 409, 500, 503, 600])
    func anErrorInvalidatesNothing(method: String, status: Int) {
        #expect(Invalidation.targets(request(method: method), response("Location: /b", status: status)).isEmpty)
    }

    @Test("a safe method invalidates nothing", arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func aSafeMethodInvalidatesNothing(method: String) {
        #expect(Invalidation.targets(request(method: method), response("Location: /b")).isEmpty)
    }

    @Test(
        "Location and Content-Location of the same origin are invalidated too",
        arguments: [
            // URL of the request, Location, URLs that go beside the request's own
            ("https://example.org/a", "https://example.org/b", "https://example.org/b"),
            ("https://example.org/a", "HTTPS://EXAMPLE.org:443/b", "https://EXAMPLE.org:443/b"),
            ("https://example.org:8080/a", "//example.org:8080/b", "https://example.org:8080/b"),
            ("https://example.org/a?q", "/b?x=1#part", "https://example.org/b?x=1"),
            ("https://example.org/d/e/f", "g", "https://example.org/d/e/g"),
            ("https://example.org/d/e/f", "../g/./h", "https://example.org/d/g/h"),
            ("https://example.org/d/e/f", "../../../../g", "https://example.org/g"),
            ("https://example.org/d/e/f", "?y", "https://example.org/d/e/f?y"),
            ("https://example.org/d/e/f", "g?", "https://example.org/d/e/g?"),
            ("https://example.org/d/e/f", "..", "https://example.org/d/"),
            ("https://example.org", "g", "https://example.org/g"),
            ("https://[::1]/a", "https://[::1]:443/b", "https://[::1]:443/b"),
            ("https://example.org:65535/a", "/b", "https://example.org:65535/b"),
            ("https://example.org/a", "/a%2Fb", "https://example.org/a%2Fb"),
            ("https://example.org/a", "/x//y", "https://example.org/x//y"),
            // Not a scheme, which has letters and digits only.
            ("https://example.org/a", "x[y:z", "https://example.org/x[y:z"),
            // Responses of another origin are not invalidated.
            ("https://example.org/a", "https://example.com/b", nil),
            ("https://example.org/a", "http://example.org/b", nil),
            ("https://example.org/a", "https://example.org:8443/b", nil),
            ("https://example.org/a", "//example.org.evil.test/b", nil),
            ("https://example.org/a", "https://user@example.org/b", nil),
            ("https://example.org/a", "https://example.org:x/b", nil),
            ("https://example.org/a", "https://example.org:99999/b", nil),
            ("https://example.org/a", "https://example.org:18446744073709552059/b", nil),
            ("https://example.org/a", "mailto:a@example.org", nil),
            ("https://example.org/a", "https:", nil),
            ("https://example.org/a", "https:///b", nil),
            // A text that is not a URL, and the URL itself.
            ("https://example.org/a", "/b c", nil),
            ("https://example.org/a", "/\u{e9}", nil),
            ("https://example.org/a", "/\u{7f}", nil),
            ("https://example.org/a", "", nil),
            ("https://example.org/a", "/a", nil),
            ("https://example.org/a", "#part", nil),
            ("https://example.org/a?q", "#part", nil),
            ("https://example.org:65536/a", "/b", nil),
            ("ftp://example.org/a", "/b", nil),
        ] as [(String, String, String?)])
    func locationAndContentLocation(url: String, location: String, target: String?) {
        for name in ["Location", "Content-Location"] {
            let targets = Invalidation.targets(request(method: "POST", url: url), response("\(name): \(location)"))
            #expect(targets == [url] + (target.map { [$0] } ?? []))
        }
    }

    @Test(
        "the origin is the one that Host names, and what is removed is under the authority of the URL",
        arguments: [
            ("http://203.0.113.7/a", "a.example", "http://a.example/b", "http://203.0.113.7/b"),
            ("http://203.0.113.7:81/a", "A.example:80", "http://a.example/b", "http://203.0.113.7:81/b"),
            ("http://203.0.113.7/a", "a.example", "/b", "http://203.0.113.7/b"),
            ("http://203.0.113.7/a", "a.example", "http://203.0.113.7/b", nil),
            ("http://203.0.113.7/a", "a.example", "http://b.example/b", nil),
            ("http://203.0.113.7/a", "a.example:81", "http://a.example/b", nil),
            ("http://203.0.113.7/a", "a.example", "http://a.example/a", nil),
            ("https://example.org/a", "example.org", "https://example.org/b", "https://example.org/b"),
            ("https://example.org/a", "", "/b", nil),
        ] as [(String, String, String, String?)])
    func host(url: String, host: String, location: String, target: String?) {
        var request = request(method: "POST", url: url)
        request.headerFields["Host"] = host
        let targets = Invalidation.targets(request, response("Location: \(location)"))
        #expect(targets == [url] + (target.map { [$0] } ?? []))
    }

    @Test(
        "user information is no part of the target",
        arguments: [
            ("https://me:a@b@example.org/a#c", "/b", ["https://example.org/a", "https://example.org/b"]),
            ("https://@example.org/a", "/b", ["https://example.org/a", "https://example.org/b"]),
            ("https://me@example.org", "https://me@example.org/b", ["https://example.org"]),
            ("https://example.org/a@b", "c", ["https://example.org/a@b", "https://example.org/c"]),
        ])
    func userInformation(url: String, location: String, expected: [String]) {
        let targets = Invalidation.targets(request(method: "POST", url: url), response("Location: \(location)"))
        #expect(targets == expected)
    }

    @Test("one URL is invalidated once") func oneURLIsInvalidatedOnce() {
        let targets = Invalidation.targets(request(method: "POST"), response("Location: /b\nContent-Location: /b"))
        #expect(targets == ["https://example.org/a", "https://example.org/b"])
    }
}
