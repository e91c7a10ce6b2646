import HTTPSemantics
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// A task that is cancelled goes no further than it has come.
@Suite(.timeLimit(.minutes(60))) struct TaskCancellationTests {
    @Test("a task that is cancelled before it begins sends nothing, and ends with the error")
    func before() async throws {
        let (bench, origin) = try Self.bench()
        // Many, since a request that is sent all the same depends on the moment.
        for _ in 0..<200 {
            let delegate = Collecting()
            let task = bench.session.dataTask(with: bench.request(), delegate: delegate)
            task.cancel()
            _ = await delegate.body()
            #expect(delegate.log == ["\(URLError.Code.cancelled.rawValue)"] && origin.requests.isEmpty)
            #expect(task.state == .completed && task.error?.code == .cancelled && task.response == nil)
        }
    }

    @Test("after a cancellation by its delegate a task hands out no more, and ends with the error", arguments: [0, 1])
    func within(parts: Int) async throws {
        let (bench, origin) = try Self.bench()
        _ = try await bench.get()
        let delegate = Cancelling(afterParts: parts)
        let task = bench.session.dataTask(with: bench.request(), delegate: delegate)
        task.resume()
        for await _ in delegate.ends {}
        let log = delegate.log.withLock { $0 }
        #expect(log == ["200"] + Array(repeating: "hello", count: parts) + ["-999"])
        #expect(task.error?.code == .cancelled && origin.requests.count == 1)
    }

    private static func bench() throws -> (SessionBench, VirtualOrigin) {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [Array("hello".utf8)])
        }
        return (try SessionBench(clock: clock, transport: origin), origin)
    }
}

/// Cancels its task when the header has come, or after some parts of the body.
private final class Cancelling: CachingSessionDelegate {
    let log = Locked<[String]>([])
    let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation
    private let parts: Int

    init(afterParts parts: Int) {
        self.parts = parts
        (ends, end) = AsyncStream<Void>.makeStream()
    }

    func session(_ session: CachingSession, task: CachingTask, didReceive response: HTTPURLResponse) async {
        log.withLock { $0.append("\(response.statusCode)") }
        if parts == 0 { task.cancel() }
    }

    func session(_ session: CachingSession, task: CachingTask, didReceive data: Data) async {
        log.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
        if parts == 1 { task.cancel() }
    }

    func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async {
        log.withLock { $0.append(error.map { "\($0.code.rawValue)" } ?? "end") }
        end.finish()
    }
}
