import CurlTransport
import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import SocketTransport
import Testing

@testable import URLCaching

/// The requests that a session sends, by libcurl and by an application's transport.
@Suite(.timeLimit(.minutes(60))) struct TransportTests {
    @Test("method, fields and body arrive, in memory and as a stream", arguments: [false, true], [0, 5, 300_000])
    func bodies(isOwn: Bool, byteCount: Int) async throws {
        let bench = try bench(isOwn)
        let body = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for method in ["POST", "PUT", "PATCH", "QUERY"] {
            for isStream in [false, true] {
                var request = bench.request(method: method, ["X-Field": "a"])
                if isStream {
                    request.httpBodyStream = InputStream(data: Data(body))
                } else {
                    request.httpBody = Data(body)
                }
                if isStream { request.setValue("\(byteCount)", forHTTPHeaderField: "Content-Length") }
                bench.origin.reply { OriginReply([("X-Method", $0.method)], body: $0.body) }
                let (data, response) = try await bench.session.data(for: request)
                #expect(data.elementsEqual(body), "\(method), \(data.count) bytes")
                #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Method") == method)
                #expect(bench.origin.requests.last?["X-Field"] == "a")
                #expect(bench.origin.requests.last?["Expect"] == nil)
            }
        }
    }

    @Test("a stream of unknown length arrives in chunks") func unknownLength() async throws {
        let bench = try SessionBench()
        var request = bench.request(method: "POST")
        request.httpBodyStream = InputStream(data: Data("text".utf8))
        _ = try await bench.get(request)
        #expect(bench.origin.requests.last?["Transfer-Encoding"] == "chunked")
        #expect(bench.origin.requests.last?.body == Array("text".utf8))
    }

    @Test("a stream cannot be sent again after a redirection, and the error says so")
    func streamRedirected() async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(status: 308, [("Location", "/b")]) }
        var request = bench.request(method: "POST", ["Content-Length": "4"])
        request.httpBodyStream = InputStream(data: Data("text".utf8))
        let sent = request
        #expect(await thrown { _ = try await bench.get(sent) }?.code == .requestBodyStreamExhausted)
    }

    @Test(
        "a stream that is not as long as its Content-Length fails, and its rest is no request",
        arguments: ["textGET /admin HTTP/1.1\r\nHost: x\r\n\r\n", "te"])
    func streamOfOtherLength(text: String) async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(text: "taken") }
        var request = bench.request(method: "POST", ["Content-Length": "4"])
        request.httpBodyStream = InputStream(data: Data(text.utf8))
        let sent = request
        #expect(await thrown { _ = try await bench.get(sent) }?.code == .requestBodyStreamExhausted)
        #expect(try await bench.get("/b").body == "taken")
        #expect(bench.origin.requests.map(\.path) == ["/b"])
    }

    @Test("a POST without a body announces its length, a GET and a DELETE announce none")
    func emptyBodies() async throws {
        let bench = try SessionBench()
        for (method, length) in [
            ("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("GET", nil), ("DELETE", nil), ("OPTIONS", nil), ("FROB", nil),
        ] as [(String, String?)] {
            _ = try await bench.get(method: method)
            #expect(bench.origin.requests.last?.method == method)
            #expect(bench.origin.requests.last?["Content-Length"] == length)
        }
    }

    @Test(
        "CR, LF and NUL in method, field or URL are refused before anything is sent",
        arguments: ["\r", "\n", "\r\nInjected: 1", "\0"])
    func injection(text: String) async throws {
        let bench = try SessionBench()
        let requests = [
            HTTPRequest(method: "GET\(text)", url: bench.origin.base + "/a"),
            HTTPRequest(url: bench.origin.base + "/a\(text)"),
            HTTPRequest(url: bench.origin.base + "/a", headerFields: ["X-Field": "a\(text)"]),
            HTTPRequest(url: bench.origin.base + "/a", headerFields: [.init("X\(text)"): "a"]),
        ]
        let transport = try CurlTransport(TransportSettings())
        for request in requests {
            #expect(await thrown { _ = try await transport.send(OutgoingRequest(request)) }?.code == .badURL)
        }
        #expect(bench.origin.count() == 0 && transport.exchangesUnderWay == 0)
    }

    @Test(
        "only http and https are sent",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", ""])
    func schemes(url: String) async throws {
        let transport = try CurlTransport(TransportSettings())
        let error = await thrown { _ = try await transport.send(OutgoingRequest(HTTPRequest(url: url))) }
        #expect(error?.code == .unsupportedURL)
    }

    @Test("a scheme in capitals works, and is the same entry (RFC 3986, section 3.1)", arguments: [true, false])
    func schemeCase(isURLSession: Bool) async throws {
        let bench = try SessionBench { $0.carrier = isURLSession ? .urlSession : .automatic }
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")]))
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(bench.origin.port)/a"))
        #expect(Got(try await bench.session.data(from: url)).body == "hello")
        #expect(try await bench.get().body == "hello")
        #expect(bench.origin.count() == 1)
    }

    @Test("an interim answer is not the answer, and a POST behind one invalidates", arguments: [100, 102, 103])
    func interim(status: Int) async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("stored", [("Cache-Control", "max-age=60")]))
        _ = try await bench.get()
        bench.origin.reply { _ in
            var reply = OriginReply(text: "posted")
            reply.rawHead = Array(
                "HTTP/1.1 \(status) Wait\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6".utf8)
            return reply
        }
        let got = try await bench.get(method: "POST")
        #expect(got.status == 200 && got.body == "posted" && got["Link"] == nil)
        #expect(!bench.isStored())
    }

    @Test("the body of a redirection that is not followed is handed out") func redirectionBody() async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(status: 302, [("Location", "/b")], text: "moved") }
        let (data, response) = try await bench.session.data(for: bench.request(), delegate: Staying())
        #expect((response as? HTTPURLResponse)?.statusCode == 302 && data == Data("moved".utf8))
    }

    @Test("a validator outside UTF-8 goes back as it came") func bytesOfValidators() async throws {
        let bench = try SessionBench()
        let tag = [0x22, 0xE9, 0xFF, 0x22] as [UInt8]
        bench.origin.reply { _ in
            var reply = OriginReply(text: "hello")
            reply.rawHead =
                Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nCache-Control: no-cache\r\nETag: ".utf8) + tag
            return reply
        }
        _ = try await bench.get()
        let url = bench.origin.base + "/a"
        let stored = bench.cache?.store.lookup(HTTPRequest(url: url))
        let kept = stored?.response.headerFields.fields.first { $0.name == "ETag" }
        #expect(kept?.valueBytes == tag)
        _ = try await bench.get()
        #expect(
            bench.origin.requests.last?.rawFields.contains { $0.value == tag && $0.name == "If-None-Match" } == true)
    }

    @Test("a cancelled request ends at once, and its connection with it") func cancellation() async throws {
        let bench = try SessionBench()
        let hold = Hold()
        bench.origin.reply { _ in
            var reply = OriginReply(text: "hello")
            reply.holdHead = hold
            return reply
        }
        let asking = Task { try await bench.get() }
        await hold.reached()
        asking.cancel()
        #expect(await thrown { _ = try await asking.value }?.code == .cancelled)
        hold.release()
        while bench.session.underWay.exchanges > 0 { await Task.yield() }
    }

    @Test("an answer without a status line is none (RFC 9112, section 2.1)") func bareBody() async throws {
        let origin = try RawOrigin { _ in [.send(Array("<html>hello</html>".utf8))] }
        defer { origin.stop() }
        let transport = try CurlTransport(TransportSettings())
        let request = OutgoingRequest(HTTPRequest(url: origin.base + "/a"))
        #expect(await thrown { _ = try await transport.send(request) }?.code == .badServerResponse)
    }

    @Test("no more connections are made to a host than the settings allow") func connectionsPerHost() async throws {
        let bench = try SessionBench { $0 = $0.with { $0.httpMaximumConnectionsPerHost = 1 } }
        let hold = Hold()
        bench.origin.reply { _ in
            var reply = OriginReply(text: "hello")
            reply.holdHead = hold
            return reply
        }
        async let one = bench.get("/a")
        await hold.reached()
        async let other = bench.get("/b")
        while bench.session.underWay.exchanges < 2 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        hold.release()
        #expect(try await [one.body, other.body] == ["hello", "hello"])
        #expect(bench.origin.connections.soFar == 1)
    }

    @Test("of what URLSession carries, a body that is not coded keeps its length, and a redirection's has none")
    func lengthsByURLSession() async throws {
        let bench = try SessionBench { $0.carrier = .urlSession }
        bench.origin.reply { _ in
            OriginReply([("Content-Encoding", "identity"), ("Accept-Ranges", "bytes")], text: "hello")
        }
        let plain = try await bench.get()
        #expect(plain.body == "hello" && plain["Content-Length"] == "5" && plain["Accept-Ranges"] == "bytes")
        bench.origin.reply { _ in OriginReply(status: 302, [("Location", "/b")], text: "moved") }
        let moved = Got(try await bench.session.data(for: bench.request(), delegate: Staying()))
        #expect(moved.status == 302 && moved.body == "" && moved["Content-Length"] == nil)
    }

    @Test("connections are kept only where the settings say so", arguments: [true, false])
    func keepingConnections(keeps: Bool) async throws {
        let origin = try LoopbackOrigin()
        var settings = TransportSettings()
        settings.keepsConnections = keeps
        settings.idleTimeout = 1_000_000
        let transport = try CurlTransport(settings)
        for _ in 0..<2 {
            let incoming = try await transport.send(OutgoingRequest(HTTPRequest(url: origin.base + "/a")))
            while try await incoming.body.next() != nil {}
            while transport.exchangesUnderWay > 0 { await Task.yield() }
        }
        #expect(origin.connections.soFar == (keeps ? 1 : 2))
    }

    @Test(
        "a field of the request takes the place of the transport's own",
        arguments: ["Accept", "Accept-Encoding", "User-Agent"])
    func ownFields(name: String) async throws {
        let bench = try SessionBench()
        // A coding of which nobody here has heard would be left out.
        let own = name == "Accept-Encoding" ? "gzip;q=0.5" : "mine"
        _ = try await bench.get("/a", [name: own])
        let received = try #require(bench.origin.requests.last).rawFields
        for other in ["Accept", "Accept-Encoding", "User-Agent"] {
            let values = received.filter { $0.name == other }.map { String(decoding: $0.value, as: UTF8.self) }
            #expect(values.count == 1 && (values == [own]) == (other == name))
        }
    }

    @Test("the transport frames the body itself, and sends none with a HEAD") func framing() async throws {
        let bench = try SessionBench()
        let transport = try CurlTransport(TransportSettings())
        for (method, body) in [("POST", "text"), ("HEAD", "")] {
            let fields: HTTPFields = ["Transfer-Encoding": "chunked", "Content-Length": "9", "X-Blank": "\t"]
            let request = HTTPRequest(method: method, url: bench.origin.base + "/a", headerFields: fields)
            let sent = OutgoingRequest(request, body: .bytes(Array("text".utf8)))
            let incoming = try await transport.send(sent)
            while try await incoming.body.next() != nil {}
            let received = try #require(bench.origin.requests.last)
            #expect(received.method == method && received.body == Array(body.utf8))
            #expect(received["Transfer-Encoding"] == nil && received["X-Blank"] == "")
            #expect(received["Content-Length"] == (method == "POST" ? "4" : nil))
            let type = method == "POST" ? "application/x-www-form-urlencoded" : nil
            #expect(received["Content-Type"] == type)
        }
        let bare = HTTPRequest(method: "POST", url: bench.origin.base + "/a")
        _ = try await transport.send(OutgoingRequest(bare))
        #expect(bench.origin.requests.last?["Content-Type"] == nil)
        let tunnel = OutgoingRequest(HTTPRequest(method: "CONNECT", url: bench.origin.base + "/a"))
        #expect(await thrown { _ = try await transport.send(tunnel) }?.code == .badURL)
    }

    @Test("connections are kept for the next request") func reuse() async throws {
        let bench = try SessionBench()
        for _ in 0..<5 { _ = try await bench.get(policy: .reloadIgnoringLocalCacheData) }
        #expect(bench.origin.count() == 5 && bench.origin.connections.soFar == 1)
    }

    @Test("the decoded size is bounded, and a body below the bound streams through little memory")
    func decodedSize() async throws {
        let zipped = gzip([UInt8](repeating: 0, count: 65_000))
        for (bound, isError) in [(16 * 65_000, false), (16 * 65_000 - 1, true)] {
            let bench = try SessionBench { $0.largestDecodedBody = Int64(bound) }
            bench.origin.reply { _ in
                OriginReply([("Content-Encoding", "gzip")], body: (0..<16).flatMap { _ in zipped })
            }
            let error = await thrown { _ = try await bench.get() }
            #expect((error?.code == .dataLengthExceedsMaximum) == isError && (error == nil) != isError)
        }
    }

    @Test("dots in a path reach the origin as they were given") func dots() async throws {
        let bench = try SessionBench()
        _ = try await bench.get("/a/../b/./c")
        #expect(bench.origin.requests.map(\.path) == ["/a/../b/./c"])
    }

    @Test("a refused connection and a name that does not exist are told apart") func noConnection() async throws {
        let bench = try SessionBench()
        bench.origin.stop()
        #expect(await thrown { _ = try await bench.get() }?.code == .cannotConnectToHost)
        let url = try #require(URL(string: "http://does-not-exist.invalid/"))
        let error = await thrown { _ = try await bench.session.data(from: url) }
        #expect(error?.code == .cannotFindHost && error?.localizedDescription.contains("does-not-exist") == true)
    }

    @Test("a library that is missing is told with its name") func missingLibrary() {
        var reason = ""
        do {
            _ = try DynamicLibrary(["libnone-of-this-name.so.1"])
        } catch {
            reason = error.reason
        }
        #expect(reason.contains("libnone-of-this-name.so.1"))
        let problem = TransportProblem(reason: reason)
        #expect("\(problem)".contains("install libcurl"))
    }

    @Test("where libcurl cannot be loaded, URLSession carries the requests, and a property says why")
    func fallback() async throws {
        let bench = try SessionBench {
            $0.carrier = .libcurl
            $0.loadLibcurl = {
                Result { () throws(TransportProblem) in try CurlLibrary(["libcurl-of-no-system.so.4"]) }
            }
        }
        let problem = try #require(bench.session.transportProblem)
        #expect("\(problem)".contains("libcurl-of-no-system.so.4") && "\(problem)".contains("install libcurl"))
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")]))
        for _ in 0..<2 { #expect(try await bench.get().body == "hello") }
        #expect(bench.origin.count() == 1)
        #expect(bench.origin.requests.first?["User-Agent"]?.contains("curl") == true)
    }

    @Test("Vary: Authorization is matched against the credentials that the session sends")
    func varyAuthorization() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            OriginReply(
                [("Cache-Control", "public, max-age=60"), ("Vary", "Authorization")],
                text: "page of \(request["Authorization"] ?? "-")")
        }
        for _ in 0..<2 {
            #expect(try await bench.get().body == "page of -")
            for login in ["Basic YTph", "Basic Yjpi"] {
                #expect(try await bench.get("/a", ["Authorization": login]).body == "page of \(login)")
            }
        }
        #expect(bench.origin.count() == 3, "each login's page was fetched once")
        let other = bench.request(policy: .returnCacheDataDontLoad, ["Authorization": "Basic Yzpj"])
        #expect(await thrown { _ = try await bench.get(other) }?.code == .resourceUnavailable)
    }

    @Test("a header longer than the limit is an error that names the limit, and is not stored")
    func longHeader() async throws {
        let fields = (0..<4_000).map { ("X-\($0)", "a") }
        let bytes = fields.reduce(0) { $0 + $1.0.utf8.count + 5 }
        for (limit, isError) in [(bytes, true), (1 << 20, false)] {
            let bench = try SessionBench { $0.largestHeader = limit }
            bench.origin.reply { _ in OriginReply([("Cache-Control", "max-age=60")] + fields, text: "hello") }
            let error = await thrown { _ = try await bench.get() }
            #expect((error != nil) == isError)
            guard let error else { continue }
            #expect(error.code == .dataLengthExceedsMaximum)
            #expect(error.localizedDescription.contains("\(limit) bytes; raise largestHeader"))
            #expect(!bench.isStored())
        }
    }

    @Test("protocol classes of the application's own keep URLSession in place") func protocolClasses() throws {
        final class Mock: URLProtocol {}
        let plain = try SessionBench()
        #expect(plain.session.transportProblem == nil)
        let mocked = CachingSession.Configuration().with { $0.protocolClasses = [Mock.self] }
        let (transport, problem) = CachingSession.transport(mocked, mocked.urlSession.makeConfiguration())
        #expect(transport is URLSessionTransport && problem == nil)
    }

    private func bench(_ isOwn: Bool) throws -> SessionBench {
        try SessionBench(transport: isOwn ? SocketTransport() : nil)
    }
}

/// Follows no redirection.
private final class Staying: CachingSessionDelegate {
    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? { nil }
}
