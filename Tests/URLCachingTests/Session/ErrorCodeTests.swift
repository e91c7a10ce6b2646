import LoopbackOrigin
import Testing

@testable import URLCaching

/// Errors have the codes that URLSession documents for the same situation.
@Suite(.timeLimit(.minutes(60))) struct ErrorCodeTests {
    private static let loopback = NetworkInterfaces.Interface(isLoopback: true, isUp: true)

    @Test("a machine with no interface but loopback is offline for other machines") func offline() {
        let far = URL(string: "http://example.org/a")
        let wired = NetworkInterfaces.Interface(isLoopback: false, isUp: true)
        let unplugged = NetworkInterfaces.Interface(isLoopback: false, isUp: false)
        #expect(NetworkInterfaces.isOffline(for: far, [Self.loopback]))
        #expect(NetworkInterfaces.isOffline(for: far, [Self.loopback, unplugged]))
        #expect(!NetworkInterfaces.isOffline(for: far, [Self.loopback, wired]))
        for near in ["http://localhost/a", "http://127.0.0.1/a", "http://[::1]/a", "http://a.localhost/"] {
            #expect(!NetworkInterfaces.isOffline(for: URL(string: near), [Self.loopback]))
        }
    }

    @Test("refused, unknown, unsupported and invalid addresses have URLSession's codes") func addresses() async throws {
        let session = CachingSession(configuration: .ephemeral)
        let origin = try LoopbackOrigin()
        let refused = origin.url("/a")
        origin.stop()
        #expect(await thrown { _ = try await session.data(from: refused) }?.code == .cannotConnectToHost)
        let unknown = try #require(URL(string: "http://no-such-host.invalid/"))
        let isOffline = NetworkInterfaces.isOffline(for: unknown)
        #expect(
            await thrown { _ = try await session.data(from: unknown) }?.code
                == (isOffline ? .notConnectedToInternet : .cannotFindHost))
        let ftp = try #require(URL(string: "ftp://localhost/"))
        #expect(await thrown { _ = try await session.data(from: ftp) }?.code == .unsupportedURL)
    }

    /// A situation, the code that Apple's documentation has for it, and Foundation's on Linux where that is another.
    struct Situation: Sendable, CustomTestStringConvertible {
        let name: String
        let code: URLError.Code
        var foundation: URLError.Code?
        /// What the origin answers with, before it closes the connection; `nil` where there is none to answer.
        var answer: String?
        var url: String?

        var testDescription: String { name }
    }

    private static let situations = [
        Situation(
            name: "a body that is cut", code: .networkConnectionLost, foundation: .unknown,
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
        Situation(name: "no answer", code: .networkConnectionLost, foundation: .badServerResponse, answer: ""),
        Situation(
            name: "an answer that is no HTTP", code: .badServerResponse, foundation: .unsupportedURL,
            answer: "garbage\r\n\r\n"),
        Situation(
            name: "a redirection to itself", code: .httpTooManyRedirects,
            answer: "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        Situation(
            name: "a coding that is none", code: .cannotDecodeContentData, foundation: .unknown,
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Encoding: gzip\r\n\r\nabc"),
        Situation(name: "another scheme", code: .unsupportedURL, url: "gopher2://localhost/"),
        Situation(name: "no scheme", code: .unsupportedURL, url: "a/b"),
        Situation(name: "no host", code: .badURL, url: "http:///a"),
    ]

    @Test(
        "each situation has the code that Apple documents, which is Foundation's here but for those that are named",
        arguments: situations)
    func sideBySide(situation: Situation) async throws {
        let origin = try RawOrigin { _ in [.send(Array((situation.answer ?? "").utf8))] }
        defer { origin.stop() }
        let url = try #require(URL(string: situation.url ?? origin.base + "/a"))
        let request = URLRequest(url: url, timeoutInterval: 1e6)
        let ours = CachingSession(configuration: CachingSession.Configuration.patient, cache: nil)
        #expect(await thrown { _ = try await ours.data(for: request) }?.code == situation.code)
        #if canImport(FoundationNetworking)
        let theirs = URLSession(configuration: .patient)
        let code = await thrown { _ = try await theirs.data(for: request) }?.code
        #expect(code == situation.foundation ?? situation.code)
        theirs.finishTasksAndInvalidate()
        #endif
    }

    @Test("a cancelled caller gets cancelled, from data, upload and download") func cancelled() async throws {
        let hold = Hold()
        let origin = try LoopbackOrigin { _ in
            var reply = OriginReply(text: "late")
            reply.holdHead = hold
            return reply
        }
        defer { hold.release() }
        let session = CachingSession(configuration: .ephemeral)
        let url = origin.url("/a")
        let works: [@Sendable () async throws -> Void] = [
            { _ = try await session.data(from: url) },
            { _ = try await session.download(from: url) },
            { _ = try await session.upload(for: URLRequest(url: url), from: Data("a".utf8)) },
        ]
        for work in works {
            let count = origin.count()
            let task = Task { await thrown { try await work() } }
            while origin.count() == count { await Task.yield() }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }
    }
}
