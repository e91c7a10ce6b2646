import LoopbackOrigin
import Platform
import SocketTransport
import Testing
import URLCaching

/// Whatever an origin does: the right answer or a `URLError` that names the reason, never a trap, a hang beyond the
/// time-out, a wrong body or a stored fragment (E9).
@Suite(.serialized, .timeLimit(.minutes(60))) struct HostileOriginTests {
    @Test("the list holds more than 40 kinds of misbehaviour") func kinds() {
        #expect(Misbehaviour.all.count > 80)
        #expect(Set(Misbehaviour.all.map(\.name)).count == Misbehaviour.all.count)
    }

    @Test(
        "every kind gives the right answer or an error, in every way of asking",
        // The ways left out read the body as `stream` does.
        arguments: [Way.data, .stream, .urlProtocol, .ownTransport])
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

    @Test(
        "a connection that closes at any byte of header or body is an error, in every way of asking",
        arguments: Way.allCases,
        WholeAnswer.allCases)
    func closesAtEveryByte(way: Way, answer: WholeAnswer) async throws {
        let kinds = [false, true].flatMap { isReset in
            answer.bytes.indices.map { count in
                Misbehaviour(
                    "\(isReset ? "resets" : "closes") behind byte \(count)", Array(answer.bytes.prefix(count)),
                    isReset ? [.reset] : [], outcome: answer.outcome(ofFirst: count, isReset: isReset))
            }
        }
        let whole = Misbehaviour("sends all", answer.bytes, outcome: .answer(200, Array("hello".utf8)))
        let bench = try HostileBench(way, kinds + [whole])
        defer { bench.stop() }
        await withTaskGroup(of: Void.self) { group in
            for (number, kind) in (kinds + [whole]).enumerated() {
                group.addTask { await bench.check(number, kind) }
            }
        }
    }
}

/// A right answer, by the way in which its end is told.
enum WholeAnswer: String, CaseIterable, Sendable {
    case length, chunks, coded

    var bytes: [UInt8] { head + body }

    /// The outcome when the connection closes or is reset behind so many bytes.
    func outcome(ofFirst count: Int, isReset: Bool) -> Misbehaviour.Outcome {
        switch self {
        // Without a length, no byte of a coded body is a body of 0 bytes.
        case .coded where count == head.count && !isReset: .answer(200, [])
        // A body is complete once the chunk of size 0 has come (RFC 9112, section 8).
        case .chunks where count == bytes.count - 1: .answerOrFailure(200, Array("hello".utf8))
        default: .failure
        }
    }

    private var head: [UInt8] {
        let line =
            switch self {
            case .length: "Content-Length: 5"
            case .chunks: "Transfer-Encoding: chunked"
            case .coded: "Content-Encoding: gzip"
            }
        return Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(line)\r\n\r\n".utf8)
    }

    private var body: [UInt8] {
        switch self {
        case .length: Array("hello".utf8)
        case .chunks: Array("2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Trailer: a\r\n\r\n".utf8)
        case .coded: gzip(Array("hello".utf8))
        }
    }
}

/// A session and an origin that follows a list.
struct HostileBench: Sendable {
    private let origin: RawOrigin
    private let cache: ResponseCache
    private let asking: Asking

    var session: CachingSession { asking.session }

    init(_ way: Way, _ kinds: [Misbehaviour]) throws {
        origin = try RawOrigin { path in
            Int(path.dropFirst()).flatMap { kinds.indices.contains($0) ? kinds[$0].steps : nil } ?? []
        }
        cache = SessionBench.memoryCache()
        let session = CachingSession(
            configuration: .patient.with { $0.httpMaximumConnectionsPerHost = 32 }, cache: cache,
            transport: way == .ownTransport ? SocketTransport() : nil)
        asking = Asking(way, session, HostileProtocol.self)
    }

    func stop() {
        asking.stop()
        origin.stop()
    }

    /// Asks for one kind, and judges.
    func check(_ number: Int, _ kind: Misbehaviour) async {
        guard let url = URL(string: "\(origin.base)/\(number)") else { return }
        var request = URLRequest(url: url)
        // Of the kinds that hang, some wait for this.
        let hangs = kind.isFailure && kind.steps.contains { if case .hang = $0 { true } else { false } }
        if hangs { request.timeoutInterval = 1 }
        do {
            let (body, response) = try await asking.ask(request)
            guard let response = response as? HTTPURLResponse else {
                Issue.record("\(kind.name): no HTTP response")
                return
            }
            judge(kind, response, body)
        } catch {
            let isStored = cache.cachedResponse(for: request) != nil
            #expect(!isStored, "\(kind.name): a fragment is stored")
            if case .answer = kind.outcome, asking.way != .ownTransport {
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
        if asking.way == .ownTransport, response.value(forHTTPHeaderField: "Content-Encoding") != nil { return }
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
}

private final class HostileProtocol: AskedProtocol {
    private static let mine = CurrentSession()
    override class var current: CurrentSession { mine }
}
