import HTTPSemantics
import Testing

@Suite("Resumption") struct ResumptionTests {
    @Test(
        "a download is continued only by a strong validator",
        arguments: [
            // status, fields of the interrupted response, bytes received, If-Range
            (200, "ETag: \"x\"", 5, "\"x\""),
            (200, "ETag: \"x\"\nContent-Length: 6", 5, "\"x\""),
            (200, "ETag: \"x\"\nLast-Modified: {-100}\nDate: {0}", 1, "\"x\""),
            (200, "ETag: \"x\"\nAccept-Ranges: bytes", 5, "\"x\""),
            (200, "Last-Modified: {-60}\nDate: {0}", 5, "Fri, 15 Jan 2027 07:59:00 GMT"),
            (200, "ETag: \nLast-Modified: {-60}\nDate: {0}", 5, "Fri, 15 Jan 2027 07:59:00 GMT"),
            (200, "ETag: \"x\"", Int64.max, nil),
            (200, "ETag: \"x\"", 0, nil),
            (200, "ETag: \"x\"", -5, nil),
            (200, "ETag: \"x\"\nContent-Length: 5", 5, nil),
            (200, "ETag: \"x\"\nContent-Length: 4", 5, nil),
            (200, "ETag: \"x\"\nAccept-Ranges: None", 5, nil),
            (200, "ETag: \"x\"\nContent-Encoding: gzip", 5, nil),
            (200, "ETag: W/\"x\"", 5, nil),
            (200, "ETag: W/\"x\"\nLast-Modified: {-100}\nDate: {0}", 5, nil),
            (200, "ETag: unquoted", 5, nil),
            (200, "Last-Modified: {-59}\nDate: {0}", 5, nil),
            (200, "Last-Modified: {-100}", 5, nil),
            (200, "Last-Modified: last week\nDate: {0}", 5, nil),
            (200, "", 5, nil),
            (206, "ETag: \"x\"", 5, nil),
            (404, "ETag: \"x\"", 5, nil),
        ] as [(Int, String, Int64, String?)])
    func aDownloadIsContinued(status: Int, fields: String, received: Int64, validator: String?) {
        let sent = Resumption.fields(received: received, of: response(fields, status: status), responseTime: receipt)
        #expect(sent?.map(\.value) == validator.map { ["bytes=\(received)-", $0] })
        if let sent { #expect(sent.map(\.name) == ["Range", "If-Range"]) }
    }

    @Test(
        "206 continues where it fits and 200 starts over",
        arguments: [
            (206, "Content-Range: bytes 5-9/10", .continues),
            (206, "Content-Range: bytes 5-7/10", .continues),
            (206, "Content-Range: bytes 5-9/10\nContent-Length: 5", .continues),
            (206, "Content-Range: bytes 5-9/10\nContent-Length: 3", .doesNotFit),
            (206, "Content-Range: bytes 5-7/10\nContent-Length: 5", .doesNotFit),
            (206, "Content-Range: bytes 5-9/*", .continues),
            (206, "Content-Range: bytes 5-9/10\nETag: \"x\"\nLast-Modified: {-100}", .continues),
            (206, "Content-Range: bytes 5-9/10\nETag: \"y\"", .doesNotFit),
            (206, "Content-Range: bytes 5-9/10\nETag: W/\"x\"", .doesNotFit),
            (206, "Content-Range: bytes 5-9/10\nLast-Modified: {-50}", .doesNotFit),
            (206, "Content-Range: bytes 5-9/10\nContent-Encoding: gzip", .doesNotFit),
            (206, "Content-Range: bytes 5-10/11", .doesNotFit),
            (206, "Content-Range: bytes 4-9/10", .doesNotFit),
            (206, "Content-Range: bytes 6-9/10", .doesNotFit),
            (206, "Content-Range: bytes 0-9/10", .doesNotFit),
            (206, "Content-Range: bytes */10", .doesNotFit),
            (206, "Content-Range: lines 5-9/10", .doesNotFit),
            (206, "Content-Range: bytes 5-9", .doesNotFit),
            (206, "Content-Type: multipart/byteranges; boundary=x", .doesNotFit),
            (200, "", .startsOver),
            (200, "Content-Range: bytes 5-9/10", .startsOver),
            (416, "Content-Range: bytes */5", .doesNotFit),
            (304, "", .other), (404, "", .other), (302, "Location: /b", .other), (503, "", .other),
        ] as [(Int, String, Resumption.Answer)])
    func status206ContinuesWhereItFits(status: Int, fields: String, answer: Resumption.Answer) {
        let before = header("Content-Length: 10\nETag: \"x\"\nLast-Modified: {-100}")
        #expect(Resumption.decide(response(fields, status: status), received: 5, of: before) == answer)
    }

    @Test(
        "a continuation is the rest if it reaches the end of the whole, or nothing tells where that is",
        arguments: [
            ("bytes 5-9/10", "", true), ("bytes 5-8/10", "", false), ("bytes 5-8/*", "", true),
            ("bytes 5-8/*", "Content-Length: 10", false), ("bytes 5-9/*", "Content-Length: 10", true),
        ])
    func rest(range: String, fields: String, isRest: Bool) {
        #expect(Resumption.isRest(["Content-Range": range], of: header(fields)) == isRest)
    }

    @Test("a continued download has the newer fields and stays the whole") func aContinuedDownloadHasTheNewer() {
        let joined = Resumption.joined(
            header("Content-Length: 10\nContent-Type: a/b\nETag: \"x\"\nA: 1"),
            with: header("Content-Range: bytes 5-9/10\nContent-Length: 5\nContent-Type: c/d\nETag: \"x\"\nA: 2"))
        #expect(joined == header("Content-Length: 10\nContent-Type: c/d\nETag: \"x\"\nA: 2"))
    }
}
