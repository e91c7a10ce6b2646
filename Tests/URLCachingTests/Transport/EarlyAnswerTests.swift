import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing

@testable import CurlTransport

/// Answers that come before all of the request has been sent.
@Suite(.timeLimit(.minutes(60))) struct EarlyAnswerTests {
    /// Ten bytes, and then nothing until it is cancelled.
    private final class Silent: RequestBodyStream, Sendable {
        let isRead = OneShot<Void>()
        private let isFirst = Locked(true)

        func next() async throws -> [UInt8]? {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { return [UInt8](repeating: 0x61, count: 10) }
            isRead.provide(())
            await OneShot<Void>().wait(cancelled: ())
            return nil
        }
    }

    @Test(
        "an error or a redirection ends a request whose body has nothing to send at that time",
        arguments: [303, 401, 413, 500],
        ["Content-Length: 2\r\n\r\nno", "Transfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n"])
    func early(status: Int, rest: String) async throws {
        let hold = Hold()
        let origin = try RawOrigin { _ in
            [.wait(hold), .send(Array("HTTP/1.1 \(status) No\r\n\(rest)".utf8)), .hang]
        }
        defer { origin.stop() }
        let worker = try CurlWorker(CurlLibrary.shared.get(), TransportSettings())
        defer { worker.close() }
        let stream = Silent()
        let request = OutgoingRequest(
            HTTPRequest(method: "POST", url: origin.base + "/"), body: .stream(stream, length: nil))
        let body = worker.begin(try CurlRequest(request, defaults: DefaultLines(userAgent: "test")))
        await hold.reached()
        await stream.isRead.wait(cancelled: ())
        // In one of these rounds libcurl asks for more bytes, and pauses.
        for _ in 0..<50 { await withTaskExecutorPreference(worker) { await Task.yield() } }
        hold.release()
        #expect(try await body.incoming().response.status == status)
        var bytes: [UInt8] = []
        while let part = try await body.next() { bytes += part }
        #expect(bytes == Array("no".utf8))
    }
}
