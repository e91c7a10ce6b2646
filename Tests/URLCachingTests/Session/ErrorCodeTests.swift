import LoopbackOrigin
import Testing

@testable import URLCaching

/// Errors have the codes that URLSession documents for the same situation.
@Suite(.timeLimit(.minutes(60))) struct ErrorCodeTests {
    private static let loopback = NetworkInterfaces.Interface(isLoopback: true, isUp: true)

    @Test("a machine with no interface but loopback is offline for other machines")
    func offline() {
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

    @Test("refused, unknown, unsupported and invalid addresses have URLSession's codes")
    func addresses() async throws {
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

    @Test("a cancelled caller gets cancelled, from data, upload and download")
    func cancelled() async throws {
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
