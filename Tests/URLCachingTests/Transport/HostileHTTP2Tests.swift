import CurlTransport
import LoopbackOrigin
import Platform
import TestSupport
import Testing
import URLCaching

/// Whatever an origin sends over HTTP/2: the right answer or a `URLError` that names the reason, never a trap, a hang
/// beyond the time-out, a wrong body or a stored fragment (E9). Skipped where libcurl has no HTTP/2, or OpenSSL is
/// missing.
@Suite(
    .serialized, .timeLimit(.minutes(60)),
    .enabled(if: HTTP2Bench.isPossible, "libcurl has no HTTP/2, or OpenSSL is missing"))
struct HostileHTTP2Tests {
    private static let ways = [Way.data, .stream, .delegate, .urlProtocol]

    /// Whether a way is tried with the kind of that number: each night all are, and each time two for each kind.
    private static func isTried(_ number: Int, _ way: Way) -> Bool {
        isNightly || number % 2 == (ways.firstIndex(of: way) ?? 0) % 2
    }

    @Test("the list holds more than 250 kinds of misbehaviour over HTTP/2, each with its own name") func kinds() {
        #expect(HTTP2Misbehaviour.all.count > 250)
        #expect(Set(HTTP2Misbehaviour.all.map { $0.method + $0.name }).count == HTTP2Misbehaviour.all.count)
    }

    @Test(
        "every kind gives the right answer or an error, no request that was carried out is sent again, and the next one is answered",
        arguments: ways)
    func misbehaviours(way: Way) async throws {
        let bench = try HTTP2Bench(way)
        defer { bench.stop() }
        await withTaskGroup(of: Void.self) { group in
            for (number, kind) in HTTP2Misbehaviour.all.enumerated() where Self.isTried(number, way) {
                group.addTask { await bench.check(kind) }
            }
        }
        while bench.session.underWay.requests > 0 { await Task.yield() }
    }

    @Test(
        "a connection that closes at any byte of an answer is an error, in every way of asking",
        arguments: ways)
    func closesAtEveryByte(way: Way) async throws {
        let bench = try HTTP2Bench(way)
        defer { bench.stop() }
        await withTaskGroup(of: Void.self) { group in
            for count in 0...Self.whole(1).count where Self.isTried(count, way) {
                let outcome =
                    count == Self.whole(1).count ? .answerOrFailure(200, "hello!") : HTTP2Misbehaviour.Outcome.failure
                let kind = HTTP2Misbehaviour.after("closes behind byte \(count)", outcome) {
                    [.send(Array(Self.whole($0).prefix(count))), .close(tells: count % 2 == 0)]
                }
                group.addTask { await bench.check(kind) }
            }
        }
    }

    /// The frames of an answer.
    private static func whole(_ stream: UInt32) -> [UInt8] {
        let (first, second) = (HTTP2Frame.block([(":status", "200")]), HTTP2Frame.block([("a", "b")]))
        return HTTP2Frame.frame(1, stream: stream, first)
            + HTTP2Frame.frame(9, flags: HTTP2Frame.endHeaders, stream: stream, second)
            + HTTP2Frame.data("hello", stream: stream, ends: false)
            + HTTP2Frame.frame(0, flags: HTTP2Frame.endStream | HTTP2Frame.padded, stream: stream, [1, 0x21, 0])
    }
}

/// A session, and an origin for each kind.
struct HTTP2Bench: Sendable {
    private let server: TLSServer
    private let cache = SessionBench.memoryCache()
    private let asking: Asking

    var session: CachingSession { asking.session }

    static var isPossible: Bool {
        (try? CurlLibrary.shared.get())?.version.contains("nghttp2/") == true && (try? tlsServer(.http2)) != nil
    }

    init(_ way: Way) throws {
        server = try tlsServer(.http2)
        asking = Asking(way, CachingSession(configuration: .overLibcurl, cache: cache), HostileHTTP2Protocol.self)
    }

    func stop() { asking.stop() }

    /// Asks for one kind, judges, and asks again.
    func check(_ kind: HTTP2Misbehaviour) async {
        do {
            let origin = try HTTP2Origin(
                server, greeting: kind.greeting ?? [.send(HTTP2Frame.settings())],
                { number, stream in
                    kind.persists || number == 0
                        ? kind.steps(stream) : [.readRequest, .send(HTTP2Misbehaviour.answer(stream))]
                })
            defer { origin.stop() }
            var request = URLRequest(url: try #require(URL(string: origin.base + "/a")))
            request.httpMethod = kind.method
            if kind.method == "POST" { request.httpBody = Data(repeating: 0x62, count: 100) }
            request.timeoutInterval = kind.hangs ? 1 : 600
            await judge(kind, request)
            let count = origin.requestCount
            // The short time-out may end before the request is sent.
            let isInOrder = kind.requests.contains(count) || kind.persists || (kind.hangs && count == 0)
            #expect(isInOrder, "\(kind.name): \(count) requests")
            guard !kind.hangs || count > 0 else { return }
            guard !kind.persists else { return }
            var next = URLRequest(url: try #require(URL(string: origin.base + "/next")))
            next.timeoutInterval = 600
            next.cachePolicy = .reloadIgnoringLocalCacheData
            let (body, _) = try await asking.ask(next)
            #expect(body.elementsEqual(HTTP2Misbehaviour.body.utf8), "\(kind.name): the next body")
        } catch {
            Issue.record("\(kind.name): the next request: \(error)")
        }
    }

    private func judge(_ kind: HTTP2Misbehaviour, _ request: URLRequest) async {
        do {
            let (body, response) = try await asking.ask(request)
            let text = String(decoding: body, as: UTF8.self)
            guard let response = response as? HTTPURLResponse else {
                Issue.record("\(kind.name): no HTTP response")
                return
            }
            switch kind.outcome {
            case .failure, .timeout, .failureOrTimeout:
                Issue.record("\(kind.name): status \(response.statusCode), \(body.count) bytes")
            case .answerOrFailure(let status, let expected):
                #expect(
                    response.statusCode == status && text == expected, "\(kind.name): \(response.statusCode), \(text)")
            case .answer(let status, let expected, let fields):
                #expect(
                    response.statusCode == status && text == expected, "\(kind.name): \(response.statusCode), \(text)")
                for (name, value) in fields {
                    #expect((response.value(forHTTPHeaderField: name) ?? "") == value, "\(kind.name): \(name)")
                }
            }
        } catch {
            let isStored = cache.cachedResponse(for: request) != nil
            #expect(!isStored, "\(kind.name): a fragment is stored")
            if case .answer = kind.outcome { Issue.record("\(kind.name): \(error)") }
            guard let error = error as? URLError else {
                Issue.record("\(kind.name): \(error)")
                return
            }
            #expect(error.code != .unknown && error.code != .cancelled, "\(kind.name): \(error)")
            #expect(error.localizedDescription.contains(" "), "\(kind.name): \(error)")
            switch kind.outcome {
            case .failureOrTimeout: break
            case .timeout: #expect(error.code == .timedOut, "\(kind.name): \(error)")
            default: #expect(error.code != .timedOut, "\(kind.name): \(error)")
            }
        }
    }
}

private final class HostileHTTP2Protocol: AskedProtocol {
    private static let mine = CurrentSession()
    override class var current: CurrentSession { mine }
}
