import LoopbackOrigin
import Testing
import URLCaching

/// HTTP/2 over TLS, by nginx. Skipped where it is not installed.
@Suite(.serialized, .timeLimit(.minutes(60)), .enabled(if: Nginx.executable != nil, "nginx is not installed"))
struct HTTP2Tests {
    private let upstream: RawOrigin
    private let nginx: Nginx
    private let cache = SessionBench.memoryCache()
    private let session: CachingSession

    init() throws {
        upstream = try RawOrigin { path in Self.script[path] ?? [] }
        nginx = try Nginx(executable: #require(Nginx.executable), upstream: upstream.base, requestsPerConnection: 20)
        var configuration = CachingSession.Configuration.patient
        configuration.carrier = .libcurl
        configuration.certificateFile = Nginx.authority
        session = CachingSession(configuration: configuration, cache: cache)
        #expect(session.transportProblem == nil)
    }

    @Test(
        "large bodies side by side are whole, although one is read late and others are given up, over several connections"
    )
    func sideBySide() async throws {
        let large = request("/plain/large", .reloadIgnoringLocalCacheData)
        let (late, _) = try await session.bytes(for: large)
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Data?.self) { group in
                for number in 0..<16 {
                    group.addTask { [session] in
                        guard number % 4 == 3 else { return try await session.data(for: large).0 }
                        let (parts, _) = try await session.bytes(for: large)
                        var count = 0
                        for try await part in parts {
                            count += part.count
                            if count > 1 << 20 { break }
                        }
                        return nil
                    }
                }
                for try await data in group { #expect(data == nil || data == Nginx.large) }
            }
        }
        var body = Data()
        for try await part in late { body += part }
        #expect(body == Nginx.large)
    }

    @Test(
        "an answer that breaks off is an error, is not stored, and disturbs no other",
        arguments: ["/whole", "/nothing", "/closed", "/reset", "/chunks"])
    func brokenOff(path: String) async throws {
        let large = request("/plain/large")
        let other = Task { [session] in try await session.data(for: large).0 }
        let url = request("/upstream" + path)
        switch path {
        case "/whole":
            let (data, response) = try await session.data(for: url)
            #expect(data.count == 50_000 && (response as? HTTPURLResponse)?.statusCode == 200)
            #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "x-mixed") == "Aa")
        case "/nothing":
            let (_, response) = try await session.data(for: url)
            #expect((response as? HTTPURLResponse)?.statusCode == 502)
        default:
            let error = await thrown { _ = try await session.data(for: url) }
            #expect(error?.code == .networkConnectionLost, "\(String(describing: error))")
            #expect(error?.localizedDescription.contains(" ") == true)
        }
        #expect((cache.cachedResponse(for: url) != nil) == (path == "/whole"))
        #expect(try await other.value == Nginx.large)
    }

    @Test("a trailer is no field of the answer") func trailer() async throws {
        let (data, response) = try await session.data(for: request("/trailer/text"))
        #expect(data.elementsEqual(Nginx.text.utf8))
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Trailer") == nil)
    }

    @Test("a server that goes away within a body is an error") func goneAway() async throws {
        let (parts, _) = try await session.bytes(for: request("/plain/large"))
        var iterator = parts.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        nginx.stop()
        let error = await thrown { while let part = try await iterator.next() { count += part.count } }
        #expect(error?.code == .networkConnectionLost || (error == nil && count == Nginx.large.count))
        #expect(await thrown { _ = try await session.data(for: request("/plain/text")) }?.code == .cannotConnectToHost)
    }

    private static let body = [UInt8](repeating: 0x61, count: 50_000)
    private static let script: [String: [RawOrigin.Step]] = [
        "/whole": [.send(head("X-MiXed: Aa\r\nContent-Length: 50000") + body)],
        "/nothing": [.reset],
        "/closed": [.send(head("Content-Length: 50001") + body)],
        "/reset": [.send(head("Content-Length: 50001") + body), .reset],
        "/chunks": [.send(head("Transfer-Encoding: chunked") + Array("c350\r\n".utf8) + body + Array("\r\n".utf8))],
    ]

    private static func head(_ line: String) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(line)\r\n\r\n".utf8)
    }

    private func request(_ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy) -> URLRequest {
        guard let url = URL(string: nginx.https(.trusted) + path) else { return URLRequest(url: URL(filePath: "/")) }
        return URLRequest(url: url, cachePolicy: policy)
    }
}
