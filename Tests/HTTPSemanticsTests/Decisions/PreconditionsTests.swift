import HTTPSemantics
import Testing

/// The application's own conditions and range, against a fresh stored response (RFC 9110, sections 13.2.2 and 14.2).
@Suite struct PreconditionsTests {
    /// The stored response, 10 bytes long.
    static let stored = "ETag: \"x\"\nDate: {0}\nLast-Modified: {-100}"

    @Test(
        "If-None-Match is compared weakly, and stands before If-Modified-Since (C8)",
        arguments: [
            ("If-None-Match: \"x\"", .notModified), ("If-None-Match: W/\"x\"", .notModified),
            ("If-None-Match: \"y\", W/\"x\"", .notModified), ("If-None-Match: *", .notModified),
            ("If-None-Match: \"y\"\nIf-None-Match: \"x\"", .notModified), ("If-None-Match: \"y\"", .whole),
            ("If-None-Match: x", .whole), ("If-None-Match: ", .whole), ("If-None-Match: y, \"x\"", .whole),
            ("If-None-Match: \"y\"\nIf-Modified-Since: {0}", .whole),
            ("If-None-Match: \"x\"\nIf-Modified-Since: {-1000}", .notModified),
        ] as [(String, Preconditions.Answer)])
    func ifNoneMatch(request: String, answer: Preconditions.Answer) {
        #expect(evaluate(request, Self.stored) == answer)
    }

    @Test(
        "If-Modified-Since is compared with Last-Modified, else Date, else the time of receipt (C8)",
        arguments: [
            ("{-100}", stored, true), ("{-99}", stored, true), ("{-101}", stored, false),
            ("Friday, 15-Jan-27 08:00:00 GMT", stored, true), ("Fri Jan 15 08:00:00 2027", stored, true),
            ("{-5}", "Date: {-5}", true), ("{-6}", "Date: {-5}", false), ("{0}", "", true), ("{-1}", "", false),
            ("yesterday", stored, false), ("{0}, {0}", stored, false),
            ("Fri, 15 Jan 2027 08:00:00 UTC", stored, false), ("{0}", "Last-Modified: soon\nDate: {-5}", true),
            ("Mon, 01 Jan 1900 00:00:00 GMT", "Date: Mon, 01 Jan 1900 00:00:00 GMT", true),
        ])
    func ifModifiedSince(value: String, stored: String, isNotModified: Bool) {
        #expect(evaluate("If-Modified-Since: \(value)", stored) == (isNotModified ? .notModified : .whole))
    }

    @Test("a star names a stored response without a tag, and a tag does not") func withoutTag() {
        #expect(evaluate("If-None-Match: *", "A: 1") == .notModified)
        #expect(evaluate("If-None-Match: \"\"", "A: 1") == .whole)
    }

    @Test(
        "a single range selects a part, or cannot be satisfied (C11)",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=2-4", .part(2..<5)), ("bytes=2-", .part(2..<10)),
            ("bytes=2-99", .part(2..<10)), ("bytes=9-9223372036854775807", .part(9..<10)),
            ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)), ("BYTES=1-1", .part(1..<2)),
            ("bytes=0-9", .part(0..<10)), ("bytes=10-", .notSatisfiable), ("bytes=10-20", .notSatisfiable),
            ("bytes=-0", .notSatisfiable), ("bytes=99999999999999999999-", .notSatisfiable),
            ("bytes=0-1,3-4", .forward), ("bytes=0-1, 20-30", .forward),
            // Ignored.
            ("bytes=4-2", .whole), ("bytes=", .whole), ("bytes=a-b", .whole), ("lines=1-2", .whole), ("", .whole),
            ("bytes=0-1,x", .whole),
        ] as [(String, Preconditions.Answer)])
    func range(value: String, answer: Preconditions.Answer) {
        #expect(evaluate("Range: \(value)", Self.stored) == answer)
    }

    @Test(
        "If-Range compares strongly: otherwise the range does not count (C11)",
        arguments: [
            ("\"x\"", stored, true), ("W/\"x\"", stored, false), ("\"y\"", stored, false), ("x", stored, false),
            ("\"x\"", "ETag: W/\"x\"", false), ("W/\"x\"", "ETag: W/\"x\"", false), ("{-100}", stored, true),
            ("{-99}", stored, false), ("{-59}", "Date: {0}\nLast-Modified: {-59}", false),
            ("{-60}", "Date: {0}\nLast-Modified: {-60}", true), ("{-100}", "Last-Modified: {-100}", false),
            ("Friday, 15-Jan-27 07:58:20 GMT", stored, true),
        ])
    func ifRange(value: String, stored: String, holds: Bool) {
        #expect(evaluate("Range: bytes=0-1\nIf-Range: \(value)", stored) == (holds ? .part(0..<2) : .whole))
    }

    @Test("a condition stands before the range") func precedence() {
        #expect(evaluate("Range: bytes=0-1\nIf-None-Match: \"x\"", Self.stored) == .notModified)
        #expect(evaluate("Range: bytes=0-1\nIf-None-Match: \"y\"", Self.stored) == .part(0..<2))
    }

    @Test(
        "a body that is coded or was decoded answers no range",
        arguments: [
            ("Content-Encoding: gzip", false), ("Content-Encoding: identity", true), ("Accept-Ranges: none", false),
            ("Accept-Ranges: bytes", true), ("Accept-Ranges: bytes, NONE", false),
        ])
    func codedBodies(field: String, isAnswered: Bool) {
        #expect(evaluate("Range: bytes=0-1", "\(field)\nETag: \"x\"") == (isAnswered ? .part(0..<2) : .forward))
    }

    @Test("conditions and ranges count for a stored 200 only, and a range for GET only") func otherResponses() {
        for request in ["If-None-Match: \"x\"", "Range: bytes=0-1"] {
            #expect(evaluate(request, Self.stored, status: 404) == .whole)
        }
        #expect(evaluate("Range: bytes=0-1", Self.stored, method: .head) == .whole)
        #expect(evaluate("If-None-Match: \"x\"", Self.stored, method: .head) == .notModified)
    }

    @Test("of an empty body a suffix is the whole, and any other range cannot be satisfied") func emptyBody() {
        #expect(evaluate("Range: bytes=-5", Self.stored, length: 0) == .whole)
        #expect(evaluate("Range: bytes=0-", Self.stored, length: 0) == .notSatisfiable)
    }

    @Test("304, 206 and 416 have the stored fields that describe them") func fields() {
        let served = header("Age: 5\nETag: \"x\"\nContent-Type: a/b\nContent-Length: 10\nVary: A")
        #expect(StoredFields.notModified(served) == header("Age: 5\nETag: \"x\"\nVary: A"))
        #expect(
            StoredFields.part(served, 2..<5, of: 10)
                == header(
                    "Age: 5\nETag: \"x\"\nContent-Type: a/b\nContent-Length: 3\nVary: A\nContent-Range: bytes 2-4/10"))
        #expect(
            StoredFields.notSatisfiable(served, length: 10)
                == header("Age: 5\nETag: \"x\"\nVary: A\nContent-Range: bytes */10\nContent-Length: 0"))
    }

    private func evaluate(
        _ request: String, _ stored: String, status: Int = 200, method: MethodClass = .get, length: Int64 = 10
    ) -> Preconditions.Answer {
        let response = response(stored, status: status)
        return Preconditions.evaluate(
            header(request), method: method, stored: response,
            StoredFacts(response, requestTime: receipt, responseTime: receipt), length: length)
    }
}
