import HTTPSemantics
import Testing

@testable import URLCaching

/// Requests and responses between Foundation's types and HTTPSemantics'.
@Suite struct HTTPMessagesTests {
    @Test("equal requests have equal fields, in the order of their names")
    func order() throws {
        var request = URLRequest(url: try #require(URL(string: "https://example.com/a")))
        for name in ["B", "D", "A", "E", "C"] { request.setValue(name.lowercased(), forHTTPHeaderField: name) }
        #expect(HTTPRequest(request).headerFields == ["A": "a", "B": "b", "C": "c", "D": "d", "E": "e"])
        #expect(HTTPRequest(request).method == "GET" && HTTPRequest(request).url == "https://example.com/a")
    }

    @Test("the lines of one field keep their order")
    func lines() throws {
        var fields = HTTPFields()
        for value in ["one", "two", "three"] { fields.fields.append(.init(name: "X-List", value: value)) }
        let request = HTTPRequest(method: "PUT", url: "https://example.com/a", headerFields: fields)
        let made = try #require(URLRequest(request))
        let values = made.value(forHTTPHeaderField: "X-List")?.split(separator: ",")
        #expect(values?.map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two", "three"])
        #expect(made.httpMethod == "PUT" && made.url?.absoluteString == "https://example.com/a")
    }
}
