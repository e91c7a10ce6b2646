import CacheTiers
import HTTPSemantics
import Testing

@testable import URLCaching

/// Requests and responses between Foundation's types and HTTPSemantics'.
@Suite struct HTTPMessagesTests {
    @Test("equal requests have equal fields, in the order of their names") func order() throws {
        var request = URLRequest(url: try #require(URL(string: "https://example.com/a")))
        for name in ["B", "D", "A", "E", "C"] { request.setValue(name.lowercased(), forHTTPHeaderField: name) }
        #expect(HTTPRequest(request).headerFields == ["A": "a", "B": "b", "C": "c", "D": "d", "E": "e"])
        #expect(HTTPRequest(request).method == "GET" && HTTPRequest(request).url == "https://example.com/a")
    }

    @Test("a request without a URL has an empty one, and what is no URL makes no request") func noURL() throws {
        var request = URLRequest(url: try #require(URL(string: "https://example.com/a")))
        request.url = nil
        #expect(HTTPRequest(request) == HTTPRequest(method: "GET", url: ""))
        #expect(URLRequest(HTTPRequest(url: "http://[x")) == nil)
    }

    @Test("a response of another protocol has no status") func notHTTP() throws {
        let url = try #require(URL(string: "ftp://example.com/a"))
        #expect(
            HTTPResponse(URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)) == nil)
    }

    @Test("GET alone may be stored", arguments: [("GET", true), ("HEAD", false), ("POST", false), ("get", false)])
    func canBeStored(method: String, expected: Bool) throws {
        var request = URLRequest(url: try #require(URL(string: "https://example.com/a")))
        #expect(request.canBeStored)
        request.httpMethod = method
        #expect(request.canBeStored == (expected || request.httpMethod == "GET"))
    }

    @Test("a policy of storage is the one of the same name") func storagePolicies() {
        for (one, other) in [
            (.allowed, .allowed), (.allowedInMemoryOnly, .allowedInMemoryOnly), (.notAllowed, .notAllowed),
        ] as [(StoragePolicy, URLCache.StoragePolicy)] {
            #expect(StoragePolicy(other) == one && URLCache.StoragePolicy(one) == other)
        }
    }

    @Test("the lines of one field keep their order") func lines() throws {
        var fields = HTTPFields()
        for value in ["one", "two", "three"] { fields.fields.append(.init(name: "X-List", value: value)) }
        let request = HTTPRequest(method: "PUT", url: "https://example.com/a", headerFields: fields)
        let made = try #require(URLRequest(request))
        let values = made.value(forHTTPHeaderField: "X-List")?.split(separator: ",")
        #expect(values?.map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two", "three"])
        #expect(made.httpMethod == "PUT" && made.url?.absoluteString == "https://example.com/a")
    }

    @Test("of a type or a disposition Foundation gets 4 KB, since it takes a time by their square, and of others all")
    func longFields() throws {
        let (type, other) = (
            "text/plain; x=" + String(repeating: "a", count: 300_000), String(repeating: "b", count: 300_000)
        )
        let response = HTTPResponse(
            status: 200, headerFields: ["content-TYPE": type, "Content-Disposition": type, "X-Other": other])
        let url = try #require(URL(string: "https://example.com/a"))
        let made = try #require(HTTPURLResponse(response, url: url))
        #expect(made.mimeType == "text/plain" && made.value(forHTTPHeaderField: "X-Other") == other)
        for name in ["Content-Type", "Content-Disposition"] {
            #expect(made.value(forHTTPHeaderField: name) == String(type.prefix(4_096)))
        }
    }
}
