import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// Requests over HTTP/2 that were not processed (RFC 9113, section 8.7), on a connection that was used before.
@Suite(.timeLimit(.minutes(60)), .enabled(if: HTTP2Bench.isPossible, "libcurl has no HTTP/2, or OpenSSL is missing"))
struct HTTP2RepeatTests {
    /// A way in which an origin leaves.
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        /// Behind the first answer.
        var first: @Sendable (UInt32) -> [HTTP2Origin.Step] = { _ in [] }
        /// To the second request, in the place of an answer.
        var second: (@Sendable (UInt32) -> [HTTP2Origin.Step])?
        /// The protocol proves that the second one was not processed.
        var isProof = true
        var testDescription: String { name }
    }

    private typealias Frame = HTTP2Frame

    static let ways: [Way] = [
        Way(name: "goes away with the answer, and stays", first: { [.send(Frame.goAway(last: $0))] }),
        Way(
            name: "goes away with the answer, and closes",
            first: { [.send(Frame.goAway(last: $0)), .close(tells: true)] }),
        Way(
            name: "goes away with the answer, and closes without an alert",
            first: { [.send(Frame.goAway(last: $0)), .close(tells: false)] }),
        Way(name: "announces to go away with the answer", first: { _ in [.send(Frame.goAway(last: 0x7FFF_FFFF))] }),
        Way(name: "goes away by an error with the answer", first: { [.send(Frame.goAway(last: $0, 11))] }),
        Way(
            name: "goes away before the stream, and stays",
            second: { [.readRequest, .send(Frame.goAway(last: before($0)))] }),
        Way(
            name: "goes away before the stream, and closes",
            second: { [.readRequest, .send(Frame.goAway(last: before($0))), .close(tells: true)] }),
        Way(
            name: "goes away before the stream by an error, and closes",
            second: { [.readRequest, .send(Frame.goAway(last: before($0), 11)), .close(tells: false)] }),
        Way(
            name: "goes away after the stream, and closes",
            second: { [.readRequest, .send(Frame.goAway(last: $0)), .close(tells: true)] }, isProof: false),
        Way(name: "refuses the stream", second: { [.readRequest, .send(Frame.reset(7, stream: $0))] }),
        Way(
            name: "refuses the stream, and goes away",
            second: { [.readRequest, .send(Frame.reset(7, stream: $0) + Frame.goAway(last: before($0)))] }),
        Way(name: "closes", second: { _ in [.readRequest, .close(tells: true)] }, isProof: false),
        Way(name: "closes without an alert", second: { _ in [.readRequest, .close(tells: false)] }, isProof: false),
        Way(name: "resets the connection", second: { _ in [.readRequest, .reset] }, isProof: false),
    ]

    /// The stream before; on a busy machine the second request may come first on a connection of its own.
    private static func before(_ stream: UInt32) -> UInt32 { stream > 2 ? stream - 2 : 0 }

    @Test("a GET or HEAD is repeated once on a new connection", arguments: ways, ["GET", "HEAD"])
    func safe(way: Way, method: String) async throws {
        let (got, count) = try await second(way, method)
        #expect(try got.get().body == (method == "HEAD" ? "" : HTTP2Misbehaviour.body))
        #expect(count <= 3)
    }

    @Test("a POST is repeated only if the protocol proves that it was not processed", arguments: ways)
    func post(way: Way) async throws {
        let (got, count) = try await second(way, "POST")
        do {
            #expect(try got.get().body == HTTP2Misbehaviour.body && way.isProof)
        } catch {
            // libcurl does not tell of every proof.
            #expect((error as? URLError)?.code == .networkConnectionLost)
            #expect(error.localizedDescription.contains("POST may have been carried out"), "\(error)")
            #expect(count <= 2)
        }
    }

    @Test("a request that is refused on the new connection too is an error") func refusedTwice() async throws {
        let refused = Way(name: "refuses", second: { [.readRequest, .send(Frame.reset(7, stream: $0))] })
        let (got, count) = try await second(refused, "GET", misbehavesOn: 1...3)
        #expect(throws: URLError.self) { try got.get() }
        #expect(count == 3)
    }

    /// Pings and settings are no answers, and no reason to give a connection up.
    @Test("pings and settings on an idle connection disturb nothing") func control() async throws {
        let (hold, isSent) = (Hold(), OneShot<Void>())
        let origin = try HTTP2Origin(tlsServer(.http2)) { number, stream in
            let answer: [HTTP2Origin.Step] = [.readRequest, .send(HTTP2Misbehaviour.answer(stream))]
            guard number == 0 else { return answer }
            return answer + [
                .wait(hold), .send(Frame.ping() + Frame.settings((3, 100)) + Frame.ping()),
                .call { isSent.provide(()) },
            ]
        }
        defer { origin.stop() }
        let session = CachingSession(configuration: .overLibcurl, cache: nil)
        let url = try #require(URL(string: origin.base + "/"))
        for _ in 0..<3 {
            #expect(Got(try await session.data(from: url)).body == HTTP2Misbehaviour.body)
            hold.release()
            await isSent.wait(cancelled: ())
        }
        #expect(origin.connectionCount == 1)
    }

    /// The outcome of a second request, and how many requests have come.
    private func second(
        _ way: Way, _ method: String, misbehavesOn numbers: ClosedRange<Int> = 1...1
    ) async throws -> (Result<Got, any Error>, Int) {
        let isRead = Hold()
        let origin = try HTTP2Origin(tlsServer(.http2)) { number, stream in
            if numbers.contains(number), let second = way.second { return second(stream) }
            let ends = method == "HEAD" && number > 0
            let answer =
                ends ? HTTP2Misbehaviour.head(stream, ends: true) : HTTP2Misbehaviour.answer(stream)
            guard number == 0 else { return [.readRequest, .send(answer)] }
            // To close while frames wait to be read may destroy the answer on its way.
            return way.first(stream).reduce(into: [.readRequest, .send(answer)]) { steps, step in
                if case .close = step { steps.append(.wait(isRead)) }
                steps.append(step)
            }
        }
        defer { origin.stop() }
        let session = CachingSession(configuration: .overLibcurl, cache: nil)
        let url = try #require(URL(string: origin.base + "/first"))
        #expect(Got(try await session.data(from: url)).body == HTTP2Misbehaviour.body)
        isRead.release()
        var request = URLRequest(url: try #require(URL(string: origin.base + "/second")))
        request.httpMethod = method
        if method == "POST" { request.httpBody = Data("body".utf8) }
        let sent = request
        let outcome: Result<Got, any Error>
        do { outcome = .success(Got(try await session.data(for: sent))) } catch { outcome = .failure(error) }
        return (outcome, origin.requestCount)
    }
}
