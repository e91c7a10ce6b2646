import CurlTransport
import HTTPCache
import HTTPSemantics
import Platform

/// A request that was sent, and its answer as far as it has come: written by URLSession, read by the engine.
final class Exchange: IncomingBody, Sendable {
    /// Meets challenges.
    let context: (any URLSessionRequestContext)?

    private let state: Locked<State>
    private let event = AutoResetEvent()

    private struct State: ~Copyable {
        var task: URLSessionDataTask?
        var head: HTTPResponse?
        var backlog: BodyBacklog
        var end: Result<Void, any Error>?
    }

    init(_ context: (any URLSessionRequestContext)?, longestBacklog: Int64) {
        self.context = context
        state = Locked(State(backlog: BodyBacklog(longest: longestBacklog)))
    }

    func begin(_ task: URLSessionDataTask) {
        state.withLock { $0.task = task }
        task.resume()
    }

    // MARK: The engine's side

    /// Waits for the header.
    func response() async throws -> HTTPResponse {
        while true {
            let response: HTTPResponse? = try state.withLock { state in
                if let head = state.head { return head }
                if case .failure(let error) = state.end { throw error }
                return nil
            }
            if let response { return response }
            try await wait()
        }
    }

    func next() async throws -> [UInt8]? {
        while true {
            enum Step { case chunk([UInt8]), end, wait }
            let step: Step = try state.withLock { state in
                if let chunk = try state.backlog.next() { return .chunk(chunk) }
                guard let end = state.end else { return .wait }
                try end.get()
                return .end
            }
            switch step {
            case .chunk(let chunk): return chunk
            case .end: return nil
            case .wait: try await wait()
            }
        }
    }

    /// Ends the task, if it has not ended.
    func cancel() {
        let task = state.withLock { state in
            if state.end == nil { state.end = .failure(CancellationError()) }
            return state.task.take()
        }
        event.set()
        guard let task else { return }
        // Elsewhere: on Linux a cancellation waits for the queue that this may be called on, or that may be waiting for
        // the very task that is being cancelled.
        DispatchQueue.global().async { task.cancel() }
    }

    private func wait() async throws {
        await event.wait()
        guard !Task.isCancelled else {
            cancel()
            throw CancellationError()
        }
    }

    // MARK: URLSession's side

    func receive(_ response: URLResponse) {
        // An interim answer is not the answer (RFC 9110, section 15.2).
        guard let received = HTTPResponse(response)?.asReceived, received.status >= 200 else { return }
        state.withLock { $0.head = $0.head ?? received }
        event.set()
    }

    func receive(_ data: Data) {
        let isTooLong = state.withLock { state in
            guard state.end == nil else { return false }
            do {
                try state.backlog.append([UInt8](data))
                return false
            } catch {
                state.end = .failure(error)
                return true
            }
        }
        event.set()
        if isTooLong { cancel() }
    }

    /// The header of a 3xx that is not followed, whose body does not come.
    func receiveRedirection(_ response: HTTPURLResponse) {
        let head = HTTPResponse(response).withoutBody
        state.withLock { $0.head = $0.head ?? head }
        receiveEnd()
    }

    /// All has come, and the task is of no more use.
    func receiveEnd() {
        state.withLock { state in
            if state.end == nil { state.end = .success(()) }
        }
        cancel()
    }

    /// Nothing more comes.
    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        let received = response.flatMap { HTTPResponse($0)?.withoutBody }
        state.withLock { state in
            state.task = nil
            // On Linux a 3xx that leads nowhere is not announced, and its body is dropped.
            if state.head == nil, error == nil { state.head = received }
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            if state.head == nil, case .success = state.end { state.end = .failure(URLError(.badServerResponse)) }
        }
        event.set()
    }
}

extension HTTPResponse {
    /// The response to what URLSession has decoded on the way.
    fileprivate var asReceived: HTTPResponse {
        guard let coding = headerFields["Content-Encoding"]?.lowercased(), coding != "identity" else { return self }
        return decoded
    }

    /// The response without a length that its body will not have.
    fileprivate var withoutBody: HTTPResponse {
        var response = self
        response.headerFields["Content-Length"] = nil
        return response
    }
}
