import LoopbackOrigin
import Platform
import Testing
import URLCaching

// More of what stands in UsualLinesTests.swift: classes as Apple's articles on downloads, uploads, challenges and lists
// of tasks have them, with the two names changed.

/// Downloads that can be paused, with progress.
///
/// `@unchecked Sendable`: the test calls its methods one after the other; `downloadTask` is set before the task
/// begins whose callbacks read it, and `resumeData` is written only if a download stops half-way, which none does here.
private final class Downloader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    private lazy var urlSession = CachingSession(configuration: .patient, delegate: self, delegateQueue: nil)
    private var downloadTask: URLSessionDownloadTask?
    private var resumeData: Data?
    let texts = AsyncStream<String>.makeStream()
    let fractions = Locked<[Float]>([])

    func startDownload(url: URL) {
        let downloadTask = urlSession.downloadTask(with: url)
        self.downloadTask = downloadTask
        downloadTask.resume()
    }

    func pause() {
        downloadTask?.cancel { resumeDataOrNil in
            guard let resumeData = resumeDataOrNil else { return }
            self.resumeData = resumeData
        }
    }

    func goOn() {
        guard let resumeData = resumeData else { return }
        let downloadTask = urlSession.downloadTask(withResumeData: resumeData)
        self.downloadTask = downloadTask
        downloadTask.resume()
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard downloadTask == self.downloadTask else { return }
        fractions.withLock { $0.append(Float(totalBytesWritten) / Float(totalBytesExpectedToWrite)) }
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        guard let httpResponse = downloadTask.response as? HTTPURLResponse,
            (200...299).contains(httpResponse.statusCode)
        else {
            texts.continuation.yield("server error")
            return
        }
        let savedURL = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        do {
            try FileManager.default.moveItem(at: location, to: savedURL)
            texts.continuation.yield(try String(contentsOf: savedURL, encoding: .utf8))
            try FileManager.default.removeItem(at: savedURL)
        } catch {
            texts.continuation.yield("file error: \(error)")
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error = error else { return }
        let userInfo = (error as NSError).userInfo
        if let resumeData = userInfo["NSURLSessionDownloadTaskResumeData"] as? Data { self.resumeData = resumeData }
        texts.continuation.yield("failed \((error as? URLError)?.code.rawValue ?? 0)")
    }
}

/// A client that logs in, is not led elsewhere, and tells how much it has sent.
///
/// `@unchecked Sendable`: the only property is a constant of a Sendable type, and the superclass has no state.
private final class LoginClient: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    let notes = Locked<[String]>([])

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let authMethod = challenge.protectionSpace.authenticationMethod
        guard authMethod == NSURLAuthenticationMethodHTTPBasic, challenge.previousFailureCount == 0 else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return
        }
        notes.withLock { $0.append("asked by \(challenge.protectionSpace.realm ?? "")") }
        completionHandler(.useCredential, URLCredential(user: "user", password: "open", persistence: .forSession))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        notes.withLock { $0.append("sent \(totalBytesSent) of \(totalBytesExpectedToSend)") }
    }
}

/// A client with many tasks at once, whose answers are collected by their numbers.
///
/// `@unchecked Sendable`: `buffers` is used on the delegate queue alone, the main one, and the test makes `session`
/// before there is a task.
private final class Collector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private var buffers: [Int: Data] = [:]
    let answers = AsyncStream<String>.makeStream()
    private(set) lazy var session: CachingSession = CachingSession(
        configuration: .patient, delegate: self, delegateQueue: OperationQueue.main)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        buffers[dataTask.taskIdentifier, default: Data()].append(data)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.originalRequest?.url?.path == "/secret" ? nil : proposedResponse)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let body = buffers.removeValue(forKey: task.taskIdentifier) ?? Data()
        answers.continuation.yield(String(decoding: body, as: UTF8.self))
    }
}

extension CachingSession {
    /// A handler's answer, awaited.
    fileprivate func load(_ request: URLRequest) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            dataTask(with: request) { data, _, error in
                if let data {
                    continuation.resume(returning: data)
                } else {
                    continuation.resume(throwing: error ?? URLError(.unknown))
                }
            }.resume()
        }
    }
}

/// A client that is given its session.
private final class InjectedClient: Sendable {
    let session: CachingSession
    init(session: CachingSession = .shared) { self.session = session }
    init(configuration: URLSessionConfiguration) { session = CachingSession(configuration: configuration) }

    func users(_ url: URL) async throws -> [String] {
        let (data, _) = try await session.data(from: url)
        return try JSONDecoder().decode([String].self, from: data)
    }
}

