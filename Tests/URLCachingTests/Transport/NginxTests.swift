import Testing
import URLCaching

/// Against an origin that others have written. Skipped where nginx is not installed.
@Suite(.serialized, .timeLimit(.minutes(60)), .enabled(if: Nginx.executable != nil, "nginx is not installed"))
struct NginxTests {
    private let nginx: Nginx
    private let cache = SessionBench.memoryCache()
    private let session: CachingSession

    init() throws {
        nginx = try Nginx(executable: #require(Nginx.executable))
        var configuration = CachingSession.Configuration()
        configuration.carrier = .libcurl
        configuration.certificateFile = Nginx.authority
        session = CachingSession(configuration: configuration, cache: cache)
        #expect(session.transportProblem == nil)
    }

    @Test("the six policies, with and without gzip", arguments: ["/plain/text", "/zipped/text"])
    func policies(path: String) async throws {
        let outcomes: [(URLRequest.CachePolicy, String)] = [
            (.useProtocolCachePolicy, "memoryHit"), (.reloadIgnoringLocalCacheData, "fetched"),
            (.reloadIgnoringLocalAndRemoteCacheData, "fetched"), (.returnCacheDataElseLoad, "memoryHit"),
            (.returnCacheDataDontLoad, "memoryHit"), (.reloadRevalidatingCacheData, "revalidated"),
        ]
        #expect(try await ask(path) == "fetched")
        for (policy, outcome) in outcomes {
            #expect(try await ask(path, policy) == outcome, "\(path) \(outcome)")
        }
        #expect(try nginx.statuses(path, count: 4) == ["200", "200", "200", "304"])
    }

    @Test("a stale response is confirmed, and a range of it is answered") func validators() async throws {
        #expect(try await ask("/stale/text") == "fetched")
        #expect(try await ask("/stale/text") == "revalidated")
        #expect(try nginx.statuses("/stale/text", count: 2) == ["200", "304"])
        var request = request("/plain/text")
        request.setValue("bytes=5-9", forHTTPHeaderField: "Range")
        let answer = try await session.answer(for: request)
        #expect(answer.response.statusCode == 206)
        #expect(answer.data.elementsEqual(Nginx.text.utf8.dropFirst(5).prefix(5)))
    }

    @Test("what was seen can be read once the origin has stopped") func offline() async throws {
        #expect(try await ask("/zipped/text") == "fetched")
        nginx.stop()
        #expect(try await ask("/zipped/text") == "memoryHit")
        #expect(try await ask("/zipped/text", .returnCacheDataDontLoad) == "memoryHit")
        #expect(await thrown { _ = try await ask("/plain/text") }?.code == .cannotConnectToHost)
    }

    @Test("a server that an authority has signed is trusted, over HTTP/2") func http2() async throws {
        let url = try #require(URL(string: nginx.https(.trusted) + "/zipped/text"))
        let requests = (0..<8).map { _ in URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData) }
        try await withThrowingTaskGroup(of: SessionAnswer.self) { group in
            for request in requests { group.addTask { [session] in try await session.answer(for: request) } }
            for try await answer in group {
                #expect(answer.response.value(forHTTPHeaderField: "X-Protocol") == "HTTP/2.0")
                #expect(answer.data.elementsEqual(Nginx.text.utf8))
            }
        }
    }

    @Test("1,000 requests, one after another, take one connection over TLS and over HTTP/2", arguments: [false, true])
    func oneConnection(isHTTP2: Bool) async throws {
        let nginx = try Nginx(
            executable: #require(Nginx.executable), requestsPerConnection: 2_000, hasHTTP2: isHTTP2)
        let url = try #require(URL(string: nginx.https(.trusted) + "/plain/text"))
        let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        for _ in 0..<1_000 {
            let (data, response) = try await session.data(for: request)
            let version = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Protocol")
            #expect(data.count == Nginx.text.utf8.count && version == (isHTTP2 ? "HTTP/2.0" : "HTTP/1.1"))
        }
        #expect(try nginx.connections("/plain/text", count: 1_000).count == 1)
    }

    @Test(
        "of 60 requests at once all are answered by a server that takes 5 a connection",
        arguments: [(false, "http"), (false, "https"), (true, "https")])
    func fewRequestsPerConnection(isHTTP2: Bool, scheme: String) async throws {
        let nginx = try Nginx(executable: #require(Nginx.executable), requestsPerConnection: 5, hasHTTP2: isHTTP2)
        let base = scheme == "http" ? nginx.http : nginx.https(.trusted)
        for _ in 0..<3 {
            let answered = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    guard let url = URL(string: base + "/plain/text?\(number)") else { continue }
                    let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
                    group.addTask { [session] in
                        do {
                            return try await session.data(for: request).0.count == Nginx.text.utf8.count
                        } catch {
                            Issue.record(error)
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(answered == 60)
        }
    }

    @Test(
        "a server that cannot be trusted is refused with the reason",
        arguments: [
            (Nginx.Certificate.expired, URLError.Code.serverCertificateHasBadDate),
            (.wrongHost, .serverCertificateUntrusted), (.selfSigned, .serverCertificateHasUnknownRoot),
        ])
    func untrusted(certificate: Nginx.Certificate, code: URLError.Code) async throws {
        let url = try #require(URL(string: nginx.https(certificate) + "/plain/text"))
        let error = await thrown { _ = try await session.data(from: url) }
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(error?.localizedDescription.contains("certificate") == true)
        // The system's own store does not know the authority.
        let usual = CachingSession(cache: nil)
        let trusted = try #require(URL(string: nginx.https(.trusted) + "/plain/text"))
        let unknown = await thrown { _ = try await usual.data(from: trusted) }
        #expect(unknown?.code == .serverCertificateHasUnknownRoot)
        #expect(unknown?.localizedDescription.contains("set certificateFile") == true)
    }

    /// The source of the answer, once its body is seen to be right.
    private func ask(_ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy) async throws -> String
    {
        let answer = try await session.answer(for: request(path, policy))
        #expect(answer.response.statusCode == 200)
        #expect(answer.data.elementsEqual(Nginx.text.utf8))
        return "\(answer.source)"
    }

    private func request(_ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy) -> URLRequest {
        guard let url = URL(string: nginx.http + path) else { return URLRequest(url: URL(filePath: "/")) }
        return URLRequest(url: url, cachePolicy: policy)
    }
}
