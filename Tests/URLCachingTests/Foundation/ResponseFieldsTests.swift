import HTTPSemantics
import Testing

@testable import URLCaching

@Suite("Fields of an HTTPURLResponse") struct ResponseFieldsTests {
    @Test("lines of one name are joined in order, whatever their case", arguments: [0, 28, 29, 30, 200])
    func joined(others: Int) throws {
        var fields: HTTPFields = ["Via": "1.0 a", "Content-Type": "text/plain", "VIA": "1.1 b"]
        for number in 0..<others { fields.fields.append(.init(name: .init("X-\(number)"), value: "\(number)")) }
        fields.fields.append(.init(name: "via", value: "2 c"))
        let url = try #require(URL(string: "http://origin.test/"))
        let response = try #require(HTTPURLResponse(HTTPResponse(status: 203, headerFields: fields), url: url))
        #expect(response.value(forHTTPHeaderField: "Via") == "1.0 a, 1.1 b, 2 c")
        #expect(response.allHeaderFields.count == others + 2)
        for number in 0..<others { #expect(response.value(forHTTPHeaderField: "x-\(number)") == "\(number)") }
        #expect(response.statusCode == 203)
    }

    @Test("an HTTPURLResponse's fields are read back, each once") func readBack() throws {
        let url = try #require(URL(string: "http://origin.test/"))
        let given = ["Etag": "\"1\"", "X-Empty": "", "Content-Type": "text/plain; charset=utf-8"]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 404, httpVersion: "HTTP/1.1", headerFields: given))
        let read = HTTPResponse(response)
        #expect(read.status == 404)
        #expect(read.headerFields.fields.count == given.count)
        for (name, value) in given { #expect(read.headerFields[HTTPFields.Name(name)] == value) }
    }
}
