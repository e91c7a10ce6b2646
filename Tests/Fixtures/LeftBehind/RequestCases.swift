import LoopbackOrigin
import Platform
import URLCaching

/// A request over libcurl, with each of its outcomes.
enum RequestCases {
    static let all: [Case] =
        outcomes + interruptions + [
            Case("request/validated") { _ in
                let bench = try Bench { request, _ in
                    OriginReply(
                        status: request.isConditional ? 304 : 200, [("ETag", "\"a\""), ("Cache-Control", "no-cache")],
                        text: request.isConditional ? "" : "hello")
                }
                return { for _ in 0..<3 { try await bench.expect(.status(200), bench.request()) } }
            },
            Case("request/with a body") { _ in
                let bench = try Bench { _, _ in OriginReply(text: "taken") }
                let body = [UInt8](repeating: 1, count: 4_000)
                return { try await bench.expect(.status(200), bench.request(method: "POST", body: body)) }
            },
            Case("request/with a body from a file") { directory in
                let bench = try Bench { _, _ in OriginReply(text: "taken") }
                let file = URL(filePath: directory + "/upload")
                try Data(count: 4_000).write(to: file)
                return {
                    _ = try await bench.session.upload(for: bench.request(method: "PUT"), fromFile: file)
                    await bench.quiet()
                }
            },
            Case("request/that is refused before it is sent") { _ in
                let bench = try Bench { _, _ in OriginReply(text: "hello") }
                guard let ftp = URL(string: "ftp://a.example/") else { throw Unexpected("no URL") }
                return {
                    try await bench.expect(.error(.unsupportedURL), URLRequest(url: ftp))
                    var request = bench.request()
                    request.httpMethod = "GE T"
                    try await bench.expect(.error(.badURL), request)
                }
            },
            Case("request/to a port without an origin") { _ in
                let bench = try Bench { _, _ in OriginReply(text: "hello") }
                bench.origin.stop()
                return { try await bench.expect(.error(.cannotConnectToHost), bench.request()) }
            },
            Case("request/several share one fetch") { _ in
                // A task that comes too late fetches for itself: not on a second connection, which would stay open.
                let bench = try Bench({ $0.urlSession.httpMaximumConnectionsPerHost = 1 }) { _, hold in
                    var reply = OriginReply([("Cache-Control", "max-age=0")], text: "hello")
                    reply.holdHead = hold
                    return reply
                }
                return {
                    try await bench.holding { hold in
                        let tasks = (0..<4).map { _ in Task { try await bench.session.data(for: bench.request()) } }
                        await hold.reached()
                        tasks[0].cancel()
                        hold.release()
                        for task in tasks { _ = await task.result }
                        await bench.quiet()
                    }
                }
            },
            Case("request/downloads") { _ in
                let bench = try Bench { _, _ in OriginReply(body: [UInt8](repeating: 1, count: 100_000)) }
                return {
                    let (file, _) = try await bench.session.download(for: bench.request())
                    try FileManager.default.removeItem(at: file)
                    await bench.quiet()
                }
            },
            Case("request/a download that breaks off") { _ in
                let bench = try Bench { _, _ in
                    OriginReply(body: [UInt8](repeating: 1, count: 100_000), cut: .closed(after: 50_000))
                }
                return {
                    let file = try? await bench.session.download(for: bench.request())
                    try require(file == nil, "downloaded")
                    await bench.quiet()
                }
            },
        ]

    // MARK: An outcome that a reply makes

