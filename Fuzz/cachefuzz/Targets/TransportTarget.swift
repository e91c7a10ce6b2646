import LoopbackOrigin
import Platform
import URLCaching

extension FuzzTarget {
    /// The first byte says how the rest, the bytes of an origin, is cut into pieces, and by its highest bit whether the
    /// request is a HEAD. Each piece goes over loopback by itself; then the connection is closed.
    ///
    /// Oracle: a model reads all bytes at once. Where it finds an answer, the session hands out the same status, fields
    /// and body; where it finds none, the session fails with a `URLError`, stores nothing, and does not wait for its
    /// time-out.
    static let transport = FuzzTarget("transport") { buffer in
        guard let control = buffer.first else { return }
        let bytes = Array(buffer.dropFirst())
        let isHead = control & 0x80 != 0
        let outcome = TransportBench.shared.ask(bytes, pieces: Int(control & 0x7F), isHead: isHead)
        switch (AnswerModel(bytes, isHead: isHead), outcome) {
        case (.answer(let status, let fields, let body), .answer(let response, let received)):
            require(response.statusCode == status, "\(bytes.quoted): \(response.statusCode) for \(status)")
            require(received == body, "\(bytes.quoted): \(received.quoted) for \(body.quoted)")
            for (name, value) in fields where isComparable(name, value, fields.map(\.name)) {
                let found = response.value(forHTTPHeaderField: name).map { Array($0.utf8) }
                require(found == value, "\(bytes.quoted): \(name) is \(found?.quoted ?? "missing")")
            }
        case (.answer, .failure(let error)): fuzzFailure("\(bytes.quoted) failed: \(error)")
        case (.failure, .answer(let response, _)): fuzzFailure("\(bytes.quoted) gave \(response.statusCode)")
        case (_, .failure(let error)): require(error.code != .timedOut, "\(bytes.quoted) hung")
        case (.open, .answer): break
        }
    }

    /// Names that are sent once, and that the transport does not change.
    private static func isComparable(_ name: String, _ value: [UInt8], _ names: [String]) -> Bool {
        !["content-length", "transfer-encoding"].contains(name) && names.count { $0 == name } == 1
            && value.allSatisfy { $0 < 0x7F }
    }
}

/// One session and one origin for all inputs.
private final class TransportBench: Sendable {
    enum Outcome: Sendable {
        case answer(HTTPURLResponse, [UInt8])
        case failure(URLError)
    }

    static let shared = TransportBench()

    private let steps = Locked<[RawOrigin.Step]>([])
    private let origin: RawOrigin?
    private let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    private let session: CachingSession

    private init() {
        origin = try? RawOrigin { _ in Self.shared.steps.withLock { $0 } }
        var configuration = CachingSession.Configuration()
        let settings = URLSessionConfiguration.ephemeral
        settings.httpCookieStorage = nil
        settings.urlCredentialStorage = nil
        settings.timeoutIntervalForRequest = 5
        configuration.urlSession = settings
        session = CachingSession(configuration: configuration, cache: cache, delegate: FollowingNothing())
    }

    func ask(_ bytes: [UInt8], pieces: Int, isHead: Bool) -> Outcome {
        let length = pieces == 0 ? max(bytes.count, 1) : max(pieces, bytes.count / 32)
        steps.withLock { steps in
            steps = stride(from: 0, to: bytes.count, by: length).map {
                .send(Array(bytes[$0..<min($0 + length, bytes.count)]))
            }
        }
        guard let origin, let url = URL(string: origin.base + "/") else { fuzzFailure("no port can be listened to") }
        var request = URLRequest(url: url)
        if isHead { request.httpMethod = "HEAD" }
        let asked = request
        let outcome = Locked<Outcome?>(nil)
        let box = Box(outcome: outcome)
        let done = DispatchSemaphore(value: 0)
        Task { [session] in
            let outcome: Outcome
            do {
                let answer = try await session.answer(for: asked)
                outcome = .answer(answer.response, [UInt8](answer.data))
            } catch {
                outcome = .failure(error as? URLError ?? URLError(.unknown))
            }
            box.outcome.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        let found = box.outcome.withLock { $0 } ?? .failure(URLError(.unknown))
        if case .failure(let error) = found {
            require(error.code != .unknown, "\(bytes.quoted): an error without a reason")
            require(cache.cachedResponse(for: asked) == nil, "\(bytes.quoted): a fragment is stored")
        }
        session.removeAllCachedResponses()
        return found
    }

    private final class Box: Sendable {
        let outcome: Locked<Outcome?>
        init(outcome: consuming Locked<Outcome?>) { self.outcome = outcome }
    }
}

/// A 3xx is the answer: no input may lead to another host.
private final class FollowingNothing: CachingSessionDelegate {
    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? { nil }
}
