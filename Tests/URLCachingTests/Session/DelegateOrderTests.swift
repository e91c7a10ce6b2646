import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// A delegate of URLSession's kind is told of what happens on its queue, in URLSession's order.
@Suite(.timeLimit(.minutes(60))) struct DelegateOrderTests {
    private static let origin: @Sendable (OriginRequest) -> OriginReply = { request in
        switch request.path {
        case "/moved": OriginReply(status: 302, [("Location", "/a")])
        case "/secret" where request["Authorization"] == nil:
            OriginReply(status: 401, [("WWW-Authenticate", "Basic realm=\"door\"")])
        case "/none": OriginReply(status: 404, body: Array("nothing".utf8))
        default:
            OriginReply(
                status: 200, [("Cache-Control", "max-age=1000000")], body: Array("hello, \(request.method)".utf8))
        }
    }

    private func run(
        _ path: String, _ answers: LoggingDelegate.Answers = .init(), cached: Bool = false,
        _ edit: (CachingSession, URLSessionDataTask) -> Void = { _, _ in }
    ) async throws -> (LoggingDelegate, CachingSession, LoopbackOrigin) {
        let origin = try LoopbackOrigin(Self.origin)
        let delegate = LoggingDelegate(answers)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = CachingSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
        if cached { _ = try await session.data(from: origin.url(path)) }
        let task: URLSessionDataTask = session.dataTask(with: origin.url(path))
        edit(session, task)
        task.resume()
        await delegate.end()
        #expect(delegate.callsElsewhere == 0)
        #expect(delegate.sessions.withLock { $0.allSatisfy { $0.delegate === delegate } })
        return (delegate, session, origin)
    }

    @Test("a data task: response, body, whether to cache it, end") func data() async throws {
        let (delegate, session, origin) = try await run("/a")
        #expect(delegate.log == ["response 200", "data", "will cache 10 of 10", "end"])
        #expect(delegate.body == Data("hello, GET".utf8))
        #expect(session.cache?.cachedResponse(for: URLRequest(url: origin.url("/a"))) != nil)
    }

    @Test("an answer out of the cache is not proposed to it again") func hit() async throws {
        let (delegate, _, origin) = try await run("/a", cached: true)
        #expect(delegate.log.suffix(3) == ["response 200", "data", "end"] && origin.count() == 1)
        #expect(delegate.log.filter { $0.hasPrefix("will cache") }.count == 1)
    }

    @Test("a redirection is asked about first, and is the answer where it is refused") func redirection() async throws {
        let (followed, _, _) = try await run("/moved")
        #expect(
            followed.log == ["redirected 302 to /a", "response 200", "data", "will cache 10 of 10", "end"])
        let (refused, _, origin) = try await run("/moved", .init(followsRedirections: false))
        #expect(refused.log == ["redirected 302 to /a", "response 302", "end"] && origin.count() == 1)
    }

    @Test("a challenge is put to the delegate, whose credential is sent") func challenge() async throws {
        let credential = URLCredential(user: "user", password: "word", persistence: .none)
        let (delegate, _, origin) = try await run("/secret", .init(credential: credential))
        #expect(delegate.log == ["challenged by door", "response 200", "data", "will cache 10 of 10", "end"])
        #expect(origin.requests.last?["Authorization"] == "Basic dXNlcjp3b3Jk")
        let (without, _, _) = try await run("/secret")
        #expect(without.log == ["challenged by door", "response 401", "end"])
    }

    @Test("the delegate's answers hold: it stores nothing, in memory alone, or cancels") func answers() async throws {
        let (nothing, session, origin) = try await run("/a", .init(stores: false))
        #expect(nothing.log == ["response 200", "data", "will cache 10 of 10", "end"])
        #expect(session.cache?.cachedResponse(for: URLRequest(url: origin.url("/a"))) == nil)
        let (_, other, second) = try await run("/a", .init(storagePolicy: .allowedInMemoryOnly))
        let kept = other.cache?.cachedResponse(for: URLRequest(url: second.url("/a")))
        #expect(kept?.storagePolicy == .allowedInMemoryOnly)
        let (cancelled, _, _) = try await run("/a", .init(disposition: .cancel))
        #expect(cancelled.log.first == "response 200" && cancelled.log.last == "failed -999")
        #expect(!cancelled.log.contains("data"))
    }

    @Test("a data task becomes a download, and its body a file") func becomesDownload() async throws {
        // By its number, since Foundation on Linux warns of the name: there it has no effect.
        let becomeDownload = try #require(URLSession.ResponseDisposition(rawValue: 2))
        let (delegate, _, _) = try await run("/a", .init(disposition: becomeDownload))
        #expect(delegate.log == ["response 200", "became a download", "wrote 10 of 10", "file", "end"])
        #expect(delegate.file.withLock { $0 } == Data("hello, GET".utf8))
    }

    @Test("a task's own delegate is asked before the session's, which is asked where that one has no answer")
    func own() async throws {
        let own = LoggingDelegate()
        let plain = PlainTaskDelegate()
        let (delegate, _, _) = try await run("/a") { $1.delegate = plain }
        #expect(plain.ends.withLock { $0 } == 1 && delegate.log.first == "response 200")
        let (others, _, _) = try await runWithout(own)
        #expect(others.isEmpty && own.log == ["response 200", "data", "will cache 10 of 10", "end"])
    }

    private func runWithout(_ own: LoggingDelegate) async throws -> ([String], CachingSession, LoopbackOrigin) {
        let origin = try LoopbackOrigin(Self.origin)
        let session = CachingSession(configuration: .ephemeral)
        let task = session.dataTask(with: origin.url("/a"))
        task.delegate = own
        task.resume()
        await own.end()
        return ([], session, origin)
    }

    @Test("a delegate of one request is asked about it, and told nothing of its body") func async() async throws {
        let origin = try LoopbackOrigin(Self.origin)
        let session = CachingSession(configuration: .ephemeral)
        let credential = URLCredential(user: "user", password: "word", persistence: .none)
        let delegate = LoggingDelegate(.init(credential: credential))
        let (data, _) = try await session.data(from: origin.url("/secret"), delegate: delegate)
        #expect(data == Data("hello, GET".utf8) && delegate.log.first == "challenged by door")
        #expect(!delegate.log.contains("data") && !delegate.log.contains("end"))
    }

    @Test("a handler is called on the queue, once") func handler() async throws {
        let origin = try LoopbackOrigin(Self.origin)
        let queue = OperationQueue()
        let session = CachingSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        let (calls, call) = AsyncStream<Bool>.makeStream()
        session.dataTask(with: origin.url("/a")) { _, _, _ in call.yield(OperationQueue.current === queue) }.resume()
        for await isOnQueue in calls {
            #expect(isOnQueue)
            break
        }
    }
}

/// Has one method alone.
private final class PlainTaskDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    let ends = Locked(0)

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        ends.withLock { $0 += 1 }
        // Passed on, so that the test is told.
        (session.delegate as? LoggingDelegate)?.urlSession(session, task: task, didCompleteWithError: error)
    }
}
