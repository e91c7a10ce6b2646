import HTTPCache
import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// Behaviour of URLSession that users expect beside the cache.
@Suite(.timeLimit(.minutes(60))) struct SessionBehaviourTests {
    @Test("the userInfo of a stored response stays when the origin confirms it") func userInfo() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")], entityTag: "\"1\""))
        _ = try await bench.get()
        let cache = try #require(bench.cache)
        let stored = try #require(cache.cachedResponse(for: bench.request()))
        cache.storeCachedResponse(
            CachedURLResponse(
                response: stored.response, data: stored.data, userInfo: ["n": 1], storagePolicy: .allowed),
            for: bench.request())
        #expect(try await bench.get(policy: .reloadRevalidatingCacheData).body == "hello")
        #expect(bench.origin.conditionalCount() == 1)
        #expect(cache.cachedResponse(for: bench.request())?.userInfo?["n"] as? Int == 1)
    }

    @Test("a fresh hit is the variant that the additional fields select, not the one without them")
    func additionalFieldsSelect() async throws {
        let plain = try SessionBench()
        let adding = try SessionBench(cache: plain.cache, clock: plain.clock, origin: plain.origin) {
            $0 = $0.with { $0.httpAdditionalHeaders = ["X-Additional": "yes"] }
        }
        plain.origin.reply { request in
            OriginReply(
                [("Cache-Control", "max-age=60"), ("Vary", "X-Additional")], text: request["X-Additional"] ?? "-")
        }
        for _ in 0..<2 {
            #expect(try await plain.get().body == "-")
            #expect(try await adding.get().body == "yes")
        }
        #expect(plain.origin.count() == 2)
    }

    @Test(
        "an answer has the URL that was asked for, whichever URL of the same key it was stored for",
        arguments: [false, true])
    func askedURL(isSubclass: Bool) async throws {
        let cache =
            isSubclass
            ? Subclass(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil) : SessionBench.memoryCache()
        let bench = try SessionBench(cache: cache)
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")], entityTag: "\"1\""))
        for path in ["/x#a", "/x#b", "/x", "/x#b", "/x#c", "/x#c"] {
            #expect(try await bench.get(path).response.url == bench.origin.url(path))
        }
        #expect(bench.origin.count() == 1)
        bench.at(90)
        for policy in [URLRequest.CachePolicy.returnCacheDataElseLoad, .useProtocolCachePolicy] {
            #expect(try await bench.get("/x#d", policy: policy).response.url == bench.origin.url("/x#d"))
        }
        let (_, response) = try await bench.session.bytes(for: bench.request("/x#e"))
        #expect(response.url == bench.origin.url("/x#e"))
        #expect(bench.origin.count() == 2)
    }

    @Test("an answer has the URL that was asked for, also where long URLs differ at their end alone")
    func longURL() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")]))
        let path = "/" + String(repeating: "x", count: 200)
        for fragment in ["#a", "#b", "", "#b"] {
            let (body, response) = try await bench.session.bytes(for: bench.request(path + fragment))
            #expect(response.url == bench.origin.url(path + fragment))
            // A body that nobody reads is not stored.
            for try await _ in body {}
            #expect(try await bench.get(path + fragment).response.url == bench.origin.url(path + fragment))
            let found = bench.cache?.cachedResponse(for: bench.request(path + fragment))
            #expect(found?.response.url == bench.origin.url(path + fragment))
        }
        #expect(bench.origin.count() == 1)
    }

    @Test("a gzip body comes decoded, and is stored as what it is then") func gzipBody() async throws {
        let bench = try SessionBench()
        let text = String(repeating: "hello ", count: 100)
        bench.origin.reply { _ in
            OriginReply(
                [("Content-Encoding", "gzip"), ("Cache-Control", "max-age=60"), ("Accept-Ranges", "bytes")],
                body: gzip(Array(text.utf8)))
        }
        for _ in 0..<2 {
            let got = try await bench.get()
            #expect(got.body == text)
            #expect(got["Content-Encoding"] == nil && got["Content-Length"] == nil)
            #expect(got["Accept-Ranges"] == "none", "its bytes are not those that a Range would count")
        }
        #expect(bench.origin.count() == 1)
    }

    @Test("HEAD is answered without a body, and from a stored GET") func head() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60"), ("X-It", "1")]))
        let first = try await bench.get(method: "HEAD")
        #expect(first.body == "" && first["X-It"] == "1" && first["Content-Length"] == "5")
        #expect(!bench.isStored())
        _ = try await bench.get()
        let second = try await bench.get(method: "HEAD")
        #expect(second.body == "" && second["X-It"] == "1")
        #expect(bench.origin.count() == 2)
    }

    @Test("a challenge for Basic authentication is put to the delegate until it has no more credentials")
    func challenge() async throws {
        let bench = try SessionBench()
        let right = "Basic " + Data("me:secret".utf8).base64EncodedString()
        bench.origin.reply { request in
            request["Authorization"] == right
                ? OriginReply([("Cache-Control", "max-age=60")], text: "welcome")
                : OriginReply(
                    status: 401, [("WWW-Authenticate", "Basic realm=\"a, \\\"b\\\"\", charset=\"UTF-8\"")], text: "no")
        }
        let without = try await bench.get()
        #expect(without.status == 401 && without.body == "no")

        let knowing = Credentials(["wrong", "secret"])
        let got = try await bench.session.data(for: bench.request(), delegate: knowing)
        #expect(got.0 == Data("welcome".utf8))
        #expect(knowing.asked == ["a, \"b\" 0", "a, \"b\" 1"])
        #expect(try await bench.get().body == "welcome", "out of the cache")

        let request = bench.request(policy: .reloadIgnoringLocalCacheData)
        let ignorant = try await bench.session.data(for: request, delegate: Credentials(["wrong"]))
        #expect((ignorant.1 as? HTTPURLResponse)?.statusCode == 401)
        let cancelling = await thrown { _ = try await bench.session.data(for: request, delegate: Credentials([])) }
        #expect(cancelling?.code == .userCancelledAuthentication)
    }

    @Test("a 401 that was stored does not answer a request with credentials, unless the policy forbids loading")
    func storedChallenge() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            let fields = [("Cache-Control", "max-age=60"), ("WWW-Authenticate", "Basic realm=\"a\"")]
            return OriginReply(
                status: request["Authorization"] == nil ? 401 : 200, fields, text: request["Authorization"] ?? "no")
        }
        for _ in 0..<2 { #expect(try await bench.get().status == 401) }
        #expect(bench.origin.count() == 1)
        let offline = bench.request(policy: .returnCacheDataDontLoad, ["Authorization": "Basic QQ=="])
        #expect(try await bench.get(offline).status == 401)
        let knowing = Credentials(["secret"])
        let met = try await bench.session.data(for: bench.request(), delegate: knowing)
        #expect(met.0 == Data(("Basic " + Data("me:secret".utf8).base64EncodedString()).utf8))
        #expect(knowing.asked.count == 1 && bench.origin.count() == 2)
        bench.cache?.removeAllCachedResponses()
        #expect(try await bench.get().status == 401)
        #expect(try await bench.get("/a", ["Authorization": "Basic QQ=="]).body == "Basic QQ==")
        #expect(bench.origin.count() == 4)
    }

    @Test(
        "a realm is found among other challenges",
        arguments: [
            ("Basic realm=\"a\"", "a"), ("basic  realm = b", "b"),
            ("Digest realm=\"x\", nonce=\"Basic\", algorithm=X, Basic realm=\"a\"", "a"),
            ("Negotiate, Basic charset=\"UTF-8\", realm=\"a\"", "a"), ("Basic", ""), ("Basic, Digest realm=\"x\"", ""),
            ("Digest realm=\"Basic realm=1\"", nil), ("", nil), (",,", nil), ("Basic realm=\"open", "open"),
        ] as [(String, String?)])
    func realm(field: String, realm: String?) async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(status: 401, [("WWW-Authenticate", field)]) }
        let delegate = Credentials(["x"])
        _ = try await bench.session.data(for: bench.request(), delegate: delegate)
        #expect(delegate.asked.first == realm.map { "\($0) 0" })
    }

    @Test("a body over 5 % of the larger tier is handed out whole and not stored", arguments: [true, false])
    func tooLarge(isChunked: Bool) async throws {
        let bench = try SessionBench()
        let body = [UInt8](repeating: 0x61, count: (1 << 20) / 20 + 1)
        bench.origin.reply { _ in
            OriginReply([("Cache-Control", "max-age=60")], body: body, framing: isChunked ? .chunked : .length)
        }
        for use in [Use.async, .stream, .completionHandler, .delegate] {
            #expect(try await use.perform(bench).utf8.elementsEqual(body))
        }
        #expect(!bench.isStored() && bench.origin.count() == 4)
    }

    @Test("requests that miss at the same time share one fetch, and one that is cancelled disturbs no other (C14)")
    func singleFlight() async throws {
        let bench = try SessionBench()
        let hold = Hold()
        bench.origin.reply { _ in
            var reply = OriginReply([("Cache-Control", "max-age=60")], text: "hello")
            reply.holdHead = hold
            return reply
        }
        let first = Task { try await bench.get() }
        await hold.reached()
        let others = (0..<8).map { _ in Task { try await bench.get() } }
        let impatient = Task { try await bench.get() }
        impatient.cancel()
        #expect(await thrown { _ = try await impatient.value }?.code == .cancelled)
        hold.release()
        #expect(try await first.value.body == "hello")
        for other in others { #expect(try await other.value.body == "hello") }
        #expect(bench.origin.count() == 1)
    }

    @Test("a task has counted the bytes that its delegate is handed") func countedBytes() async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(text: String(repeating: "hello", count: 200_000)) }
        let delegate = Counting()
        bench.session.dataTask(with: bench.request(), delegate: delegate).resume()
        for await _ in delegate.ends {}
        let counts = delegate.counts.withLock { $0 }
        #expect(counts.last?.handed == 1_000_000)
        #expect(counts.allSatisfy { $0.handed == $0.counted }, "\(counts)")
    }

    @Test("a task goes through the states that URLSession's have, and tells its delegate")
    func taskStates() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            request.path == "/a" ? OriginReply(status: 302, [("Location", "/b")]) : OriginReply(text: "hello")
        }
        let delegate = Collecting()
        let task = bench.session.dataTask(with: bench.request(), delegate: delegate)
        #expect(task.state == .suspended && task.response == nil)
        task.resume()
        #expect(await delegate.body() == "hello")
        #expect(delegate.log == ["200", "data", "end"])
        #expect(task.state == .completed && task.countOfBytesReceived == 5 && task.error == nil)
        #expect(task.originalRequest.url == bench.origin.url("/a") && task.currentRequest.url == bench.origin.url("/b"))
        #expect(task.answerSource == .fetched)

        let never = Collecting()
        let cancelled = bench.session.dataTask(with: bench.request(), delegate: never)
        cancelled.cancel()
        _ = await never.body()
        #expect(never.log == ["-999"] && cancelled.error?.code == .cancelled)
        // The delegate hears of the end while the request is still counted.
        while bench.session.underWay.requests > 0 { await Task.yield() }
    }

    @Test(
        "a time-out that is endless, not above 0 or not a number fails nothing",
        arguments: [Double.nan, .infinity, 1e300, 0, -1])
    func oddTimeouts(seconds: Double) async throws {
        let bench = try SessionBench { configuration in
            configuration.urlSession.timeoutIntervalForRequest = seconds
            configuration.urlSession.timeoutIntervalForResource = seconds
        }
        bench.origin.reply { _ in OriginReply(text: "hello") }
        // Of a GET the engine keeps the time without progress, and of others the transport.
        for method in ["GET", "POST"] {
            var request = bench.request(method: method, policy: .reloadIgnoringLocalCacheData)
            #expect(try await bench.get(request).body == "hello")
            request.timeoutInterval = seconds
            #expect(try await bench.get(request).body == "hello")
        }
    }

    @Test("a text that is not a URL of http or https is refused with an error that says so")
    func otherSchemes() async throws {
        let bench = try SessionBench()
        let error = await thrown { _ = try await bench.session.data(from: URL(string: "file:///etc/passwd")!) }
        #expect(error?.code == .unsupportedURL && error?.localizedDescription.contains("file:///etc/passwd") == true)
    }

    @Test(
        "a URL without a host is refused, and no request is sent (RFC 9110, section 4.2.1)",
        arguments: ["http:///127.0.0.1:PORT/a", "http:/127.0.0.1:PORT/a", "http:a"])
    func noHost(text: String) async throws {
        let bench = try SessionBench()
        let url = try #require(URL(string: text.replacing("PORT", with: "\(bench.origin.port)")))
        let error = await thrown { _ = try await bench.session.data(from: url) }
        #expect(error?.code == .badURL && error?.localizedDescription.contains("names no host") == true)
        #expect(bench.origin.count() == 0)
    }

    @Test("each GET with a body is sent to the origin, and its answer is not stored") func bodiesOfGets() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            OriginReply([("Cache-Control", "max-age=60")], text: String(decoding: request.body, as: UTF8.self))
        }
        for text in ["one", "two"] {
            var request = bench.request("/search", ["Content-Type": "text/plain"])
            request.httpBody = Data(text.utf8)
            #expect(try await bench.get(request).body == text)
        }
        #expect(!bench.isStored("/search"))
        for _ in 0..<2 { #expect(try await bench.get("/search").body.isEmpty) }
        #expect(bench.origin.count() == 3)
        var another = bench.request("/search", ["Content-Type": "text/plain"])
        another.httpBody = Data("three".utf8)
        #expect(try await bench.get(another).body == "three")
    }
}
/// Tries one password after the other; with none at all it cancels.
///
/// `@unchecked Sendable`: the variables are touched under the lock alone.
private final class Credentials: CachingSessionDelegate, @unchecked Sendable {
    private let lock = Lock()
    private let passwords: [String]
    private var realms: [String] = []

    init(_ passwords: [String]) { self.passwords = passwords }

    var asked: [String] { lock.withLock { realms } }

    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        lock.withLock { realms.append("\(challenge.protectionSpace.realm ?? "") \(challenge.previousFailureCount)") }
        if passwords.isEmpty { return (.cancelAuthenticationChallenge, nil) }
        guard challenge.previousFailureCount < passwords.count else { return (.performDefaultHandling, nil) }
        return (
            .useCredential,
            URLCredential(user: "me", password: passwords[challenge.previousFailureCount], persistence: .none)
        )
    }
}

/// A cache whose every lookup and store goes through what a subclass may override.
private final class Subclass: ResponseCache, @unchecked Sendable {}

/// Notes how many bytes it was handed, and how many its task had counted by then.
private final class Counting: CachingSessionDelegate, Sendable {
    let counts = Locked<[(handed: Int64, counted: Int64)]>([])
    let (ends, end) = AsyncStream<Void>.makeStream()

    func session(_ session: CachingSession, task: CachingTask, didReceive data: Data) async {
        counts.withLock { $0.append((($0.last?.handed ?? 0) + Int64(data.count), task.countOfBytesReceived)) }
    }

    func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async {
        end.finish()
    }
}
