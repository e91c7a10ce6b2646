import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import URLCaching

@testable import CurlTransport

/// Transfers that libcurl has paused for a slow reader, and that go on.
@Suite(.timeLimit(.minutes(60))) struct PausedTransferTests {
    @Test(
        "a body that turns out corrupt among the bytes kept back by libcurl is an error, wherever that is",
        arguments: Array(stride(from: 528_000, to: 656_000, by: 16_000)))
    func corrupt(byteCount: Int) async throws {
        let whole = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let files = stride(from: 0, to: byteCount, by: 60_000).flatMap {
            gzip(Array(whole[$0..<min($0 + 60_000, byteCount)]))
        }
        let corrupt: [UInt8] = [0x1F, 0x8B, 9] + [UInt8](repeating: 7, count: 1 << 20)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
        let origin = try RawOrigin { _ in [.send(head + files + corrupt), .hang] }
        defer { origin.stop() }
        let worker = try CurlWorker(CurlLibrary.shared.get(), TransportSettings())
        defer { worker.close() }
        let body = worker.begin(
            try CurlRequest(
                OutgoingRequest(HTTPRequest(url: origin.base + "/")), defaults: DefaultLines(userAgent: "test")))
        _ = try await body.incoming()
        while body.room() > 0 { await Task.yield() }
        // Each round of the thread may bring the bytes for which it pauses.
        for _ in 0..<50 { await withTaskExecutorPreference(worker) { await Task.yield() } }
        let error = await #expect(throws: URLError.self) {
            while try await body.next() != nil {}
        }
        #expect(error?.code == .cannotDecodeContentData)
    }
}
