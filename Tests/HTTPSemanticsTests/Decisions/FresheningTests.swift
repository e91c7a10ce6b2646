import HTTPSemantics
import Testing

@Suite("Freshening") struct FresheningTests {
    @Test(
        "a 304 freshens the stored response whose validator it has",
        arguments: [
            // stored, 304, speaks of the stored response
            ("ETag: \"x\"", "ETag: \"x\"", true),
            ("ETag: \"x\"", "ETag: \"y\"", false),
            ("ETag: \"x\"", "ETag: \"X\"", false),
            ("ETag: \"x\"", "ETag: W/\"x\"", true),
            ("ETag: W/\"x\"", "ETag: W/\"x\"", true),
            ("ETag: W/\"x\"", "ETag: W/\"y\"", false),
            ("ETag: W/\"x\"", "ETag: \"y\"", false),
            ("ETag: W/\"x\"", "ETag: \"x\"", true),
            ("ETag: \"e\u{301}\"", "ETag: \"\u{e9}\"", false),
            ("Last-Modified: {-100}", "ETag: \"x\"\nLast-Modified: {-100}", false),
            ("ETag: \"x\"\nLast-Modified: {-100}", "ETag: \"x\"\nLast-Modified: {-50}", true),
            ("ETag: \"x\"\nLast-Modified: {-100}", "Last-Modified: {-100}", true),
            ("ETag: \"x\"\nLast-Modified: {-100}", "Last-Modified: {-50}", false),
            ("Last-Modified: {-100}", "Last-Modified: {-100}", true),
            ("Last-Modified: {-100}", "Last-Modified: {-200}", false),
            ("Last-Modified: {-100}", "Last-Modified: {-50}", false),
            ("ETag: \"x\"", "Last-Modified: {-100}", false),
            ("ETag: unquoted", "ETag: unquoted", true),
            ("ETag: \"x\"", "", true),
            ("Last-Modified: {-100}", "", true),
            ("ETag: \"x\"", "ETag: ", true),
        ] as [(String, String, Bool)])
    func a304FreshensTheStoredResponse(stored: String, notModified: String, speaks: Bool) {
        let result = Freshening.freshen(header(stored), with: header(notModified), sentStoredValidators: true)
        #expect((result != .differs) == speaks)
    }

    @Test("a strong tag does not confirm a weak one in the answer to a question of the application")
    func strongTagForOtherQuestion() {
        let result = Freshening.freshen(
            header("ETag: W/\"x\""), with: header("ETag: \"x\""), sentStoredValidators: false)
        #expect(result == .differs)
    }

    @Test("a 304 without a validator to a question of the application freshens nothing") func a304WithoutAValidator() {
        let result = Freshening.freshen(header("ETag: \"x\""), with: header(""), sentStoredValidators: false)
        #expect(result == .differs)
    }

    @Test(
        "the fields of a 304 replace the stored ones but for those that describe the body or a hop",
        arguments: [
            // stored, 304, afterwards
            ("A: 1\nB: 2", "B: 3\nC: 4", "A: 1\nB: 3\nC: 4"),
            ("A: 1\na: 2\nB: 3", "A: 4\nA: 5", "B: 3\nA: 4\nA: 5"),
            ("Cache-Control: max-age=1", "Cache-Control: max-age=2", "Cache-Control: max-age=2"),
            ("Expires: {0}", "Expires: {60}", "Expires: {60}"),
            ("Content-Length: 5", "Content-Length: 0", "Content-Length: 5"),
            ("A: 1", "content-length: 0", "A: 1"),
            ("Content-Type: a/b", "Content-Type: c/d", "Content-Type: c/d"),
            ("ETag: W/\"x\"\nA: 1", "ETag: \"x\"\nA: 2", "ETag: W/\"x\"\nA: 2"),
            ("Content-Encoding: gzip", "Content-Encoding: br", "Content-Encoding: gzip"),
            ("Accept-Ranges: none", "Accept-Ranges: bytes", "Accept-Ranges: none"),
            ("Accept-Ranges: bytes", "Accept-Ranges: none", "Accept-Ranges: none"),
            ("A: 1", "Content-Encoding: br\nContent-Range: bytes 0-1/2", "A: 1"),
            (
                "A: 1", "Connection: close, X-Hop\nX-Hop: 1\nKeep-Alive: 5\nTransfer-Encoding: chunked\nB: 2",
                "A: 1\nB: 2"
            ),
            (
                "Cache-Control: max-age=60", "Connection: cache-control\nCache-Control: max-age=1",
                "Cache-Control: max-age=1"
            ),
            ("A: 1", "Upgrade: h2c\nTrailer: X\nTE: trailers\nProxy-Connection: close", "A: 1"),
            ("A: 1", "Proxy-Authenticate: Basic\nProxy-Authorization: x\nProxy-Authentication-Info: y", "A: 1"),
            ("Age: 3600\nA: 1", "", "A: 1"),
            ("Age: 3600\nA: 1", "Age: 5", "A: 1\nAge: 5"),
            ("Date: {-3600}\nA: 1", "", "A: 1"),
            ("Date: {-3600}\nA: 1", "Date: {0}", "A: 1\nDate: {0}"),
            ("Vary: A", "Vary: B", "Vary: B"),
            ("Set-Cookie: a=1", "Set-Cookie: b=2", "Set-Cookie: b=2"),
        ])
    func theFieldsOfA304Replace(stored: String, notModified: String, merged: String) {
        let before = header(stored)
        let result = Freshening.freshen(before, with: header(notModified), sentStoredValidators: true)
        #expect(result == .freshened(header(merged)))
        #expect(before == header(stored))
    }

