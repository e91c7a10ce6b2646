import HTTPCache
import Platform

/// One request under way, as `URLSessionDataTask`: made suspended, begun by `resume()`.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone.
public final class CachingTask: @unchecked Sendable {
    /// Where a task is.
    public typealias State = URLSessionTask.State

    /// A number that no other task of its session has.
    public let taskIdentifier: Int
    /// The request as it was given.
    public let originalRequest: URLRequest

    private let session: CachingSession
    private let run: @Sendable (CachingTask) async -> Void
    private let lock = Lock()
    private var status = State.suspended
    private var request: URLRequest
    private var received: HTTPURLResponse?
    private var receivedBytes: Int64 = 0
    private var source: Answer.Source?
    private var failure: URLError?
    private var work: Task<Void, Never>?

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingTask) async -> Void) {
        self.session = session
        taskIdentifier = session.nextTaskIdentifier()
        originalRequest = request
        self.request = request
        self.run = run
    }

    /// Begins the task, if it has not been begun or cancelled.
    public func resume() {
        lock.withLock {
            guard status == .suspended else { return }
            status = .running
            start()
        }
    }

    /// Ends the task, which completes with `cancelled`, unless it has completed. A fetch that others wait for goes on.
    public func cancel() {
        let work = lock.withLock {
            switch status {
            case .suspended, .running:
                // One that was never begun completes as well.
                if status == .suspended { start() }
                status = .canceling
            case .canceling, .completed: break
            @unknown default: break
            }
            return self.work
        }
        work?.cancel()
    }

    // MARK: What is known so far

    /// Where the task is.
    public var state: State { lock.withLock { status } }
    /// The request that was sent last: another than the original one after a redirection.
    public var currentRequest: URLRequest { lock.withLock { request } }
    /// The answer's header.
    public var response: HTTPURLResponse? { lock.withLock { received } }
    /// Bytes of the body so far.
    public var countOfBytesReceived: Int64 { lock.withLock { receivedBytes } }
    /// How the answer came about; `nil` while there is none.
    public var answerSource: Answer.Source? { lock.withLock { source } }
    /// Why it failed; `nil` when it did not, or has not completed.
    public var error: URLError? { lock.withLock { failure } }

    // MARK: The session's side

    func willSend(_ request: URLRequest) { lock.withLock { self.request = request } }

    func didReceive(_ loaded: CachingSession.Loaded) {
        lock.withLock {
            received = loaded.response
            source = loaded.source
        }
    }

    func didReceive(byteCount: Int) { lock.withLock { receivedBytes += Int64(byteCount) } }

    func complete(_ error: URLError?) {
        lock.withLock {
            status = .completed
            failure = error
        }
    }

    /// Under the lock. The task keeps itself and its session until it is over.
    private func start() {
        work = Task { [self] in
            await session.counted { await run(self) }
        }
    }
}
