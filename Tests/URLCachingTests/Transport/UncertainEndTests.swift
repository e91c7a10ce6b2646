import LoopbackOrigin
import Testing
import URLCaching

/// Bodies whose end may be a cut, and headers that do not fit a whole body.
@Suite(.timeLimit(.minutes(60))) struct UncertainEndTests {
    @Test(
        "a body without length that ends with its TLS connection is handed out, and not stored (RFC 9112, 9.8)",
        arguments: [false, true], ["", "Transfer-Encoding: identity\r\n"])
    func endOfTLS(tells: Bool, field: String) async throws {
        let head = Array("HTTP/1.1 200 OK\r\n\(field)Cache-Control: max-age=60\r\n\r\nhello".utf8)
        let origin = try RawOrigin(tlsServer(.http1)) { _ in [.send(head)] + (tells ? [.closeNotify] : []) }
        defer { origin.stop() }
        try await expect(stored: false, origin.base)
    }

    @Test("over plain TCP the end of the connection is the end of the body, which is stored")
    func endOfTCP() async throws {
        let origin = try RawOrigin { _ in
            [.send(Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\nhello".utf8))]
        }
        defer { origin.stop() }
        try await expect(stored: true, origin.base)
    }

    @Test(
        "over TLS a body with a length, in chunks, or without bytes is stored",
        arguments: [
            ("200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
            ("200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("204 No Content\r\n\r\n", ""),
        ])
    func certainEnds(answer: (rest: String, body: String)) async throws {
        let head = Array(
            "HTTP/1.1 \(answer.rest.replacing("\r\n\r\n", with: "\r\nCache-Control: max-age=60\r\n\r\n", maxReplacements: 1))"
                .utf8)
        let origin = try RawOrigin(tlsServer(.http1)) { _ in [.send(head)] }
        defer { origin.stop() }
        try await expect(stored: true, origin.base, body: answer.body)
    }

    @Test("a 200 with Content-Range is no whole, and not stored", arguments: ["bytes 0-4/20", "bytes 5-9/20", "x"])
    func rangeOf200(range: String) async throws {
        let origin = try RawOrigin { _ in
            [
                .send(
                    Array(
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"a\"\r\nContent-Range: \(range)\r\nContent-Length: 5\r\n\r\nhello"
                            .utf8)), .hang,
            ]
        }
        defer { origin.stop() }
        try await expect(stored: false, origin.base)
    }

    @Test(
        "over HTTP/2 a body without length is stored if its coding tells its end, since libcurl takes a reset for an end",
        .enabled(if: HTTP2Bench.isPossible, "libcurl has no HTTP/2, or OpenSSL is missing"),
        arguments: [
            ("resets by 0", [("x", "y")], false), ("ends", [("content-length", "5")], true),
            ("ends", [("content-encoding", "gzip")], true),
        ] as [(String, [(String, String)], Bool)])
    func http2(way: (name: String, fields: [(String, String)], isStored: Bool)) async throws {
        let isGzip = way.fields[0].1 == "gzip"
        let bytes = isGzip ? gzip(Array("hello".utf8)) : Array("hello".utf8)
        let resets = way.name == "resets by 0"
        let origin = try HTTP2Origin(tlsServer(.http2)) { _, stream in
            let body = HTTP2Frame.frame(0, flags: resets ? 0 : HTTP2Frame.endStream, stream: stream, bytes)
            let end = resets ? HTTP2Frame.reset(0, stream: stream) : []
            return [.readRequest, .send(HTTP2Misbehaviour.head(stream, way.fields) + body + end)]
        }
        defer { origin.stop() }
        try await expect(stored: way.isStored, origin.base)
    }

    @Test(
        "over HTTP/2 a coded body that ends before its first byte may be cut, and is not stored",
        .enabled(if: HTTP2Bench.isPossible, "libcurl has no HTTP/2, or OpenSSL is missing"),
        arguments: [false, true], [false, true])
    func beforeFirstByte(resets: Bool, isHeadFirst: Bool) async throws {
        let hold = Hold()
        if !isHeadFirst { hold.release() }
        let origin = try HTTP2Origin(tlsServer(.http2)) { _, stream in
            let head = HTTP2Misbehaviour.head(stream, [("content-encoding", "gzip")])
            let end =
                resets
                ? HTTP2Frame.reset(0, stream: stream) : HTTP2Frame.frame(0, flags: HTTP2Frame.endStream, stream: stream)
            return [.readRequest] + (isHeadFirst ? [.send(head), .wait(hold), .send(end)] : [.send(head + end)])
        }
        defer { origin.stop() }
        let cache = SessionBench.memoryCache()
        let session = CachingSession(configuration: .overLibcurl, cache: cache)
        let request = URLRequest(url: try #require(URL(string: origin.base + "/a")))
        // A reset may be an error, too.
        if let (parts, _) = try? await session.bytes(for: request) {
            hold.release()
            var count = 0
            do { for try await part in parts { count += part.count } } catch { #expect(resets) }
            #expect(count == 0)
        } else {
            hold.release()
            #expect(resets)
        }
        #expect(cache.cachedResponse(for: request) == nil)
    }

    private func expect(stored isStored: Bool, _ base: String, body: String = "hello") async throws {
        let cache = SessionBench.memoryCache()
        let session = CachingSession(configuration: .overLibcurl, cache: cache)
        let request = URLRequest(url: try #require(URL(string: base + "/a")))
        // A later libcurl may tell a reset from an end.
        let got = try? await session.data(for: request)
        if isStored || got != nil { #expect(got.map { Got($0).body } == body) }
        #expect((cache.cachedResponse(for: request) != nil) == isStored)
    }
}
