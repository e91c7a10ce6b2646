import LoopbackOrigin
import Platform
import URLCaching

/// A session, its cache in memory, and an origin that answers it.
struct Bench: Sendable {
    let origin: LoopbackOrigin
    let session: CachingSession
    private let gate: Shared<Hold>

    /// - Parameter reply: may hold back a reply by what it is given.
    init(
        _ change: (inout CachingSession.Configuration) -> Void = { _ in },
        reply: @escaping @Sendable (OriginRequest, Hold) -> OriginReply
    ) throws {
        let gate = Shared(Hold())
        self.gate = gate
        origin = try LoopbackOrigin(remembers: false) { request in reply(request, gate.value.withLock { $0 }) }
        session = Self.session(change)
    }

    static func session(_ change: (inout CachingSession.Configuration) -> Void = { _ in }) -> CachingSession {
        var configuration = CachingSession.Configuration()
        configuration.carrier = .libcurl
        configuration.urlSession = .ephemeral
        change(&configuration)
        return CachingSession(
            configuration: configuration,
            cache: ResponseCache(memoryCapacity: 1 << 18, diskCapacity: 0, diskPath: nil))
    }

    /// Does something while replies are held back, which may wait until one is, and lets them go on.
    func holding<Result: Sendable>(_ body: (Hold) async throws -> Result) async throws -> Result {
        let hold = Hold()
        gate.value.withLock { $0 = hold }
        defer { hold.release() }
        return try await body(hold)
    }

    func request(_ path: String = "/", method: String = "GET", body: [UInt8]? = nil) -> URLRequest {
        var request = URLRequest(url: origin.url(path))
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        return request
    }

    /// Asks, expects a status or an error's code, and waits until the session has no work left.
    func expect(_ expected: Expected, _ request: URLRequest) async throws {
        let outcome: Expected
        do {
            let (_, response) = try await session.data(for: request)
            outcome = .status((response as? HTTPURLResponse)?.statusCode ?? 0)
        } catch let error as URLError {
            outcome = .error(error.code)
        }
        try require(outcome == expected, "\(outcome)")
        await quiet()
    }

    enum Expected: Equatable, Sendable {
        case status(Int)
        case error(URLError.Code)
    }

    func quiet() async { await Self.quiet(session) }

    static func quiet(_ session: CachingSession) async {
        while session.underWay != (requests: 0, exchanges: 0) { await Task.yield() }
    }
}

/// A variable that closures share.
final class Shared<Value: Sendable>: Sendable {
    let value: Locked<Value>

    init(_ value: Value) { self.value = Locked(value) }
}
