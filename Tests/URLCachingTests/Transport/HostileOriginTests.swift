import LoopbackOrigin
import Platform
import SocketTransport
import Testing
import URLCaching

/// Whatever an origin does: the right answer or a `URLError` that names the reason, never a trap, a hang beyond the
/// time-out, a wrong body or a stored fragment (E9).
@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileOriginTests {
    @Test("the list holds more than 40 kinds of misbehaviour")
    func kinds() {
        #expect(Misbehaviour.all.count > 80)
        #expect(Set(Misbehaviour.all.map(\.name)).count == Misbehaviour.all.count)
    }

    @Test("every kind gives the right answer or an error, in every way of asking", arguments: Way.allCases)
    func misbehaviours(way: Way) async throws {
        let bench = try HostileBench(way, Misbehaviour.all)
        defer { bench.stop() }
        await withTaskGroup(of: Void.self) { group in
            for (number, kind) in Misbehaviour.all.enumerated() {
                group.addTask { await bench.check(number, kind) }
            }
        }
        while bench.session.underWay.requests > 0 { await Task.yield() }
    }

    @Test("a connection that closes at any byte of header or body is an error", arguments: Way.allCases, [false, true])
    func closesAtEveryByte(way: Way, isReset: Bool) async throws {
        let whole = Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello".utf8)
        let kinds = (0..<whole.count).map { count in
            Misbehaviour(
                "closes behind byte \(count)", Array(whole.prefix(count)), isReset ? [.reset] : [], outcome: .failure)
        }
        let bench = try HostileBench(way, kinds)
        defer { bench.stop() }
        await withTaskGroup(of: Void.self) { group in
            for (number, kind) in kinds.enumerated() { group.addTask { await bench.check(number, kind) } }
        }
    }
}

/// How an application asks.
enum Way: String, CaseIterable, Sendable {
    case data, stream, urlProtocol, ownTransport
}

/// A session and an origin that follows a list.
struct HostileBench: Sendable {
    private let way: Way
    private let origin: RawOrigin
    private let cache: ResponseCache
    private let outer: URLSession
    let session: CachingSession

    init(_ way: Way, _ kinds: [Misbehaviour]) throws {
        self.way = way
        origin = try RawOrigin { path in
            Int(path.dropFirst()).flatMap { kinds.indices.contains($0) ? kinds[$0].steps : nil } ?? []
        }
        cache = SessionBench.memoryCache()
        let settings = URLSessionConfiguration.default
        settings.httpMaximumConnectionsPerHost = 32
        var configuration = CachingSession.Configuration()
        configuration.urlSession = settings
        session = CachingSession(
            configuration: configuration, cache: cache, transport: way == .ownTransport ? SocketTransport() : nil)
        HostileProtocol.current.withLock { [session] in $0 = session }
        settings.protocolClasses = [HostileProtocol.self]
        outer = URLSession(configuration: settings)
    }

    func stop() {
        outer.invalidateAndCancel()
        origin.stop()
    }

    /// Asks for one kind, and judges.
    func check(_ number: Int, _ kind: Misbehaviour) async {
        guard let url = URL(string: "\(origin.base)/\(number)") else { return }
        var request = URLRequest(url: url)
        // Of the kinds that hang, some wait for this.
        let hangs = kind.steps.contains { if case .hang = $0 { true } else { false } }
        if hangs { request.timeoutInterval = 1 }
        do {
            let (body, response) = try await ask(request)
            guard let response = response as? HTTPURLResponse else {
                Issue.record("\(kind.name): no HTTP response")
                return
            }
            judge(kind, response, body)
        } catch {
            let isStored = cache.cachedResponse(for: request) != nil
            #expect(!isStored, "\(kind.name): a fragment is stored")
            if case .answer = kind.outcome, way != .ownTransport {
                Issue.record("\(kind.name): \(error)")
            }
            #expect(error is URLError, "\(kind.name): \(error)")
            if let error = error as? URLError {
                #expect(error.code != .unknown && error.code != .cancelled, "\(kind.name): \(error)")
                #expect(!error.localizedDescription.isEmpty && error.localizedDescription.contains(" "))
                if hangs { #expect(error.code == .timedOut, "\(kind.name): \(error)") }
            }
        }
    }

    private func judge(_ kind: Misbehaviour, _ response: HTTPURLResponse, _ body: [UInt8]) {
        // A transport without decoding is right to hand out the coded body.
        if way == .ownTransport, response.value(forHTTPHeaderField: "Content-Encoding") != nil { return }
        switch kind.outcome {
        case .failure: Issue.record("\(kind.name): status \(response.statusCode), \(body.count) bytes")
        case .answerOrFailure(let status, let expected):
            #expect(response.statusCode == status && body == expected, "\(kind.name): \(response.statusCode)")
        case .answer(let status, let expected, let fields):
            #expect(
                response.statusCode == status && body == expected, "\(kind.name): \(response.statusCode), \(body.count)"
            )
            for (name, value) in fields {
                #expect((response.value(forHTTPHeaderField: name) ?? "") == value, "\(kind.name): \(name)")
            }
        }
    }

    private func ask(_ request: URLRequest) async throws -> ([UInt8], URLResponse) {
        switch way {
        case .data, .ownTransport:
            let (data, response) = try await session.data(for: request)
            return ([UInt8](data), response)
        case .stream:
            let (parts, response) = try await session.bytes(for: request)
            var body: [UInt8] = []
            for try await part in parts { body += part }
            return (body, response)
        case .urlProtocol:
            let (data, response) = try await outer.data(for: request)
            return ([UInt8](data), response)
        }
    }
}

/// Answers by the session of the bench under test.
private final class HostileProtocol: CachingURLProtocol {
    static let current = Locked<CachingSession?>(nil)
    override class var session: CachingSession { current.withLock { $0 } ?? defaultSession }
}