@Suite(.timeLimit(.minutes(60))) struct UsualClassesTests {
    @Test("a download is told of in parts, moved, paused and gone on with") func downloads() async throws {
        let text = String(repeating: "a", count: 300_000)
        let origin = try LoopbackOrigin { _ in OriginReply([("ETag", "\"1\""), ("Accept-Ranges", "bytes")], text: text)
        }
        let downloader = Downloader()
        let url = origin.url("/\(UUID().uuidString)")
        downloader.startDownload(url: url)
        var iterator = downloader.texts.stream.makeAsyncIterator()
        #expect(await iterator.next() == text)
        #expect(downloader.fractions.withLock { $0 }.last == 1)
        downloader.pause()
        downloader.goOn()
        downloader.startDownload(url: URL(string: "ftp://localhost/a")!)
        #expect(await iterator.next() == "failed -1002")
    }

    @Test("a challenge is met, a redirection refused, and an upload told of, by a delegate of the request")
    func login() async throws {
        let origin = try LoopbackOrigin { request in
            if request.path == "/moved" { return OriginReply(status: 302, [("Location", "/a")]) }
            guard request["Authorization"] != nil else {
                return OriginReply(status: 401, [("WWW-Authenticate", "Basic realm=\"here\"")])
            }
            return OriginReply(text: "\(request.method) \(request.body.count)")
        }
        let session = CachingSession(configuration: .patient)
        let client = LoginClient()
        let (data, _) = try await session.data(from: origin.url("/a"), delegate: client)
        #expect(String(decoding: data, as: UTF8.self) == "GET 0")
        let (_, moved) = try await session.data(for: URLRequest(url: origin.url("/moved")), delegate: client)
        #expect((moved as? HTTPURLResponse)?.statusCode == 302)
        var post = URLRequest(url: origin.url("/a"))
        post.httpMethod = "POST"
        post.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (sent, _) = try await session.upload(for: post, from: Data("four".utf8), delegate: client)
        #expect(String(decoding: sent, as: UTF8.self) == "POST 4")
        let notes = client.notes.withLock { $0 }
        #expect(notes.first == "asked by here" && notes.last == "sent 4 of 4")
    }

    @Test("many tasks are told apart by their numbers, and what must not be stored is not")
    func manyTasks() async throws {
        let origin = try LoopbackOrigin { request in
            OriginReply([("Cache-Control", "max-age=1000000")], text: request.path)
        }
        let collector = Collector()
        let paths = ["/\(UUID().uuidString)", "/\(UUID().uuidString)", "/secret"]
        for path in paths { collector.session.dataTask(with: origin.url(path)).resume() }
        var answers: Set<String> = []
        for await answer in collector.answers.stream {
            answers.insert(answer)
            if answers.count == paths.count { break }
        }
        #expect(answers == Set(paths))
        let cache: ResponseCache? = collector.session.cache
        #expect(cache?.cachedResponse(for: URLRequest(url: origin.url("/secret"))) == nil)
        #expect(cache?.cachedResponse(for: URLRequest(url: origin.url(paths[0]))) != nil)
        collector.session.invalidateAndCancel()
    }

    @Test("progress, groups, events and handlers that are awaited") func together() async throws {
        let origin = try LoopbackOrigin { request in
            OriginReply(text: request.path == "/events" ? "data: one\n\ndata: two\n\n" : "[\"Ada\"]")
        }
        let session = CachingSession(configuration: .patient)
        let whole = Progress(totalUnitCount: 1)
        let (files, file) = AsyncStream<Bool>.makeStream()
        let download = session.downloadTask(with: origin.url("/a")) { url, _, error in
            file.yield(url != nil && error == nil)
        }
        whole.addChild(download.progress, withPendingUnitCount: 1)
        download.resume()
        for await isThere in files {
            #expect(isThere)
            break
        }
        #expect(whole.isFinished)
        #expect(try await session.load(URLRequest(url: origin.url("/a"))) == Data("[\"Ada\"]".utf8))
        let urls = (0..<5).map { origin.url("/\($0)") }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for url in urls { group.addTask { try await session.data(from: url).0.count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [7, 7, 7, 7, 7])
        let (stream, _) = try await session.bytes(for: URLRequest(url: origin.url("/events")))
        var events: [Substring] = []
        for try await line in stream.lines where line.hasPrefix("data: ") { events.append(line.dropFirst(6)) }
        #expect(events == ["one", "two"])
        #expect(try await InjectedClient(session: session).users(origin.url("/a")) == ["Ada"])
        #expect(try await InjectedClient(configuration: .patient).users(origin.url("/a")) == ["Ada"])
        #expect(InjectedClient().session === CachingSession.shared)
        let task = session.dataTask(with: origin.url("/b")) { _, _, error in
            file.yield((error as NSError?)?.code == NSURLErrorCancelled)
        }
        task.resume()
        task.cancel()
        for await wasCancelled in files {
            #expect(wasCancelled)
            break
        }
    }
}
