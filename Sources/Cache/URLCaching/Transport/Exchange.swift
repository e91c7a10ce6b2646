import CurlTransport
import HTTPCache
import HTTPSemantics
import Platform

/// A request that was sent, and its answer as far as it has come: URLSession writes it, the engine reads it.
final class Exchange: IncomingBody, Sendable {
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

    func cancel() {
        let task = state.withLock { state in
            if state.end == nil { state.end = .failure(CancellationError()) }
            return state.task.take()
        }
        event.set()
        guard let task else { return }
        // On another queue: on Linux, cancelling waits for the queue that may be calling this, or that may itself wait
        // for the task being cancelled.
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

    /// The header of a 3xx that is not followed. Its body does not come.
    func receiveRedirection(_ response: HTTPURLResponse) {
        let head = HTTPResponse(response).withoutBody
        state.withLock { $0.head = $0.head ?? head }
        receiveEnd()
    }

    /// Everything has come, and the task is no longer needed.
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
    /// The response to what URLSession has already decoded.
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

/// Tells exchanges what URLSession says about their tasks.
///
/// `@unchecked Sendable`: its superclass is not Sendable and has no state; the only property here is a Sendable
/// constant.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let exchanges = Locked<[Int: Exchange]>([:])

    var count: Int { exchanges.withLock { $0.count } }

    func begin(_ exchange: Exchange, _ task: URLSessionDataTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        exchange.begin(task)
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(task.response, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(Darwin)
        completionHandler(nil)
        #else
        // Foundation carries out a refusal later, on another queue. If a cancellation or time-out has ended the task by
        // then, that ends the process. The response is complete, and the task no longer needed.
        exchange(of: task)?.receiveRedirection(response)
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        // Met by Challenges, after the 401.
        guard challenge.protectionSpace.authenticationMethod != NSURLAuthenticationMethodHTTPBasic,
            let context = exchange(of: task)?.context
        else { return completionHandler(.performDefaultHandling, nil) }
        Task {
            let (disposition, credential) = await context.answer(challenge)
            completionHandler(disposition, credential)
        }
        #else
        // Asked when all of the 401 has been handed out. No answer would end the task: the default leaves it hanging,
        // and a credential for anything but Basic authentication ends the process.
        exchange(of: task)?.receiveEnd()
        #endif
    }
}
