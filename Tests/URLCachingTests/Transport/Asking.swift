import Platform
import Testing
import URLCaching

/// How an application asks.
enum Way: String, CaseIterable, Sendable {
    case data, stream, completionHandler, delegate, urlProtocol, ownTransport
}

/// A session that is asked in one of the ways.
struct Asking: Sendable {
    let way: Way
    let session: CachingSession
    private let outer: URLSession

    /// - Parameter protocolClass: each suite has its own, which knows the session of the present test.
    init(_ way: Way, _ session: CachingSession, _ protocolClass: AskedProtocol.Type) {
        self.way = way
        self.session = session
        protocolClass.current.value.withLock { $0 = session }
        let settings = session.configuration.urlSession.makeConfiguration()
        settings.protocolClasses = [protocolClass]
        outer = URLSession(configuration: settings)
    }

    func stop() { outer.invalidateAndCancel() }

    func ask(_ request: URLRequest) async throws -> ([UInt8], URLResponse?) {
        switch way {
        case .data, .ownTransport:
            let (data, response) = try await session.data(for: request)
            return ([UInt8](data), response)
        case .stream:
            let (parts, response) = try await session.bytes(for: request)
            var body: [UInt8] = []
            for try await part in parts { body += part }
            return (body, response)
        case .completionHandler:
            let answer = OneShot<Result<([UInt8], URLResponse?), any Error>>()
            session.dataTask(with: request) { data, response, error in
                answer.provide(error.map { .failure($0) } ?? .success(([UInt8](data ?? Data()), response)))
            }.resume()
            return try await answer.wait(cancelled: .failure(CancellationError())).get()
        case .delegate:
            let delegate = BodyCollector()
            let task = session.dataTask(with: request, delegate: delegate)
            task.resume()
            if let error = await delegate.end.wait(cancelled: URLError(.cancelled)) { throw error }
            return (delegate.body, task.response)
        case .urlProtocol:
            let (data, response) = try await outer.data(for: request)
            return ([UInt8](data), response)
        }
    }
}

/// Answers by the session under test.
class AskedProtocol: CachingURLProtocol {
    /// Every suite's subclass has another one.
    class var current: CurrentSession { CurrentSession() }
    override class var session: CachingSession { current.value.withLock { $0 } ?? defaultSession }
}

final class CurrentSession: Sendable {
    let value = Locked<CachingSession?>(nil)
}

/// Keeps what a task tells its delegate.
private final class BodyCollector: CachingSessionDelegate {
    private let received = Locked<[UInt8]>([])
    let end = OneShot<URLError?>()

    var body: [UInt8] { received.withLock { $0 } }

    func session(_ session: CachingSession, task: CachingTask, didReceive data: Data) async {
        received.withLock { $0 += data }
    }

    func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async {
        end.provide(error)
    }
}
