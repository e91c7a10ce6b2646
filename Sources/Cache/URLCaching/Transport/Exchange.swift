import CurlTransport
import HTTPCache
import HTTPSemantics
import Platform

/// A request that was sent, and its answer as far as it has come: written by URLSession, read by the engine.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone.
final class Exchange: IncomingBody, @unchecked Sendable {
    /// Meets challenges.
    let context: (any URLSessionRequestContext)?

    private let lock = Lock()
    private let event = AutoResetEvent()
    private var task: URLSessionDataTask?
    private var head: HTTPResponse?
    private var backlog: BodyBacklog
    private var end: Result<Void, any Error>?

    init(_ context: (any URLSessionRequestContext)?, longestBacklog: Int64) {
        self.context = context
        backlog = BodyBacklog(longest: longestBacklog)
    }

    func begin(_ task: URLSessionDataTask) {
        lock.withLock { self.task = task }
        task.resume()
    }

    // MARK: The engine's side

    /// Waits for the header.
    func response() async throws -> HTTPResponse {
        while true {
            let response: HTTPResponse? = try lock.withLock {
                if let head { return head }
                if case .failure(let error) = end { throw error }
                return nil
            }
            if let response { return response }
            try await wait()
        }
    }

    func next() async throws -> [UInt8]? {
        while true {
            enum Step { case chunk([UInt8]), end, wait }
            let step: Step = try lock.withLock {
                if let chunk = try backlog.next() { return .chunk(chunk) }
                guard let end else { return .wait }
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
        let task = lock.withLock {
            if end == nil { end = .failure(CancellationError()) }
            return self.task.take()
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
        lock.withLock { head = head ?? received }
        event.set()
    }

    func receive(_ data: Data) {
        let isTooLong = lock.withLock {
            guard end == nil else { return false }
            do {
                try backlog.append([UInt8](data))
                return false
            } catch {
                end = .failure(error)
                return true
            }
        }
        event.set()
        if isTooLong { cancel() }
    }

    /// The header of a 3xx that is not followed, whose body does not come.
    func receiveRedirection(_ response: HTTPURLResponse) {
        lock.withLock { head = head ?? HTTPResponse(response)?.withoutBody }
        receiveEnd()
    }

    /// All has come, and the task is of no more use.
    func receiveEnd() {
        lock.withLock {
            if end == nil { end = .success(()) }
        }
        cancel()
    }

    /// Nothing more comes.
    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        lock.withLock {
            task = nil
            // On Linux a 3xx that leads nowhere is not announced, and its body is dropped.
            if head == nil, error == nil { head = response.flatMap { HTTPResponse($0)?.withoutBody } }
            if end == nil { end = error.map { .failure($0) } ?? .success(()) }
            if head == nil, case .success = end { end = .failure(URLError(.badServerResponse)) }
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
