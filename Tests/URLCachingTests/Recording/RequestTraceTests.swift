import HTTPSemantics
import Testing

@testable import URLCaching

@Suite struct RequestTraceTests {
    private struct Line: Decodable {
        struct Request: Decodable {
            let method, uri: String
            let headers: [String: [String]]
        }
        let request: Request
        let ts: Double
    }

    @Test("a moment has all its microseconds, also where they begin with zeros", arguments: [0, 7, 1_000, 999_999])
    func moment(microseconds: Int64) throws {
        let answer = RecordedAnswer(method: "GET", status: 200, size: 1, requestFields: [:], responseFields: [:])
        var text: [UInt8] = []
        RequestTrace.append(answer, at: 5_000_000 + microseconds, to: &text)
        let line = try JSONDecoder().decode(Line.self, from: Data(text))
        #expect((line.ts * 1e6).rounded() == Double(5_000_000 + microseconds))
    }

    @Test("a moment before 1970 is written as 0", arguments: [-1, .min])
    func early(microseconds: Int64) throws {
        let answer = RecordedAnswer(method: "GET", status: 200, size: 1, requestFields: [:], responseFields: [:])
        var text: [UInt8] = []
        RequestTrace.append(answer, at: microseconds, to: &text)
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("{\"ts\":0.000000,"))
    }

    @Test("whatever bytes a request holds, its line is JSON, from which the same text is read")
    func hostileText() throws {
        let hostile = String(decoding: UInt8(0)..<128, as: UTF8.self) + "ä\u{2028}\r\n\"}"
        var answer = RecordedAnswer(
            method: hostile, status: 200, size: nil, requestFields: ["Pragma": hostile], responseFields: [:])
        answer.url = hostile
        var text: [UInt8] = []
        RequestTrace.append(answer, at: 1, to: &text)
        #expect(text.count { $0 == UInt8(ascii: "\n") } == 1 && text.last == UInt8(ascii: "\n"))
        let line = try JSONDecoder().decode(Line.self, from: Data(text))
        #expect(line.request.method == hostile && line.request.uri == hostile)
        #expect(line.request.headers == ["Pragma": [hostile]])
    }
}
