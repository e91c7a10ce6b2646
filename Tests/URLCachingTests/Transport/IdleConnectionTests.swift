import CurlTransport
import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// What comes on a kept connection while no request is under way (RFC 9112, section 9.2).
@Suite(.timeLimit(.minutes(60))) struct IdleConnectionTests {
    /// Bytes that come before the request.
    static let early: [(name: String, bytes: String)] = [
        ("a late 408", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        ("a planted 200", "HTTP/1.1 200 OK\r\nCache-Control: max-age=100\r\nContent-Length: 7\r\n\r\nplanted"),
        ("the beginning of a header", "HTTP/1.1 200 OK\r\nCache-"), ("a line end", "\r\n"), ("a byte", "x"),
    ]

    @Test(
        "bytes that came on an idle connection answer no request, which goes out on another one",
        arguments: early.indices, [("GET", false), ("POST", false), ("GET", true), ("POST", true)])
    func earlyBytes(index: Int, way: (method: String, isEncrypted: Bool)) async throws {
        let (name, bytes) = Self.early[index]
        let (hold, isSent) = (Hold(), OneShot<Void>())
        let origin = try RawOrigin(way.isEncrypted ? tlsServer(.http1) : nil) { path in
            path == "/first"
                ? [
                    .send(Self.answer("one")), .wait(hold), .send(Array(bytes.utf8)), .arrival,
                    .call { isSent.provide(()) }, .hang, .send(Self.answer("late")),
                ] : [.send(Self.answer("two")), .hang]
        }
        defer { origin.stop() }
        let cache = SessionBench.memoryCache()
        let session = CachingSession(configuration: .overLibcurl, cache: cache)
        let first = try #require(URL(string: origin.base + "/first"))
        #expect(Got(try await session.data(from: first)).body == "one")
        hold.release()
        await isSent.wait(cancelled: ())
        var second = URLRequest(url: try #require(URL(string: origin.base + "/second")))
        second.httpMethod = way.method
        if way.method == "POST" { second.httpBody = Data("body".utf8) }
        let got = Got(try await session.data(for: second))
        #expect(got.status == 200 && got.body == "two", "\(name)")
        #expect(origin.connectionCount == 2)
        if way.method == "GET" {
            #expect(cache.cachedResponse(for: second).map { String(decoding: $0.data, as: UTF8.self) } == "two")
        }
    }

    @Test("bytes behind an answer, with it or later, are no answer to the next request", arguments: [false, true])
    func excess(isEncrypted: Bool) async throws {
        let origin = try RawOrigin(isEncrypted ? tlsServer(.http1) : nil) { path in
            let planted = Self.answer("planted")
            return path == "/first"
                ? [.send(Self.answer("one") + planted), .send(planted), .hang]
                : [.send(Self.answer("two")), .hang]
        }
        defer { origin.stop() }
        let session = CachingSession(configuration: .overLibcurl, cache: nil)
        for (path, body) in [("/first", "one"), ("/second", "two")] {
            let url = try #require(URL(string: origin.base + path))
            #expect(Got(try await session.data(from: url)).body == body)
        }
    }

    @Test("a ticket of TLS that comes late disturbs nothing") func ticket() async throws {
        let (hold, isSent) = (Hold(), OneShot<Void>())
        let origin = try RawOrigin(tlsServer(.http1)) { _ in
            [
                .send(Self.answer("one")), .wait(hold), .ticket, .arrival, .call { isSent.provide(()) },
                .readRequest, .send(Self.answer("two")), .hang,
            ]
        }
        defer { origin.stop() }
        let session = CachingSession(configuration: .overLibcurl, cache: nil)
        let url = try #require(URL(string: origin.base + "/"))
        #expect(Got(try await session.data(from: url)).body == "one")
        hold.release()
        await isSent.wait(cancelled: ())
        let body = Got(try await session.data(from: url)).body
        // Later versions of libcurl give such a connection up by themselves.
        let keeps = try CurlLibrary.shared.get().version.hasPrefix("libcurl/7.")
        #expect(origin.connectionCount == (keeps ? 1 : 2) && body == (keeps ? "two" : "one"))
    }

    @Test(
        "a 408 to a request on a used connection is repeated once if the method is idempotent",
        arguments: ["GET", "POST"])
    func racingTimeout(method: String) async throws {
        let origin = try RawOrigin { path in
            path == "/first"
                ? [.send(Self.answer("one")), .readRequest, .send(Array(Self.early[0].bytes.utf8))]
                : [.send(Self.answer("two")), .hang]
        }
        defer { origin.stop() }
        let session = CachingSession(configuration: .overLibcurl, cache: nil)
        let first = try #require(URL(string: origin.base + "/first"))
        #expect(Got(try await session.data(from: first)).body == "one")
        var second = URLRequest(url: try #require(URL(string: origin.base + "/second")))
        second.httpMethod = method
        let got = Got(try await session.data(for: second))
        #expect(got.status == (method == "GET" ? 200 : 408) && got.body == (method == "GET" ? "two" : ""))
        #expect(origin.requestCount == (method == "GET" ? 3 : 2))
    }

    @Test("a 408 on a new connection is the answer") func timeoutOfNewConnection() async throws {
        let origin = try RawOrigin { _ in [.send(Array(Self.early[0].bytes.utf8))] }
        defer { origin.stop() }
        let session = CachingSession(configuration: .overLibcurl, cache: nil)
        let url = try #require(URL(string: origin.base + "/"))
        #expect(Got(try await session.data(from: url)).status == 408)
        #expect(origin.requestCount == 1)
    }

    @Test("connections to several origins stay open, also where one request follows the other")
    func manyOrigins() async throws {
        let origins = try (0..<8).map { _ in try LoopbackOrigin() }
        defer { for origin in origins { origin.stop() } }
        let session = CachingSession(configuration: .overLibcurl, cache: nil)
        for _ in 0..<2 {
            for origin in origins { _ = try await session.data(from: origin.url("/")) }
        }
        #expect(origins.map(\.connections.soFar) == Array(repeating: 1, count: 8))
    }

    private static func answer(_ text: String) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    }
}

/// A server with the certificate that `CachingSession.Configuration.overLibcurl` trusts.
func tlsServer(_ offer: TLSServer.Offer) throws -> TLSServer {
    let folder = Nginx.authority.deletingLastPathComponent()
    return try TLSServer(
        certificate: folder.appending(path: "trusted.pem").path, key: folder.appending(path: "server.key").path, offer)
}

extension CachingSession.Configuration {
    /// libcurl, which trusts the tests' authority, and no time-out that depends on how busy the machine is.
    static var overLibcurl: Self {
        var configuration = patient
        configuration.carrier = .libcurl
        configuration.certificateFile = Nginx.authority
        return configuration
    }
}
