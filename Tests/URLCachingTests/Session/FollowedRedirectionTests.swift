import HTTPCache
import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// Redirections that a session follows, or not.
@Suite(.timeLimit(.minutes(60))) struct FollowedRedirectionTests {
    @Test("the body of a redirection is read to its end, so that it is stored")
    func redirectionWithBody() async throws {
        let bench = try SessionBench()
        let hold = Hold()
        bench.origin.reply { request in
            guard request.path == "/a" else { return OriginReply([("Cache-Control", "max-age=60")], text: "here") }
            var reply = OriginReply(status: 301, [("Location", "/b"), ("Cache-Control", "max-age=60")], text: "moved")
            reply.holdBody = (2, hold)
            return reply
        }
        async let first = bench.get()
        await hold.reached()
        hold.release()
        #expect(try await first.body == "here")
        #expect(try await bench.get().body == "here")
        #expect(bench.origin.count("/a") == 1 && bench.cache?.cachedResponse(for: bench.request())?.data.count == 5)
    }

    @Test("a redirection or a challenge whose body stops is followed all the same", arguments: [302, 401])
    func stoppedBody(status: Int) async throws {
        // The clock goes on until the answer is there.
        let bench = try SessionBench { configuration in
            configuration.urlSession.timeoutIntervalForRequest = .infinity
            configuration.urlSession.timeoutIntervalForResource = .infinity
        }
        let hold = Hold()
        defer { hold.release() }
        bench.origin.reply { request in
            if request.path == "/b" || request["Authorization"] != nil { return OriginReply(text: "here") }
            let fields = [status == 401 ? ("WWW-Authenticate", "Basic realm=\"a\"") : ("Location", "/b")]
            var reply = OriginReply(status: status, fields, text: "moved")
            reply.holdBody = (2, hold)
            return reply
        }
        let isOver = Locked(false)
        let answer = Task {
            defer { isOver.withLock { $0 = true } }
            return Got(try await bench.session.data(for: bench.request(), delegate: Knowing()))
        }
        await hold.reached()
        while !isOver.withLock({ $0 }) {
            bench.clock.advance(by: 1)
            await Task.yield()
        }
        #expect(try await answer.value.body == "here")
    }

    @Test("redirections are followed, out of the cache where they are stored", arguments: [301, 302, 303, 307, 308])
    func redirection(status: Int) async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            request.path == "/a"
                ? OriginReply(status: status, [("Location", "b?c=1"), ("Cache-Control", "max-age=60")], text: "moved")
                : OriginReply([("Cache-Control", "max-age=60")], text: "here")
        }
        for _ in 0..<2 {
            let got = try await bench.get("/a")
            #expect(got.status == 200 && got.body == "here")
            #expect(got.response.url == bench.origin.url("/b?c=1"))
        }
        #expect(bench.origin.count("/a") == 1 && bench.origin.count("/b?c=1") == 1)
    }

    @Test(
        "stored redirections that the site has turned round end at the origin's answer",
        arguments: [URLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataElseLoad])
    func turnedRound(policy: URLRequest.CachePolicy) async throws {
        let bench = try SessionBench()
        let isTurned = Locked(false)
        bench.origin.reply { request in
            let target = isTurned.withLock { $0 } ? "/new" : "/old"
            let other = target == "/new" ? "/old" : "/new"
            if request.path == target { return OriginReply([("Cache-Control", "max-age=1000")], text: target) }
            return OriginReply(status: request.path == other ? 301 : 404, [("Location", target)], text: "moved")
        }
        #expect(try await bench.get("/new").body == "/old")
        isTurned.withLock { $0 = true }
        bench.cache?.removeCachedResponse(for: bench.request("/old"))
        // The stored /new leads to /old, which leads back.
        #expect(try await bench.get("/new", policy: policy).body == "/new")
        #expect(try await bench.get("/old", policy: policy).body == "/new")
        #expect(bench.origin.count("/new") == 2 && bench.origin.count("/old") == 2)
        // Offline the stored ones are all that there is.
        let offline = URLRequest.CachePolicy.returnCacheDataDontLoad
        #expect(try await bench.get("/old", policy: offline).body == "/new")
    }

    @Test("a site that redirects in a circle is an error after 20 redirections, each asked of the site")
    func circle() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            OriginReply(status: 301, [("Location", request.path == "/a" ? "/b" : "/a")], text: "moved")
        }
        #expect(await thrown { _ = try await bench.get("/a") }?.code == .httpTooManyRedirects)
        #expect(bench.origin.count() == 21)
        let offline = await thrown { _ = try await bench.get("/a", policy: .returnCacheDataDontLoad) }
        #expect(offline?.code == .httpTooManyRedirects && bench.origin.count() == 21)
    }

    @Test("what becomes of method and body on a redirection", arguments: [301, 302, 303, 307, 308])
    func redirectedPost(status: Int) async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            request.path == "/a"
                ? OriginReply(status: status, [("Location", "/b")])
                : OriginReply(text: "\(request.method) \(String(decoding: request.body, as: UTF8.self))")
        }
        var post = bench.request("/a", method: "POST")
        post.httpBody = Data("text".utf8)
        #expect(try await bench.get(post).body == (status < 304 ? "GET " : "POST text"))
    }

    @Test(
        "a streamed body is sent once: 303 drops it, and 307 is an error that says what to do", arguments: [303, 307])
    func redirectedStream(status: Int) async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            request.path == "/a"
                ? OriginReply(status: status, [("Location", "/b")])
                : OriginReply(text: "\(request.method) \(request.body.count)")
        }
        var post = bench.request("/a", method: "POST")
        post.httpBodyStream = InputStream(data: Data("text".utf8))
        let sent = post
        if status == 303 {
            #expect(try await bench.get(sent).body == "GET 0")
        } else {
            let error = await thrown { _ = try await bench.get(sent) }
            #expect(error?.code == .requestBodyStreamExhausted)
            #expect(error?.localizedDescription.contains("set httpBody") == true)
        }
        #expect(bench.origin.requests.first?.body == Array("text".utf8))
        #expect(bench.origin.count("/b") == (status == 303 ? 1 : 0))
    }

    @Test("a redirection keeps the fragment unless it has another one (RFC 9110, section 10.2.2)")
    func fragment() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            request.path == "/b" ? OriginReply(text: "hello") : OriginReply(status: 302, [("Location", "/b")])
        }
        #expect(try await bench.get("/a#part").response.url?.fragment == "part")
        bench.origin.reply { request in
            request.path == "/b" ? OriginReply(text: "hello") : OriginReply(status: 302, [("Location", "/b#other")])
        }
        #expect(try await bench.get("/a#part").response.url?.fragment == "other")
        #expect(bench.origin.requests.last?.path == "/b", "no fragment is sent")
    }

    /// URLRequest has 60 s by default, which cannot be told from 60 s that an application set.
    @Test(
        "a request's own time-out goes before the session's, whichever is longer, and 60 s counts as not set",
        arguments: [(5.0, 5.0), (500, 500), (60, 90), (nil, 90)] as [(Double?, Double)])
    func timeouts(own: Double?, expected: Double) async throws {
        final class Listening: Transport, Sendable {
            let timeouts = Locked<[Double?]>([])

            func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
                timeouts.withLock { $0.append(request.timeout) }
                throw URLError(.cannotConnectToHost)
            }
        }
        let listening = Listening()
        let bench = try SessionBench(transport: listening) {
            $0.urlSession.timeoutIntervalForRequest = 90
        }
        var request = bench.request(method: "POST")
        if let own { request.timeoutInterval = own }
        let sent = request
        #expect(await thrown { _ = try await bench.get(sent) } != nil)
        #expect(listening.timeouts.withLock { $0 } == [expected])
    }

    @Test("a redirection without a place to go is the answer", arguments: [nil, "", " "])
    func redirectionToNowhere(location: String?) async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(status: 302, location.map { [("Location", $0)] } ?? [], text: "lost") }
        let got = try await bench.get("/a")
        #expect(got.status == 302 && got.body == "lost" && bench.origin.count() == 1)
    }

    @Test("more than 20 redirections are an error, and one out of http is refused")
    func endlessRedirections() async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(status: 302, [("Location", "/a")]) }
        #expect(await thrown { _ = try await bench.get() }?.code == .httpTooManyRedirects)
        #expect(bench.origin.count() == 21)
        bench.origin.reply { _ in OriginReply(status: 302, [("Location", "file:///etc/passwd")]) }
        #expect(await thrown { _ = try await bench.get() }?.code == .unsupportedURL)
        bench.origin.reply { _ in OriginReply(status: 302, [("Location", "http:///a")]) }
        #expect(await thrown { _ = try await bench.get() }?.code == .unsupportedURL)
    }

    @Test("a delegate sees a redirection out of http, and its refusal makes the 3xx the answer")
    func outOfHTTP() async throws {
        let bench = try SessionBench()
        for target in ["myapp://callback?code=42", "http:///a"] {
            bench.origin.reply { _ in OriginReply(status: 302, [("Location", target)]) }
            let delegate = TargetKeeper()
            let refused = try await bench.session.data(for: bench.request(), delegate: delegate)
            #expect((refused.1 as? HTTPURLResponse)?.statusCode == 302)
            #expect(delegate.targets.withLock { $0 } == [target])
        }
        let error = await thrown { _ = try await bench.session.data(for: bench.request(), delegate: Following()) }
        #expect(error?.code == .unsupportedURL)
    }

    @Test("a delegate refuses a redirection, and the 3xx is the answer; Authorization stays with its origin")
    func redirectionDelegate() async throws {
        let other = try LoopbackOrigin { OriginReply(text: $0["Authorization"] ?? "none") }
        let bench = try SessionBench()
        bench.origin.reply { _ in OriginReply(status: 302, [("Location", other.base + "/b")]) }
        let request = bench.request("/a", ["Authorization": "secret"])
        #expect(try await bench.get(request).body == "none")
        let refused = try await bench.session.data(for: request, delegate: Refusing())
        #expect((refused.1 as? HTTPURLResponse)?.statusCode == 302)
        #expect(other.count() == 1)
    }
}

/// Follows nothing.
private final class Refusing: CachingSessionDelegate {
    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? { nil }
}

/// Refuses every redirection, and keeps where it leads.
private final class TargetKeeper: CachingSessionDelegate {
    let targets = Locked<[String]>([])

    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? {
        targets.withLock { $0.append(newRequest.url?.absoluteString ?? "") }
        return nil
    }
}

/// Leaves everything to the defaults.
private final class Following: CachingSessionDelegate {}

/// Knows a password.
private final class Knowing: CachingSessionDelegate {
    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (.useCredential, URLCredential(user: "me", password: "secret", persistence: .none))
    }
}