    private static let outcomes: [Case] = [
        outcome("an answer", .status(200)) { _ in OriginReply([("Cache-Control", "no-store")], text: "hello") },
        outcome("stored", .status(200)) { _ in OriginReply([("Cache-Control", "max-age=60")], text: "hello") },
        outcome("an error of the origin", .status(503)) { _ in OriginReply(status: 503, text: "later") },
        outcome("a challenge", .status(401)) { _ in
            OriginReply(status: 401, [("WWW-Authenticate", "Basic realm=\"a\", Digest realm=\"b\", nonce=\"c\"")])
        },
        outcome("redirected", .status(200)) {
            $0.path == "/" ? OriginReply(status: 302, [("Location", "/end")]) : OriginReply(text: "hello")
        },
        outcome("redirected for ever", .error(.httpTooManyRedirects)) { _ in
            OriginReply(status: 307, [("Location", "/")])
        },
        outcome("a header that is too long", .error(.dataLengthExceedsMaximum)) { _ in
            OriginReply([("X-Long", String(repeating: "a", count: 50_000))], text: "hello")
        },
        outcome("a damaged header", .error(.badServerResponse)) { _ in
            var reply = OriginReply(text: "hello")
            reply.rawHead = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6".utf8)
            return reply
        },
        outcome("no answer", .error(.networkConnectionLost)) { _ in OriginReply(text: "hello", cut: .withoutAnswer) },
        outcome("closed within the body", .error(.networkConnectionLost)) { _ in
            OriginReply(text: "hello, hello", cut: .closed(after: 5))
        },
        outcome("reset within the body", .error(.networkConnectionLost)) { _ in
            OriginReply(text: "hello, hello", framing: .chunked, cut: .reset(after: 5))
        },
        outcome("a cookie", .status(200)) { _ in OriginReply([("Set-Cookie", "a=b; Max-Age=0")], text: "hello") },
    ]

    private static func outcome(
        _ name: String, _ expected: Bench.Expected, reply: @escaping @Sendable (OriginRequest) -> OriginReply
    ) -> Case {
        Case("request/\(name)") { _ in
            let bench = try Bench({ $0.largestHeader = 8_192 }) { request, _ in reply(request) }
            return { try await bench.expect(expected, bench.request()) }
        }
    }

    // MARK: An end that the application makes

    private static let interruptions: [Case] = [
        held("cancelled before the header", in: \.holdHead) { bench, hold in
            let task = Task { try await bench.session.data(for: bench.request()) }
            await hold.reached()
            task.cancel()
            try require((try? await task.value) == nil, "answered")
        },
        held("timed out before the header", in: \.holdHead) { bench, _ in
            var request = bench.request()
            request.timeoutInterval = 0.01
            try await bench.expect(.error(.timedOut), request)
        },
        held("cancelled within the body", in: \.holdBodyHalfWay) { bench, hold in
            let task = Task {
                for try await _ in try await bench.session.bytes(for: bench.request()).0 {}
            }
            await hold.reached()
            task.cancel()
            _ = await task.result
        },
        held("timed out within the body", in: \.holdBodyHalfWay) { bench, _ in
            var request = bench.request()
            request.timeoutInterval = 0.01
            try await bench.expect(.error(.timedOut), request)
        },
        held("dropped within the body", in: \.holdBodyHalfWay) { bench, hold in
            do {
                var parts = try await bench.session.bytes(for: bench.request()).0.makeAsyncIterator()
                _ = try await parts.next()
            }
            hold.release()
        },
        held("a task that is cancelled", in: \.holdHead) { bench, hold in
            await withCheckedContinuation { continuation in
                let task = bench.session.dataTask(with: bench.request()) { _, _, _ in continuation.resume() }
                task.resume()
                Task {
                    await hold.reached()
                    task.cancel()
                }
            }
        },
    ]

    private static func held(
        _ name: String, in place: WritableKeyPath<OriginReply, Hold?> & Sendable,
        _ ask: @escaping @Sendable (Bench, Hold) async throws -> Void
    ) -> Case {
        Case("request/\(name)") { _ in
            let bench = try Bench { _, hold in
                var reply = OriginReply(body: [UInt8](repeating: 1, count: 10_000))
                reply[keyPath: place] = hold
                return reply
            }
            return {
                try await bench.holding { try await ask(bench, $0) }
                await bench.quiet()
            }
        }
    }
}

extension OriginReply {
    fileprivate var holdBodyHalfWay: Hold? {
        get { holdBody?.hold }
        set { holdBody = newValue.map { (body.count / 2, $0) } }
    }
}

extension OriginReply {
    /// A text whose sending breaks off.
    fileprivate init(text: String, framing: Framing = .length, cut: Cut) {
        self.init(body: Array(text.utf8), framing: framing, cut: cut)
    }
}
