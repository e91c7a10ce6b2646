import LoopbackOrigin
import Platform
import Testing
import URLCaching

// The protocols by which applications put a double in the place of URLSession, as public repositories have them. An
// empty extension makes URLSession conform, and so has CachingSession to.

protocol DataTaskMaking {
    func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask
    func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask
    func dataTask(with request: URLRequest) -> URLSessionDataTask
    func dataTask(with url: URL) -> URLSessionDataTask
}

protocol TransferTaskMaking {
    func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask
    func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask
    func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask
    func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask
    func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask
    func downloadTask(with request: URLRequest) -> URLSessionDownloadTask
    func downloadTask(with url: URL) -> URLSessionDownloadTask
    func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask
    func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask
    func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask
    func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask
}

protocol Awaited: Sendable {
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
    func data(from url: URL) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse)
    func download(for request: URLRequest) async throws -> (URL, URLResponse)
    func download(from url: URL) async throws -> (URL, URLResponse)
}

protocol AwaitedWithDelegate: Sendable {
    func data(for request: URLRequest, delegate: (any URLSessionTaskDelegate)?) async throws -> (Data, URLResponse)
    func data(from url: URL, delegate: (any URLSessionTaskDelegate)?) async throws -> (Data, URLResponse)
}

protocol SessionProperties: AnyObject {
    var configuration: URLSessionConfiguration { get }
    var delegate: (any URLSessionDelegate)? { get }
    var delegateQueue: OperationQueue { get }
    var sessionDescription: String? { get set }
    func finishTasksAndInvalidate()
    func invalidateAndCancel()
}

extension CachingSession: DataTaskMaking, TransferTaskMaking, Awaited, AwaitedWithDelegate, SessionProperties {}

/// What is reached by such a protocol is the session's.
@Suite(.timeLimit(.minutes(60))) struct MockedSessionTests {
    private let origin: LoopbackOrigin
    private let session: CachingSession

    init() throws {
        origin = try LoopbackOrigin { request in
            OriginReply([("Cache-Control", "max-age=1000000")], text: "\(request.method) \(request.body.count)")
        }
        session = CachingSession(configuration: .patient, delegate: UsualClient(), delegateQueue: nil)
    }

    private func post() -> URLRequest {
        var request = URLRequest(url: origin.url("/b"))
        request.httpMethod = "POST"
        return request
    }

    private func file() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "mocked-\(UUID())")
        try Data("seven!!".utf8).write(to: file)
        return file
    }

    @Test("requests are awaited") func awaited() async throws {
        let (mocked, asking): (any Awaited, any AwaitedWithDelegate) = (session, session)
        let (request, url) = (URLRequest(url: origin.url("/a")), origin.url("/a"))
        for data in [
            try await mocked.data(for: request).0, try await mocked.data(from: url).0,
            try await asking.data(for: request, delegate: nil).0, try await asking.data(from: url, delegate: nil).0,
        ] {
            #expect(String(decoding: data, as: UTF8.self) == "GET 0")
        }
        for file in [try await mocked.download(for: request).0, try await mocked.download(from: url).0] {
            #expect(try String(contentsOf: file, encoding: .utf8) == "GET 0")
            try FileManager.default.removeItem(at: file)
        }
        #expect(origin.count() == 1)
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await mocked.upload(for: post(), from: Data("four".utf8)).0 == Data("POST 4".utf8))
        #expect(try await mocked.upload(for: post(), fromFile: file).0 == Data("POST 7".utf8))
    }

    @Test("tasks are made, and are the session's") func tasks() async throws {
        let (mocked, transfers): (any DataTaskMaking, any TransferTaskMaking) = (session, session)
        let (request, url) = (URLRequest(url: origin.url("/a")), origin.url("/a"))
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        let (texts, text) = AsyncStream<String>.makeStream()
        let data: CachingSession.DataHandler = { data, _, _ in
            text.yield(String(decoding: data ?? Data(), as: UTF8.self))
        }
        let place: CachingSession.FileHandler = { file, _, error in
            text.yield(file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "no file")
        }
        let answered: [(URLSessionTask, String)] = [
            (mocked.dataTask(with: request, completionHandler: data), "GET 0"),
            (mocked.dataTask(with: url, completionHandler: data), "GET 0"),
            (transfers.uploadTask(with: post(), from: Data("abc".utf8), completionHandler: data), "POST 3"),
            (transfers.uploadTask(with: post(), fromFile: file, completionHandler: data), "POST 7"),
            (transfers.downloadTask(with: request, completionHandler: place), "GET 0"),
            (transfers.downloadTask(with: url, completionHandler: place), "GET 0"),
            (transfers.downloadTask(withResumeData: Data(), completionHandler: place), "no file"),
        ]
        var iterator = texts.makeAsyncIterator()
        for (task, expected) in answered {
            task.resume()
            #expect(await iterator.next() == expected)
            #expect(task is any CachingSessionTask)
        }
        let silent: [URLSessionTask] = [
            mocked.dataTask(with: request), mocked.dataTask(with: url),
            transfers.uploadTask(with: post(), from: Data()), transfers.uploadTask(with: post(), fromFile: file),
            transfers.uploadTask(withStreamedRequest: post()), transfers.downloadTask(with: request),
            transfers.downloadTask(with: url), transfers.downloadTask(withResumeData: Data()),
        ]
        #expect(silent.allSatisfy { $0 is any CachingSessionTask } && silent.count == 8)
        for task in silent { task.cancel() }
        session.finishTasksAndInvalidate()
    }

    @Test("properties are URLSession's") func properties() {
        let mocked: any SessionProperties = session
        #expect(mocked.configuration.timeoutIntervalForRequest == 1e6)
        let kept: ResponseCache? = mocked.configuration.urlCache
        #expect(kept === session.cache && kept != nil)
        #expect(mocked.delegate is UsualClient && mocked.delegateQueue === session.delegateQueue)
        mocked.sessionDescription = "api"
        #expect(session.sessionDescription == "api")
        mocked.invalidateAndCancel()
        #expect(mocked.delegate == nil || session.sessionDelegate === mocked.delegate)
    }
}
