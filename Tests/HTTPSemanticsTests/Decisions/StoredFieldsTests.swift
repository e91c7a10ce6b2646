import HTTPSemantics
import Testing

@Suite("Stored fields") struct StoredFieldsTests {
    @Test(
        "every field is stored but for those of one hop",
        arguments: [
            ("A: 1\nX-Unknown: 2\nA: 3", "A: 1\nX-Unknown: 2\nA: 3"),
            (
                "Content-Length: 5\nSet-Cookie: a=b\nContent-Encoding: gzip",
                "Content-Length: 5\nSet-Cookie: a=b\nContent-Encoding: gzip"
            ),
            ("Connection: close\nA: 1", "A: 1"),
            ("Connection: X-Hop, , x-leap\nX-HOP: 1\nX-Leap: 2\nA: 1", "A: 1"),
            ("Connection: X-Hop\nConnection: X-Leap\nX-Hop: 1\nX-Leap: 2\nA: 1", "A: 1"),
            // Fields for all recipients are not of one hop, although Connection names them.
            (
                "Connection: Cache-Control, vary\nCache-Control: private\nVary: Cookie\nA: 1",
                "Cache-Control: private\nVary: Cookie\nA: 1"
            ),
            (
                "Connection: content-encoding, Age, ETag, X\nContent-Encoding: br\nAge: 5\nETag: \"a\"\nX: 1",
                "Content-Encoding: br\nAge: 5\nETag: \"a\""
            ),
            ("Keep-Alive: 1\nTransfer-Encoding: chunked\nTE: x\nTrailer: y\nUpgrade: z\nA: 1", "A: 1"),
            ("Proxy-Authenticate: a\nProxy-Authentication-Info: b\nProxy-Authorization: c\nA: 1", "A: 1"),
            ("", ""),
        ])
    func everyFieldIsStored(received: String, kept: String) {
        #expect(StoredFields.storable(header(received)) == header(kept))
    }

    @Test(
        "an answer from the cache carries its age",
        arguments: [("A: 1", 5, "A: 1\nAge: 5"), ("Age: 100\nA: 1\nage: 7", 105, "Age: 105\nA: 1")]
            as [(String, Int64, String)])
    func anAnswerFromTheCacheCarries(stored: String, age: Int64, served: String) {
        #expect(StoredFields.served(header(stored), age: age) == header(served))
    }

    @Test("a 304 of the cache leaves out the fields that describe the body, a part and a 416 say their own lengths")
    func fieldsOfOtherStatuses() {
        let served = header(
            "ETag: \"a\"\nContent-Length: 9\nContent-Type: a/b\nContent-Encoding: gzip\nContent-Language: de\n"
                + "Content-Range: bytes 0-8/9\nContent-Location: /c\nVary: X\nAge: 5")
        let kept = header("ETag: \"a\"\nContent-Location: /c\nVary: X\nAge: 5")
        #expect(StoredFields.notModified(served) == kept)
        var refused = kept
        refused["Content-Range"] = "bytes */9"
        refused["Content-Length"] = "0"
        #expect(StoredFields.notSatisfiable(served, length: 9) == refused)
        let part = StoredFields.part(served, 2..<5, of: 9)
        #expect(part["Content-Range"] == "bytes 2-4/9" && part["Content-Length"] == "3")
        #expect(part["Content-Type"] == "a/b" && part["Content-Language"] == "de" && part["Age"] == "5")
    }
}
