import LoopbackOrigin
import Platform
import Testing
import URLCaching

// Lines of code as Apple's documentation and well-known READMEs have them, with URLSession's name changed into
// CachingSession and URLCache's into ResponseCache, and nothing else: delegates, tasks and configurations keep their
// types. That they compile is the test; each is run as well.

/// A class as applications have it: a session with itself as the delegate, made on first use.
final class UsualClient: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    let received = Locked(Data())
    let (ends, end) = AsyncStream<(any Error)?>.makeStream()

    private(set) lazy var session: CachingSession = {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 30
        configuration.timeoutIntervalForResource = 300
        configuration.requestCachePolicy = .useProtocolCachePolicy
        configuration.httpAdditionalHeaders = ["X-Client": "usual"]
        configuration.httpMaximumConnectionsPerHost = 4
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        return CachingSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }()

    var task: URLSessionDataTask?

    func startLoad(_ url: URL) {
        task?.cancel()
        task = session.dataTask(with: url)
        task?.resume()
    }

    func load(_ request: URLRequest, completion: @escaping @Sendable (Data?) -> Void) -> URLSessionDataTask {
        let task = session.dataTask(with: request) { data, response, error in
            guard error == nil, let http = response as? HTTPURLResponse, (200...299).contains(http.statusCode) else {
                return completion(nil)
            }
            completion(data)
        }
        task.resume()
        return task
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler((response as? HTTPURLResponse)?.statusCode == 200 ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        received.withLock { $0.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.yield(error)
    }
}

@Suite(.timeLimit(.minutes(60))) struct UsualLinesTests {
    private let origin: LoopbackOrigin

    init() throws {
        origin = try LoopbackOrigin { request in
            OriginReply(
                status: 200, [("Cache-Control", "max-age=1000000"), ("X-Method", request.method)],
                body: Array((request.body.isEmpty ? "first\nsecond\n" : "got \(request.body.count)").utf8))
        }
    }

    @Test("sessions are made and asked for their members as URLSession's are") func sessions() async throws {
        let session = CachingSession.shared
        let other = CachingSession(configuration: .default)
        let ephemeral = CachingSession(configuration: .ephemeral)
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        let uncached = CachingSession(configuration: configuration, delegate: nil, delegateQueue: .main)
        let queued = CachingSession(
            configuration: URLSessionConfiguration.ephemeral, delegate: nil, delegateQueue: OperationQueue())
        #expect(session !== other && ephemeral.cache !== other.cache && uncached.cache == nil)
        #expect(session.configuration.timeoutIntervalForRequest == 60)
        other.sessionDescription = "api"
        #expect(other.sessionDescription == "api" && uncached.delegateQueue === OperationQueue.main)
        session.configuration.urlCache?.removeAllCachedResponses()
        other.getAllTasks { tasks in tasks.forEach { $0.cancel() } }
        for task in await other.allTasks { task.cancel() }
        other.getTasksWithCompletionHandler { dataTasks, uploadTasks, downloadTasks in
            dataTasks.forEach { $0.cancel() }
            uploadTasks.forEach { $0.cancel() }
            downloadTasks.forEach { $0.cancel() }
        }
        ephemeral.reset {}
        ephemeral.flush {}
        await ephemeral.flush()
        other.finishTasksAndInvalidate()
        ephemeral.invalidateAndCancel()
        queued.finishTasksAndInvalidate()
    }

    @Test("requests are awaited as with URLSession") func async() async throws {
        let session = CachingSession(configuration: .ephemeral)
        let url = origin.url("/a")
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let (data, response) = try await session.data(from: url)
        guard let httpResponse = response as? HTTPURLResponse, (200...299).contains(httpResponse.statusCode) else {
            throw URLError(.badServerResponse)
        }
        #expect(String(data: data, encoding: .utf8) == "first\nsecond\n")
        let (again, _) = try await session.data(for: request)
        let (asked, _) = try await session.data(for: request, delegate: nil)
        let (told, _) = try await session.data(for: request, delegate: UsualClient())
        #expect(again == data && asked == data && told == data)
        request.httpMethod = "POST"
        let (answer, _) = try await session.upload(for: request, from: Data("hello".utf8))
        #expect(String(decoding: answer, as: UTF8.self) == "got 5")
        let (file, _) = try await session.download(from: url)
        #expect(try Data(contentsOf: file) == data)
        let (sent, _) = try await session.upload(for: request, fromFile: file)
        #expect(String(decoding: sent, as: UTF8.self) == "got 13")
        try FileManager.default.removeItem(at: file)
        let (second, _) = try await session.download(for: URLRequest(url: url), delegate: UsualClient())
        try FileManager.default.removeItem(at: second)
        let (bytes, _) = try await session.bytes(from: url)
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == ["first", "second"])
        let (watched, _) = try await session.bytes(from: url, delegate: UsualClient())
        for try await line in watched.lines { lines.append(line) }
        #expect(lines.count == 4)
        let (stream, _) = try await session.bytes(for: URLRequest(url: url))
        var collected = Data()
        for try await byte in stream { collected.append(byte) }
        #expect(collected == data)
        do {
            _ = try await session.data(from: URL(string: "ftp://localhost/a")!)
            Issue.record("ftp was answered")
        } catch let error as URLError where error.code == .unsupportedURL {
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("tasks with handlers are made and asked as URLSession's are") func tasks() async throws {
        let session = CachingSession(configuration: .ephemeral)
        let url = origin.url("/a")
        let (answers, answer) = AsyncStream<String>.makeStream()
        let task = session.dataTask(with: url) { data, response, error in
            if let error { answer.yield(error.localizedDescription) }
            answer.yield(String(decoding: data ?? Data(), as: UTF8.self))
        }
        task.priority = URLSessionTask.highPriority
        task.taskDescription = "the first"
        let progress: Progress = task.progress
        task.resume()
        var iterator = answers.makeAsyncIterator()
        #expect(await iterator.next() == "first\nsecond\n")
        #expect(task.originalRequest?.url == url && task.currentRequest?.url == url)
        #expect(task.countOfBytesReceived == 13 && task.countOfBytesExpectedToReceive == 13)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200 && task.error == nil)
        #expect(progress.fractionCompleted == 1 && task.taskIdentifier > 0 && task.taskDescription == "the first")
        session.dataTask(with: URLRequest(url: url)) { _, response, _ in
            answer.yield(response?.mimeType ?? "none")
        }.resume()
        #expect(await iterator.next() != nil)
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        let upload: URLSessionUploadTask = session.uploadTask(with: post, from: Data("four".utf8)) { data, _, _ in
            answer.yield(String(decoding: data ?? Data(), as: UTF8.self))
        }
        upload.resume()
        #expect(await iterator.next() == "got 4")
        let download = session.downloadTask(with: url) { localURL, _, _ in
            answer.yield(localURL.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "no file")
        }
        download.resume()
        #expect(await iterator.next() == "first\nsecond\n")
        let paused: URLSessionDownloadTask = session.downloadTask(with: URLRequest(url: url))
        paused.resume()
        paused.suspend()
        paused.cancel { resumeData in answer.yield(resumeData == nil ? "nothing to resume" : "resume") }
        #expect(await iterator.next() != nil)
        let streamed: URLSessionUploadTask = session.uploadTask(withStreamedRequest: post)
        streamed.cancel()
        let fromFile: URLSessionUploadTask = session.uploadTask(with: post, fromFile: url)
        fromFile.cancel()
        let resumed: URLSessionDownloadTask = session.downloadTask(withResumeData: Data())
        resumed.cancel()
        let any: URLSessionTask = session.dataTask(with: url)
        any.cancel()
        #expect(any.state == .canceling || any.state == .completed)
    }

    @Test("a class with a session of its own, its delegate, is told of its task") func client() async throws {
        let client = UsualClient()
        client.startLoad(origin.url("/a"))
        for await error in client.ends {
            #expect(error == nil)
            break
        }
        #expect(client.received.withLock { $0 } == Data("first\nsecond\n".utf8))
        #expect(origin.requests.first?["X-Client"] == "usual")
        let (answers, answer) = AsyncStream<Data?>.makeStream()
        let task = client.load(URLRequest(url: origin.url("/a"))) { answer.yield($0) }
        for await data in answers {
            #expect(data?.count == 13)
            break
        }
        #expect(task.originalRequest?.url?.path == "/a" && origin.count() == 1)
        client.session.invalidateAndCancel()
    }

    @Test("the cache's lines are URLCache's") func cache() throws {
        let cache = ResponseCache(memoryCapacity: 10 * 1024 * 1024, diskCapacity: 0, diskPath: nil)
        let request = URLRequest(url: origin.url("/a"))
        let response = try #require(
            HTTPURLResponse(url: origin.url("/a"), statusCode: 200, httpVersion: nil, headerFields: nil))
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("kept".utf8)), for: request)
        #expect(cache.cachedResponse(for: request)?.data == Data("kept".utf8))
        #expect(cache.currentMemoryUsage > 0 && cache.currentDiskUsage == 0)
        cache.removeCachedResponse(for: request)
        cache.removeCachedResponses(since: .distantPast)
        cache.removeAllCachedResponses()
        #expect(cache.cachedResponse(for: request) == nil)
    }
}
