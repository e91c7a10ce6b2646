import LoopbackOrigin
import Testing
import TestSupport
import URLCaching
import VirtualOrigin

/// What applications have been doing with NSURLCache for as long as there is one.
@Suite(.timeLimit(.minutes(60))) struct ClassicFlowTests {
    @Test(
        "the default cache: max-age beats a broken Expires; after it, one conditional request with the date as received"
    )
    func defaultCache() async throws {
        let bench = try SessionBench()
        // What that server sends: +0000 where HTTP has GMT.
        let modified = "Sat, 21 Nov 2026 10:00:00 +0000"
        bench.serve(
            OriginResource(
                "hello", [("Cache-Control", "max-age=60"), ("Expires", "Sat, 21 Nov 2026 10:00:05 +0000")],
                lastModified: modified))
        #expect(try await bench.get().body == "hello")
        for second in [0, 1, 30, 59] as [Int64] {
            bench.at(second)
            #expect(try await bench.get().body == "hello")
        }
        #expect(bench.origin.count() == 1)
        bench.at(60)
        #expect(try await bench.get().body == "hello")
        #expect(bench.origin.count() == 2 && bench.origin.conditionalCount() == 1)
        #expect(bench.origin.requests.last?["If-Modified-Since"] == modified)
        bench.at(119)
        #expect(try await bench.get().body == "hello")
        #expect(bench.origin.count() == 2, "the 304 was good for another max-age")
    }

    @Test("the application's own If-None-Match under a reload policy: it sees the 304 and finds the body in the cache")
    func ownEntityTag() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", entityTag: "\"v1\""))
        let first = try await bench.get(policy: .reloadIgnoringLocalCacheData)
        let tag = try #require(first["ETag"])
        let request = bench.request(policy: .reloadIgnoringLocalCacheData, ["If-None-Match": tag])
        let second = try await bench.get(request)
        #expect(second.status == 304 && second.body == "")
        let stored = try #require(bench.cache?.cachedResponse(for: request))
        #expect(stored.data == Data("hello".utf8))
    }

    @Test("the application's own If-Modified-Since under a reload policy: the date goes back as it came")
    func ownLastModified() async throws {
        let bench = try SessionBench()
        let modified = "Sat, 21 Nov 2026 10:00:00 +0000"
        bench.serve(OriginResource("hello", lastModified: modified))
        let first = try await bench.get(policy: .reloadIgnoringLocalCacheData)
        let date = try #require(first["Last-Modified"])
        let request = bench.request(policy: .reloadIgnoringLocalCacheData, ["If-Modified-Since": date])
        #expect(try await bench.get(request).status == 304)
        #expect(bench.origin.requests.last?["If-Modified-Since"] == modified)
        #expect(bench.cache?.cachedResponse(for: request)?.data == Data("hello".utf8))
    }

    @Test("everything seen once is read again after the origin has gone") func offlineReplay() async throws {
        let directory = try ScratchDirectory()
        func cache(_ clock: VirtualClock) -> ResponseCache {
            ResponseCache(
                memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory.path,
                now: { Date(timeIntervalSince1970: TimeInterval(clock.now.seconds)) })
        }
        let origin: LoopbackOrigin
        do {
            let clock = VirtualClock(seconds: SessionBench.start)
            let bench = try SessionBench(cache: cache(clock), clock: clock)
            origin = bench.origin
            bench.origin.reply { OriginResource("page \($0.path)", [("Cache-Control", "max-age=1")]).reply(to: $0) }
            for page in 0..<5 { _ = try await bench.get("/\(page)") }
        }
        origin.stop()
        // Another start of the application, a day later. The end of the last fetch may hold the first cache for a
        // moment longer, and a directory has one owner.
        let clock = VirtualClock(seconds: SessionBench.start + 86_400)
        var reopened = cache(clock)
        while reopened.diskProblem != nil {
            await Task.yield()
            reopened = cache(clock)
        }
        let later = try SessionBench(cache: reopened, clock: clock, origin: origin)
        for page in 0..<5 {
            #expect(try await later.get("/\(page)", policy: .returnCacheDataElseLoad).body == "page /\(page)")
            #expect(try await later.get("/\(page)", policy: .returnCacheDataDontLoad).body == "page /\(page)")
        }
        let error = await thrown { _ = try await later.get("/0") }
        #expect(error?.code == .cannotConnectToHost)
    }

    @Test("returnCacheDataDontLoad makes no connection") func dontLoad() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello"))
        let error = await thrown { _ = try await bench.get(policy: .returnCacheDataDontLoad) }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.localizedDescription.contains("/a") == true)
        #expect(bench.origin.connections.soFar == 0)
    }

    @Test("thumbnail and full image at one URL do not overwrite each other") func thumbnail() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            OriginReply(
                [("Cache-Control", "max-age=60"), ("Vary", "thumbnail")],
                text: request["thumbnail"] == "true" ? "small" : "full")
        }
        for _ in 0..<2 {
            #expect(try await bench.get().body == "full")
            #expect(try await bench.get("/a", ["thumbnail": "true"]).body == "small")
        }
        #expect(bench.origin.count() == 2)
    }

    @Test("a task whose body breaks off hands over the header and the error, and no data")
    func brokenTask() async throws {
        let bench = try SessionBench()
        bench.origin.reply { _ in
            var reply = OriginReply(text: "0123456789")
            reply.cut = .closed(after: 4)
            return reply
        }
        let (hasData, status, code): (Bool, Int?, URLError.Code?) = await withCheckedContinuation { continuation in
            bench.session.dataTask(with: bench.request()) { data, response, error in
                continuation.resume(
                    returning: (data != nil, (response as? HTTPURLResponse)?.statusCode, (error as? URLError)?.code))
            }.resume()
        }
        #expect(!hasData && status == 200 && code == .networkConnectionLost)
    }

    @Test("a task that was cancelled does not begin again") func resumedAfterCancellation() async throws {
        let bench = try SessionBench()
        let error: (any Error)? = await withCheckedContinuation { continuation in
            let task = bench.session.dataTask(with: bench.request()) { _, _, error in
                continuation.resume(returning: error)
            }
            task.cancel()
            task.resume()
            #expect([.canceling, .completed].contains(task.state))
        }
        #expect((error as? URLError)?.code == .cancelled)
    }

    @Test("show what is stored, then refresh") func storedThenRefreshed() async throws {
        let bench = try SessionBench()
        func shown() async -> ([String], URLError?) {
            var bodies: [String] = []
            let error = await thrown {
                for try await answer in bench.session.storedThenRefreshed(for: bench.request()) {
                    bodies.append("\(answer.source) \(String(decoding: answer.data, as: UTF8.self))")
                }
            }
            return (bodies, error)
        }
        bench.serve(OriginResource("one", [("Cache-Control", "max-age=1")], entityTag: "\"1\""))
        #expect(await shown().0 == ["fetched one"])
        #expect(await shown().0 == ["memoryHit one", "revalidated one"], "also while it is fresh")
        bench.at(100)
        #expect(await shown().0 == ["offline one", "revalidated one"])
        bench.serve(OriginResource("two", [("Cache-Control", "max-age=1")], entityTag: "\"2\""))
        bench.at(200)
        #expect(await shown().0 == ["offline one", "fetched two"])
        bench.at(300)
        bench.origin.stop()
        let offline = await shown()
        #expect(offline.0 == ["offline two"] && offline.1?.code == .cannotConnectToHost)
    }

    @Test("a POST is never stored, and outdates what a GET of the URL has stored")
    func postIsNeverStored() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            OriginReply(
                [("Cache-Control", "max-age=600")],
                text: "\(request.method) \(String(decoding: request.body, as: UTF8.self))")
        }
        var post = bench.request(method: "POST")
        for text in ["one", "two"] {
            post.httpBody = Data(text.utf8)
            #expect(try await bench.get(post).body == "POST \(text)")
        }
        #expect(bench.origin.count() == 2)
        #expect(!bench.isStored())
        #expect(try await bench.get().body == "GET ")
        #expect(bench.isStored())
        _ = try await bench.get(post)
        #expect(!bench.isStored())
    }

    @Test("a server that rolls back to an older version is believed") func rollback() async throws {
        let bench = try SessionBench()
        func serve(_ text: String, _ modified: String) {
            bench.serve(OriginResource(text, [("Cache-Control", "max-age=10")], lastModified: modified))
        }
        serve("new", "Sat, 21 Nov 2026 10:00:00 GMT")
        #expect(try await bench.get().body == "new")
        bench.at(10)
        serve("old", "Fri, 20 Nov 2026 10:00:00 GMT")
        #expect(try await bench.get().body == "old")
        bench.at(15)
        #expect(try await bench.get().body == "old")
        #expect(bench.origin.count() == 2)
    }

    @Test("a hit is looked up by the task's original request, and the task is cancelled")
    func lookupByOriginalRequest() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")]))
        _ = try await bench.get()
        let hold = Hold()
        bench.origin.reply { request in
            var reply = OriginReply(text: "late")
            reply.holdHead = hold
            return reply
        }
        let error = await withCheckedContinuation { continuation in
            let task = bench.session.dataTask(with: bench.request(policy: .reloadIgnoringLocalCacheData)) {
                _, _, error in
                continuation.resume(returning: error as? URLError)
            }
            task.resume()
            #expect(bench.cache?.cachedResponse(for: task.originalRequest)?.data == Data("hello".utf8))
            task.cancel()
        }
        hold.release()
        #expect(error?.code == .cancelled)
    }
}

/// A delegate that edits what is stored.
final class Editing: CachingSessionDelegate {
    private let edit: @Sendable (CachedURLResponse) -> CachedURLResponse?

    init(_ edit: @escaping @Sendable (CachedURLResponse) -> CachedURLResponse?) { self.edit = edit }

    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? { edit(proposed) }
}

extension CachedURLResponse {
    /// The same with another value of a field, or without it.
    func withField(_ name: String, _ value: String?) -> CachedURLResponse {
        let old = response as! HTTPURLResponse
        var fields = old.allHeaderFields as! [String: String]
        fields[name] = value
        let response = HTTPURLResponse(
            url: old.url!, statusCode: old.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)!
        return CachedURLResponse(response: response, data: data, userInfo: userInfo, storagePolicy: storagePolicy)
    }
}
