import HTTPSemantics
import Platform
import Testing

@testable import CurlTransport

/// The answer between libcurl's thread and the engine, without either.
@Suite(.timeLimit(.minutes(60))) struct CurlBodyTests {
    private final class Calls: Sendable {
        let rooms = Locked(0)
        let cancellations = Locked(0)
    }

    private let calls = Calls()
    private let body: CurlBody

    init() {
        body = CurlBody(
            onRoom: { [calls] in calls.rooms.withLock { $0 += 1 } },
            onCancel: { [calls] in calls.cancellations.withLock { $0 += 1 } })
        body.receive(HTTPResponse(headerFields: [:]))
    }

    private func receive(_ count: Int) {
        [UInt8](repeating: 7, count: count).withUnsafeBytes { body.receive($0) }
    }

    @Test("a full body tells once that it was read, and one that was not full tells nothing") func room() async throws {
        // As the documentation of `longestBacklog` says: 512 KB.
        #expect(body.room() == 524_288 && CurlBody.window == 524_288)
        receive(10)
        #expect(try await body.next()?.count == 10)
        #expect(calls.rooms.withLock { $0 } == 0)
        receive(CurlBody.window)
        #expect(body.room() == 0)
        #expect(try await body.next()?.count == CurlBody.window)
        #expect(calls.rooms.withLock { $0 } == 1 && body.room() == CurlBody.window)
    }

    @Test("what came before the end is read before it, and a cancellation behind the end does nothing")
    func end() async throws {
        receive(3)
        body.finish(.success(()))
        body.cancel()
        #expect(try await body.next()?.count == 3)
        #expect(try await body.next() == nil)
        #expect(calls.cancellations.withLock { $0 } == 0)
    }

    @Test("a cancellation tells once, and ends the body with an error") func cancellation() async {
        for _ in 0..<2 { body.cancel() }
        await #expect(throws: CancellationError.self) { try await body.next() }
        #expect(calls.cancellations.withLock { $0 } == 1)
        body.finish(.success(()))
        await #expect(throws: CancellationError.self) { try await body.next() }
    }
}
