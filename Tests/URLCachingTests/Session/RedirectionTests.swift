import HTTPSemantics
import Testing

@testable import URLCaching

/// The request that follows a redirection, by the table of RFC 9110, section 15.4, and the Fetch standard.
@Suite struct RedirectionTests {
    private static let statuses = [301, 302, 303, 307, 308]
    private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE"]

    private static func next(
        _ status: Int, _ method: String = "GET", from old: String = "http://a.example/x", to location: String = "/y",
        _ fields: [String] = []
    ) throws -> URLRequest? {
        var request = URLRequest(url: try #require(URL(string: old)))
        request.httpMethod = method
        request.httpBody = Data("text".utf8)
        for name in fields { request.setValue("v", forHTTPHeaderField: name) }
        let response = HTTPResponse(status: status, headerFields: ["Location": location])
        return Redirection.request(after: response, to: request)
    }

    @Test("303 makes every method but HEAD a GET, 301 and 302 make a POST one, and 307 and 308 change nothing")
    func methods() throws {
        let ofBody = [
            "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Expect",
        ]
        for status in Self.statuses {
            for method in Self.methods {
                let next = try #require(try Self.next(status, method, ofBody + ["Accept"]))
                let isGet = status == 303 ? method != "HEAD" : status < 303 && method == "POST"
                #expect(next.httpMethod == (isGet ? "GET" : method), "\(status) \(method)")
                #expect(next.httpBody == (isGet ? nil : Data("text".utf8)), "\(status) \(method)")
                for name in ofBody {
                    #expect((next.value(forHTTPHeaderField: name) == nil) == isGet, "\(name): \(status) \(method)")
                }
                #expect(next.value(forHTTPHeaderField: "Accept") == "v")
            }
        }
    }

    @Test(
        "what was meant for one origin does not follow to another scheme, host or port",
        arguments: [
            ("http://a.example/x", "/y", true), ("http://a.example/x", "http://A.example:80/y", true),
            ("https://a.example/x", "https://a.example:443/", true),
            ("http://a.example/x", "https://a.example/x", false),
            ("http://a.example/x", "http://a.example:81/x", false), ("http://a.example/x", "http://b.example/x", false),
            ("http://a.example:443/x", "https://a.example/x", false),
            ("http://a.example/x", "http://a.example.b.example/x", false),
        ])
    func origins(old: String, location: String, isSame: Bool) throws {
        let names = ["Authorization", "Cookie", "Host", "Proxy-Authorization"]
        let next = try #require(try Self.next(302, from: old, to: location, names + ["Accept"]))
        for name in names { #expect((next.value(forHTTPHeaderField: name) != nil) == isSame, "\(name)") }
        #expect(next.value(forHTTPHeaderField: "Accept") == "v")
    }

    @Test("bytes above ASCII in a Location are percent-encoded as they came, in UTF-8 or not")
    func locationBytes() throws {
        func target(_ bytes: [UInt8]) throws -> String? {
            try Self.next(302, to: String(fieldBytes: Array("/caf".utf8) + bytes + Array("%20?a".utf8)))?.url?
                .absoluteString
        }
        #expect(try target([0xE9]) == "http://a.example/caf%E9%20?a")
        #expect(try target(Array("é".utf8)) == "http://a.example/caf%C3%A9%20?a")
    }

    @Test(
        "a host in UTF-8 is encoded as a name, and the rest byte by byte",
        arguments: [
            ("http://bücher.example/ü?ü", "http://xn--bcher-kva.example/%C3%BC?%C3%BC"),
            ("//bücher.example:81/a//b", "http://xn--bcher-kva.example:81/a//b"),
            ("http://ü@bücher.example/", "http://%C3%BC@xn--bcher-kva.example/"),
            ("/a//ü", "http://a.example/a//%C3%BC"),
            ("//b.example/a", "http://b.example/a"),
            ("//b.example", "http://b.example"),
        ])
    func hosts(location: String, target: String) throws {
        let sent = String(fieldBytes: Array(location.utf8))
        #expect(try Self.next(302, to: sent)?.url?.absoluteString == target)
    }

    @Test(
        "a Location that comes twice with one value is one, and one that differs is none",
        arguments: [
            (["/y", "/y"], "http://a.example/y"), (["/y, /y"], "http://a.example/y"), (["/y", "/z"], nil),
            (["/y", "/y", "/y"], "http://a.example/y"), (["/y,/y"], "http://a.example/y,/y"),
        ] as [([String], String?)])
    func severalLocations(values: [String], target: String?) throws {
        let fields = HTTPFields(values.map { HTTPFields.Field(name: "Location", value: $0) })
        let request = URLRequest(url: try #require(URL(string: "http://a.example/x")))
        let response = HTTPResponse(status: 302, headerFields: fields)
        #expect(Redirection.request(after: response, to: request)?.url?.absoluteString == target)
    }

    @Test("another status is no redirection, nor is one without a Location", arguments: [200, 300, 304, 305, 306, 404])
    func others(status: Int) throws {
        #expect(try Self.next(status) == nil)
        var response = HTTPResponse(status: 302)
        response.headerFields["Refresh"] = "0"
        let request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        #expect(Redirection.request(after: response, to: request) == nil)
    }
}