    @Test("a freshened response is fresh for another lifetime") func aFreshenedResponseIsFresh() throws {
        let before = header("Cache-Control: max-age=60\nDate: {0}\nAge: 30\nETag: \"x\"")
        let notModified = header("ETag: \"x\"\nDate: {100}")
        guard
            case .freshened(let fields) = Freshening.freshen(before, with: notModified, sentStoredValidators: true)
        else {
            Issue.record("a 304 with the stored tag freshens")
            return
        }
        let facts = StoredFacts(
            HTTPResponse(headerFields: fields), requestTime: receipt + 100, responseTime: receipt + 100)
        #expect(facts.isFresh(at: receipt + 159))
        #expect(!facts.isFresh(at: receipt + 160))
    }

    @Test(
        "a HEAD with the same validators and length updates the stored response",
        arguments: [
            (200, "ETag: \"x\"\nContent-Length: 5\nA: 2", "ETag: \"x\"\nContent-Length: 5\nA: 2"),
            (200, "ETag: \"x\"\nA: 2", "Content-Length: 5\nETag: \"x\"\nA: 2"),
            (200, "A: 2", "ETag: \"x\"\nContent-Length: 5\nA: 2"),
        ])
    func aHEADWithTheSameValidators(status: Int, head: String, updated: String) {
        let result = HeadUpdate.decide(
            header("ETag: \"x\"\nContent-Length: 5\nA: 1"), bodyCount: 5, head: header(head), status: status)
        guard case .updated(let fields) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(Set(fields.fields) == Set(header(updated).fields))
    }

    @Test(
        "a HEAD that differs outdates the stored response",
        arguments: [
            (200, "ETag: \"y\"", .changed), (200, "ETag: \"x\"\nContent-Length: 6", .changed),
            (200, "Last-Modified: {0}", .changed), (200, "ETag: W/\"x\"", .changed), (304, "ETag: \"y\"", .unrelated),
            (404, "", .unrelated), (500, "ETag: \"y\"", .unrelated),
        ] as [(Int, String, HeadUpdate.Result)])
    func aHEADThatDiffersOutdates(status: Int, head: String, result: HeadUpdate.Result) {
        let stored = header("ETag: \"x\"\nContent-Length: 5")
        #expect(HeadUpdate.decide(stored, bodyCount: 5, head: header(head), status: status) == result)
    }

    @Test(
        "a HEAD with another length outdates a body that came without one, unless the body may differ from HEAD's",
        arguments: [
            ("", 5, true), ("", 9, false), ("ETag: \"x\"", 9, false), ("Content-Encoding: identity", 9, false),
            ("ETag: W/\"x\"", 9, true), ("Content-Encoding: gzip", 9, true), ("Accept-Ranges: none", 9, true),
        ])
    func lengthOfChunks(fields: String, length: Int, isSame: Bool) {
        let head = header("Content-Length: \(length)")
        switch HeadUpdate.decide(header(fields), bodyCount: 5, head: head, status: 200) {
        case .updated: #expect(isSame)
        case .changed: #expect(!isSame)
        case .unrelated: Issue.record("a 200 says something")
        }
    }
}
