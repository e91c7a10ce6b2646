import HTTPCache
import HTTPSemantics
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// What is released when a task is over, although the application keeps the task. Each test waits for a release, and
/// hangs where there is none.
@Suite(.timeLimit(.minutes(60))) struct KeptTaskTests {
    enum Kind: CaseIterable, Sendable {
        case data, upload, download, delegate, ownDelegate, cancelled, neverBegun
    }

    private static func session() throws -> (CachingSession, URL) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let origin = VirtualOrigin { _ in .init(HTTPResponse(), chunks: [Array("hello".utf8)]) }
        let session = CachingSession(
            configuration: configuration, delegate: nil, delegateQueue: nil, transport: origin, clock: SystemClock())
        return (session, try #require(URL(string: "http://origin.test/a")))
    }

    @Test("a model that keeps its finished task is released with it", arguments: Kind.allCases)
    func model(kind: Kind) async throws {
        let (session, url) = try Self.session()
        let (releases, release) = AsyncStream<Void>.makeStream()
        var model: Model? = Model(release)
        model?.load(kind, session, url)
        model = nil
        for await _ in releases {}
    }

    @Test("a finished task keeps neither its session nor its own delegate") func session() async throws {
        let (releases, release) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        var (session, url): (CachingSession?, URL) = try Self.session()
        let task = try #require(session?.dataTask(with: url))
        task.delegate = Ending(end, release)
        task.resume()
        for await _ in ends {}
        for await _ in releases {}
        #expect(task.delegate == nil && task.state == .completed)
        weak let kept = session
        session = nil
        // The task's last steps, on another thread.
        while kept != nil { await Task.yield() }
        task.cancel()
        task.resume()
        #expect(task.error == nil && task.response != nil && task.countOfBytesReceived == 5)
    }

    @Test("a delegate of this package's kind that owns its session is released after an invalidation")
    func owner() async throws {
        let (releases, release) = AsyncStream<Void>.makeStream()
        var owner: Owner? = Owner(release)
        let session = try #require(owner?.session)
        #expect(session.delegate === owner)
        let url = try #require(URL(string: "http://origin.test/a"))
        let task = session.dataTask(with: url)
        task.resume()
        session.finishTasksAndInvalidate()
        owner = nil
        for await _ in releases {}
        #expect(task.state == .completed && task.error == nil && session.delegate == nil)
    }
}

/// A screen that keeps its task, to cancel it.
private final class Model: NSObject, URLSessionDataDelegate, CachingSessionDelegate, @unchecked Sendable {
    private let release: AsyncStream<Void>.Continuation
    private var task: URLSessionTask?

    init(_ release: AsyncStream<Void>.Continuation) { self.release = release }

    deinit { release.finish() }

    private func done() {}

    func load(_ kind: KeptTaskTests.Kind, _ session: CachingSession, _ url: URL) {
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        switch kind {
        case .data, .cancelled: task = session.dataTask(with: url) { _, _, _ in self.done() }
        case .upload: task = session.uploadTask(with: post, from: Data("a".utf8)) { _, _, _ in self.done() }
        case .download: task = session.downloadTask(with: url) { _, _, _ in self.done() }
        case .delegate: task = session.dataTask(with: URLRequest(url: url), delegate: self)
        case .ownDelegate:
            task = session.dataTask(with: url)
            task?.delegate = self
        case .neverBegun: task = session.dataTask(with: url) { _, _, _ in }
        }
        if kind == .cancelled { task?.cancel() }
        if kind != .neverBegun { task?.resume() }
    }
}

/// Tells of its task's end and of its own.
private final class Ending: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private let end: AsyncStream<Void>.Continuation
    private let release: AsyncStream<Void>.Continuation

    init(_ end: AsyncStream<Void>.Continuation, _ release: AsyncStream<Void>.Continuation) {
        (self.end, self.release) = (end, release)
    }

    deinit { release.finish() }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.finish()
    }
}

/// The commonest form: a client that makes its session on first use, and is its delegate.
private final class Owner: CachingSessionDelegate, @unchecked Sendable {
    private(set) lazy var session = CachingSession(
        cache: nil, delegate: self,
        transport: VirtualOrigin { _ in .init(HTTPResponse(), chunks: [Array("hello".utf8)]) })
    private let release: AsyncStream<Void>.Continuation

    init(_ release: AsyncStream<Void>.Continuation) { self.release = release }

    deinit { release.finish() }
}
