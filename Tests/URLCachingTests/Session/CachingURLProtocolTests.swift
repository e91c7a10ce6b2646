import LoopbackOrigin
import Platform
import Testing

@testable import URLCaching

/// The cache for code that only has a URLSession (E4). One after the other: the session is one for all of the class.
@Suite(.serialized, .timeLimit(.minutes(60))) struct CachingURLProtocolTests {
    let bench: SessionBench
    let outer: URLSession

    init() throws {
        // Its own configuration names the class as well, and must not lead back into it.
        bench = try SessionBench(delegate: Editing { $0.withField("Cache-Control", "max-age=60") }) { configuration in
            configuration.urlSession.protocolClasses = [Tested.self] + (configuration.urlSession.protocolClasses ?? [])
        }
        CachingURLProtocol.defaultSession = bench.session
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = [Tested.self] + (configuration.protocolClasses ?? [])
        configuration.urlCache = nil
        outer = URLSession(configuration: configuration)
    }

    @Test("hits are served and misses stored, and willCacheResponse is asked of the inner session's delegate")
    func hitsAndMisses() async throws {
        bench.serve(OriginResource("hello", [("Cache-Control", "no-cache")]))
        for second in [0, 59] as [Int64] {
            bench.at(second)
            let (data, response) = try await outer.data(from: bench.origin.url("/a"))
            #expect(data == Data("hello".utf8))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            // A fetch may be joined until its answer is stored, which the body's end does not wait for.
            while bench.cache?.cachedResponse(for: bench.request()) == nil { await Task.yield() }
        }
        #expect(bench.origin.count() == 1)
        bench.at(60)
        _ = try await outer.data(from: bench.origin.url("/a"))
        #expect(bench.origin.count() == 2)
        outer.finishTasksAndInvalidate()
    }

    @Test("completion handlers and bodies of requests work, and errors come through") func otherUses() async throws {
        bench.origin.reply { OriginReply(text: "\($0.method) \(String(decoding: $0.body, as: UTF8.self))") }
        var post = bench.request(method: "POST")
        post.httpBody = Data("text".utf8)
        let (outer, request) = (outer, post)
        let body = await withCheckedContinuation { continuation in
            outer.dataTask(with: request) { data, _, _ in continuation.resume(returning: data) }.resume()
        }
        #expect(body == Data("POST text".utf8))
        let offline = bench.request("/never", policy: .returnCacheDataDontLoad)
        #expect(await thrown { _ = try await outer.data(for: offline) }?.code == .resourceUnavailable)
        outer.finishTasksAndInvalidate()
    }

    @Test(
        "the whole body arrives by async call, completion handler and delegate",
        arguments: [0, 1, 16_384, 16_385, 100_000, 5 << 20], [true, false])
    func wholeBodies(byteCount: Int, isStored: Bool) async throws {
        let body = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        bench.origin.reply { _ in
            OriginReply([("Cache-Control", isStored ? "max-age=60" : "no-store")], body: body)
        }
        let (outer, url, whole) = (outer, bench.origin.url("/a"), Data(body))
        // A mebibyte of memory stores up to 52,428 bytes, so that the later ones are hits.
        #expect(try await outer.data(from: url).0 == whole)
        let handled = await withCheckedContinuation { continuation in
            outer.dataTask(with: url) { data, _, _ in continuation.resume(returning: data) }.resume()
        }
        #expect(handled == whole)
        outer.finishTasksAndInvalidate()

        for isInParts in [false, true] {
            let configuration = URLSessionConfiguration.default
            configuration.protocolClasses = [isInParts ? InParts.self : Tested.self]
            let collected = await withCheckedContinuation { continuation in
                let session = URLSession(
                    configuration: configuration, delegate: CollectingBody(continuation), delegateQueue: nil)
                session.dataTask(with: url).resume()
                session.finishTasksAndInvalidate()
            }
            #expect(collected == whole)
        }
    }

    @Test("a body of 100 MB arrives whole by async call") func largeBody() async throws {
        let part = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        bench.origin.reply { _ in
            var reply = OriginReply(body: part)
            reply.copies = 100
            return reply
        }
        let data = try await outer.data(from: bench.origin.url("/a")).0
        #expect(data.count == 100 << 20)
        for copy in 0..<100 { #expect(data.dropFirst(copy << 20).prefix(1 << 20) == Data(part)) }
        outer.finishTasksAndInvalidate()
    }

    @Test("download tasks are refused with an error that says what to do instead") func downloads() async throws {
        bench.serve(OriginResource("hello"))
        let (outer, url) = (outer, bench.origin.url("/a"))
        let error: (any Error)? = await withCheckedContinuation { continuation in
            outer.downloadTask(with: url) { _, _, error in continuation.resume(returning: error) }.resume()
        }
        let refusal = try #require(error as? URLError)
        #expect(refusal.code == .unsupportedURL && refusal.localizedDescription.contains("data task"))
        #expect(bench.origin.count() == 0)
        outer.finishTasksAndInvalidate()
    }

    @Test("an upload task sends its data or file, and never the request's own body", arguments: [nil, "own"])
    func uploads(own: String?) async throws {
        bench.origin.reply {
            OriginReply(text: "\($0["Content-Length"] ?? "-") \(String(decoding: $0.body, as: UTF8.self))")
        }
        var request = bench.request(method: "PUT")
        request.httpBody = own.map { Data($0.utf8) }
        let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID())")
        try Data("a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await outer.upload(for: request, from: Data("hello".utf8)).0 == Data("5 hello".utf8))
        #expect(try await outer.upload(for: request, fromFile: file).0 == Data("6 a file".utf8))
        #expect(try await outer.upload(for: request, from: Data()).0 == Data("0 ".utf8))
        outer.finishTasksAndInvalidate()
    }

    #if !canImport(Darwin)
    @Test("redirections are put to the outer session's delegate", arguments: [true, false])
    func redirections(follows: Bool) async throws {
        bench.origin.reply { request in
            request.path == "/moved"
                ? OriginReply(status: 302, [("Location", "/a")]) : OriginReply(text: "hello")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Tested.self]
        let delegate = LoggingDelegate(.init(followsRedirections: follows))
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
        session.dataTask(with: bench.origin.url("/moved")).resume()
        await delegate.end()
        let answer = follows ? ["response 200", "data", "end"] : ["response 302", "end"]
        #expect(delegate.log == ["redirected 302 to /a"] + answer)
        #expect(delegate.callsElsewhere == 0 && bench.origin.count() == (follows ? 2 : 1))
        session.finishTasksAndInvalidate()
    }
    #endif

    @Test("http and https are taken, and nothing else") func schemes() throws {
        for (url, isTaken) in [
            ("http://a.example/", true), ("HTTPS://a.example/", true), ("ftp://a.example/", false), ("/a", false),
        ] {
            let request = URLRequest(url: try #require(URL(string: url)))
            #expect(CachingURLProtocol.canInit(with: request) == isTaken)
            #expect(CachingURLProtocol.canonicalRequest(for: request) == request)
        }
    }

    #if !canImport(Darwin)
    @Test(
        "the client is called on the task's queue, since FoundationNetworking has no lock for its tasks",
        arguments: ["/a", "/none"])
    func queue(path: String) async throws {
        bench.serve(OriginResource("hello"))
        let task = outer.dataTask(
            with: bench.request(path, policy: path == "/a" ? .useProtocolCachePolicy : .returnCacheDataDontLoad))
        let (queue, key) = (try #require(task.workQueue), DispatchSpecificKey<Bool>())
        queue.setSpecific(key: key, value: true)
        let client = Client { DispatchQueue.getSpecific(key: key) == true }
        Tested(task: task, cachedResponse: nil, client: client).startLoading()
        await client.end.wait(cancelled: ())
        #expect(client.places.withLock { $0 } == (path == "/a" ? [true, true, true] : [true]))
        outer.finishTasksAndInvalidate()
    }
    #endif

    @Test("loading that was stopped does not begin, and begins once") func stoppedLoading() async throws {
        bench.serve(OriginResource("hello"))
        let client = Client()
        let stopped = Tested(request: bench.request("/stopped"), cachedResponse: nil, client: client)
        stopped.stopLoading()
        stopped.startLoading()
        let twice = Tested(request: bench.request("/twice", method: "POST"), cachedResponse: nil, client: client)
        for _ in 0..<2 { twice.startLoading() }
        await client.end.wait(cancelled: ())
        #expect(bench.origin.count("/stopped") == 0 && bench.origin.count("/twice") == 1)
        outer.finishTasksAndInvalidate()
    }

    /// A subclass, as an application may have it: the guard against re-entry knows it too.
    private final class Tested: CachingURLProtocol {}

    /// For sessions that report to delegates.
    private final class InParts: CachingURLProtocol {
        override class var deliversBodyInParts: Bool { true }
    }
}

/// Collects a body.
///
/// `@unchecked Sendable`: URLSession calls the methods one after the other.
private final class CollectingBody: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let continuation: CheckedContinuation<Data, Never>
    private var body = Data()

    init(_ continuation: CheckedContinuation<Data, Never>) { self.continuation = continuation }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { body.append(data) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.resume(returning: body)
    }
}

/// Waits for the end of loading. Without a client of the test's own, Foundation's would ask for a task.
private final class Client: NSObject, URLProtocolClient, Sendable {
    let end = OneShot<Void>()
    /// Where it was called with head, body and end.
    let places = Locked<[Bool]>([])
    let errors = Locked<[any Error]>([])
    private let place: @Sendable () -> Bool

    init(_ place: @escaping @Sendable () -> Bool = { false }) { self.place = place }

    private func note() { places.withLock { $0.append(place()) } }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        note()
        end.provide(())
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        errors.withLock { $0.append(error) }
        note()
        end.provide(())
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {}

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { note() }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { note() }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
