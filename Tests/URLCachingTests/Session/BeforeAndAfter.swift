import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// The pieces of code of the page "From URLSession": each is part of this file, so that it compiles, and runs.
@Suite(.timeLimit(.minutes(60))) struct BeforeAndAfter {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("every piece of Swift on the page is code of this file")
    func pieces() throws {
        let page = try String(
            contentsOf: Self.root.appending(
                path: "Sources/Cache/URLCaching/URLCaching.docc/FromURLSession.md"), encoding: .utf8)
        let code = Self.lines(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)).joined(separator: "\n")
        let pieces = page.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(pieces.count == 9)
        for piece in pieces { #expect(code.contains(Self.lines(piece).joined(separator: "\n"))) }
    }

    @Test("asked twice for a page, the origin hears of it once")
    func twice() async throws {
        let origin = try LoopbackOrigin { _ in OriginReply([("Cache-Control", "max-age=1000000")], text: "page") }
        let url = origin.url("/\(UUID().uuidString)")
        let session = CachingSession(configuration: .default)
        let (first, _) = try await session.data(from: url)
        let (again, _) = try await session.data(from: url)
        #expect(first == again && origin.count() == 1)
        let request = URLRequest(url: url)
        let (data, response) = try await CachingSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        #expect(data == first)
    }

    @Test("a class keeps its task, and its session with a delegate")
    func classes() async throws {
        let origin = try LoopbackOrigin { _ in OriginReply(text: "page") }
        let screen = Screen()
        screen.load(origin.url("/a"))
        for await data in screen.shown {
            #expect(data == Data("page".utf8))
            break
        }
        let session = screen.makeSession()
        #expect(session.sessionDelegate === screen)
        #expect(session.configuration.requestCachePolicy == .returnCacheDataElseLoad)
        session.finishTasksAndInvalidate()
    }

    @Test("a session takes settings of trust, and an answer its times")
    func trustAndTimes() async throws {
        var trusting = CachingSession.Configuration()
        trusting.certificateFile = URL(fileURLWithPath: "/etc/app/authority.pem")
        trusting.pinnedPublicKeys = ["api.example.org": ["cf3GOTc8oyH9CHxFOiuTtkv3TubVdZndg2Dtd+Bq70E="]]
        trusting.clientCertificates = [
            "api.example.org": CachingSession.ClientCertificate(
                certificateFile: URL(fileURLWithPath: "/etc/app/client.pem"),
                keyFile: URL(fileURLWithPath: "/etc/app/client.key"))
        ]
        let trustingSession = CachingSession(configuration: trusting, delegate: nil)
        #expect(trustingSession.transportProblem == nil)
        let origin = try LoopbackOrigin { _ in OriginReply(text: "page") }
        let (session, request) = (CachingSession(configuration: .patient), URLRequest(url: origin.url("/a")))
        let answer = try await session.answer(for: request)
        for exchange in answer.times.transactions {
            print(exchange.isReusedConnection, exchange.requestStartDate as Any, exchange.responseEndDate as Any)
        }
        #expect(answer.times.transactions.count == 1)
    }

    /// Not run: it would change the cache that other tests use.
    private func enlarge() {
        ResponseCache.shared.memoryCapacity = 10_000_000
        ResponseCache.shared.diskCapacity = 100_000_000
    }
}

protocol Loading {
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
    func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask
}
extension CachingSession: Loading {}

/// Code as applications have it.
private final class Screen: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private var task: URLSessionDataTask?
    let (shown, showing) = AsyncStream<Data>.makeStream()

    private func show(_ data: Data) { showing.yield(data) }

    func load(_ url: URL) {
        let show = self.show
        task?.cancel()
        task = CachingSession.shared.dataTask(with: url) { data, response, error in
            if let data { show(data) }
        }
        task?.resume()
    }

    func makeSession() -> CachingSession {
        let configuration = URLSessionConfiguration.default
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        let session = CachingSession(configuration: configuration, delegate: self, delegateQueue: nil)
        return session
    }

    /// Not run: it would make a folder where the tests are run.
    func makeImageSession() -> CachingSession {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = ResponseCache(memoryCapacity: 4_000_000, diskCapacity: 20_000_000, diskPath: "images")
        let session = CachingSession(configuration: configuration)
        return session
    }
}
