import LoopbackOrigin
import Testing
import URLCaching

/// The delegate's answer to `willCacheResponse` for what refreshes a stale answer, however its task and session ended
/// (A5, C12, E1).
@Suite(.timeLimit(.minutes(60))) struct RefreshConsentTests {
    private let cache = SessionBench.memoryCache()
    private let origin: LoopbackOrigin

    init() throws { origin = try LoopbackOrigin() }

    private func session(_ delegate: LoggingDelegate) -> CachingSession {
        let configuration = URLSessionConfiguration.patient
        configuration.urlCache = cache
        return CachingSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
    }

    private var stored: String? {
        cache.cachedResponse(for: URLRequest(url: origin.url("/a"))).map { String(decoding: $0.data, as: UTF8.self) }
    }

    /// Stores an answer that is stale at once.
    private func storeStale() async throws {
        let fields = [("Cache-Control", "max-age=0, stale-while-revalidate=1000000"), ("ETag", "\"1\"")]
        origin.reply { _ in OriginReply(fields, text: "old") }
        _ = try await session(LoggingDelegate()).data(from: origin.url("/a"))
        #expect(stored == "old")
    }

    @Test("a session that is invalidated under a refresh asks its delegate before it is invalid")
    func invalidated() async throws {
        try await storeStale()
        let delegate = LoggingDelegate(.init(stores: false))
        let session = session(delegate)
        let hold = Hold()
        origin.reply { _ in
            var reply = OriginReply([("Cache-Control", "max-age=1000000")], text: "new")
            reply.holdHead = hold
            return reply
        }
        let task: URLSessionDataTask = session.dataTask(with: origin.url("/a"))
        task.resume()
        session.finishTasksAndInvalidate()
        await delegate.end()
        await hold.reached()
        hold.release()
        for await _ in delegate.invalidated.stream {}
        #expect(delegate.log == ["response 200", "data", "end", "will cache 3 of 3", "invalid"])
        #expect(stored == nil)
    }

    @Test("a task that is cancelled on a stale hit leaves the refresh, which is stored", arguments: [200, 304])
    func cancelled(status: Int) async throws {
        try await storeStale()
        let delegate = LoggingDelegate(.init(disposition: .cancel))
        let session = session(delegate)
        origin.reply { _ in
            let fields = [("Cache-Control", "max-age=1000000"), ("ETag", "\"1\"")]
            return OriginReply(status: status, fields, text: status == 200 ? "new" : "")
        }
        let task: URLSessionDataTask = session.dataTask(with: origin.url("/a"))
        task.resume()
        session.finishTasksAndInvalidate()
        for await _ in delegate.invalidated.stream {}
        #expect(delegate.log.starts(with: ["response 200"]) && delegate.log.contains("failed -999"))
        #expect(stored == (status == 200 ? "new" : "old") && origin.count() == 2)
    }

    @Test("cancelling everything ends the refresh, and the session is invalid") func cancelledAll() async throws {
        try await storeStale()
        let delegate = LoggingDelegate()
        let session = session(delegate)
        let hold = Hold()
        defer { hold.release() }
        origin.reply { _ in
            var reply = OriginReply(text: "new")
            reply.holdHead = hold
            return reply
        }
        let task: URLSessionDataTask = session.dataTask(with: origin.url("/a"))
        task.resume()
        await delegate.end()
        await hold.reached()
        session.invalidateAndCancel()
        for await _ in delegate.invalidated.stream {}
        #expect(delegate.log == ["response 200", "data", "end", "invalid"] && stored == "old")
    }
}
