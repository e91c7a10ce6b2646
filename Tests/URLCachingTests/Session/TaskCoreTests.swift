import HTTPSemantics
import Testing
import VirtualOrigin

@testable import URLCaching

/// A task's state beneath its classes: lengths of any size, fetches that wait, objects that are let go of.
@Suite(.timeLimit(.minutes(60))) struct TaskCoreTests {
    private let session: CachingSession
    private let origin: VirtualOrigin
    private let url: URL

    init() throws {
        origin = VirtualOrigin { _ in .init(HTTPResponse(), chunks: [Array("hello".utf8)]) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        session = CachingSession(
            configuration: configuration, delegate: nil, delegateQueue: nil, transport: origin,
            clock: VirtualClock(seconds: SessionBench.start))
        url = try #require(URL(string: "http://origin.test/a"))
    }

    @Test(
        "an upload survives any length that the origin announces for its answer",
        arguments: [1000, .max - 10, .max - 9, .max - 1] as [Int64])
    func announcedLength(length: Int64) async throws {
        origin.reply { _ in .init(HTTPResponse(headerFields: ["Content-Length": "\(length)"]), chunks: [[1, 2, 3]]) }
        origin.hold(bodies: true)
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let (ends, end) = AsyncStream<Void>.makeStream()
        let task = session.uploadTask(with: request, from: Data(repeating: 7, count: 10)) { _, _, _ in end.finish() }
        task.resume()
        while origin.heldCount == 0 { await Task.yield() }
        origin.release(1)
        while origin.heldCount == 0 || task.response == nil { await Task.yield() }
        #expect(task.countOfBytesExpectedToReceive == length)
        #expect(task.progress.totalUnitCount == (length > .max - 10 ? .max : length + 10))
        origin.release()
        for await _ in ends {}
        #expect(task.countOfBytesReceived == 3 && task.progress.fractionCompleted == 1)
    }

    @Test("estimates of any size are no total that overflows") func estimates() throws {
        let task = session.dataTask(with: url)
        (task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive) = (.max, .max)
        task.core.willSendBody(nil)
        #expect(task.progress.totalUnitCount == .max && task.progress.completedUnitCount == 0)
    }

    @Test("several fetches may wait until a task has passed bytes on", arguments: [false, true])
    func waitingFetches(isCancelled: Bool) throws {
        let core = session.dataTask(with: url).core
        let executor = SteppedExecutor()
        let fetches = [5, 3, 5].map { count in executor.start { await core.waitUntilPassedOn(count) } }
        executor.drain()
        core.didPassOn(byteCount: 3)
        executor.drain()
        #expect(fetches.map { $0.result != nil } == [false, true, false])
        if isCancelled { fetches[2].cancel() } else { core.didPassOn(byteCount: 2) }
        executor.drain()
        #expect(fetches.map { $0.result != nil } == [!isCancelled, true, true])
        core.complete(nil)
        executor.drain()
        #expect(fetches.allSatisfy { $0.result != nil })
    }

    @Test("a delegate that a task lets go of may use the task in its deinit", arguments: [false, true])
    func replacedDelegate(isReplaced: Bool) throws {
        let data = session.dataTask(with: url)
        for task in [
            data, session.downloadTask(with: url), session.uploadTask(with: URLRequest(url: url), from: Data()),
        ]
            as [URLSessionTask]
        {
            task.delegate = Cancelling(task)
            task.delegate = isReplaced ? Cancelling(data) : nil
            #expect(task.state != .suspended)
        }
    }
}

/// A helper that its task alone keeps.
///
/// `@unchecked Sendable`, because the compiler allows no weak variable: `task` is set in `init`, and read in `deinit`
/// alone, when nobody else has the object.
private final class Cancelling: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private weak var task: URLSessionTask?

    init(_ task: URLSessionTask) { self.task = task }

    deinit { task?.cancel() }
}
