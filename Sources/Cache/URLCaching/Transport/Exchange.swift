import HTTPCache
import HTTPSemantics
import Platform

/// A request that was sent, and its answer as far as it has come: written by URLSession, read by the engine.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone.
final class Exchange: IncomingBody, @unchecked Sendable {
    /// On whose behalf it was sent.
    let asking: Asking?

    private let lock = Lock()
    private let signal = Signal()
    private var task: URLSessionDataTask?
    private var head: HTTPResponse?
    private var backlog: BodyBacklog
    private var end: Result<Void, any Error>?

    init(_ asking: Asking?, longestBacklog: Int64) {
        self.asking = asking
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
        signal.raise()
        guard let task else { return }
        // Elsewhere: on Linux a cancellation waits for the queue that this may be called on, or that may be waiting for
        // the very task that is being cancelled.
        DispatchQueue.global().async { task.cancel() }
    }

    private func wait() async throws {
        await signal.wait()
        guard !Task.isCancelled else {
            cancel()
            throw CancellationError()
        }
    }

    // MARK: URLSession's side

    func receive(_ response: URLResponse) {
        lock.withLock { head = head ?? HTTPResponse(response)?.decoded }
        signal.raise()
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
        signal.raise()
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
        signal.raise()
    }
}

extension HTTPResponse {
    /// The response to what URLSession has decoded on the way: length and coding are those of bytes that nobody sees,
    /// and parts of them cannot be asked for.
    fileprivate var decoded: HTTPResponse {
        guard let coding = headerFields["Content-Encoding"]?.lowercased(), coding != "identity" else { return self }
        var response = withoutBody
        response.headerFields["Content-Encoding"] = nil
        response.headerFields["Accept-Ranges"] = "none"
        return response
    }

    /// The response without a length that its body will not have.
    fileprivate var withoutBody: HTTPResponse {
        var response = self
        response.headerFields["Content-Length"] = nil
        return response
    }
}
