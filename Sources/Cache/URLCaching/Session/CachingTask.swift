import HTTPCache
import Platform

/// One request, like `URLSessionDataTask`: created suspended, and begun by `resume()`.
public final class CachingTask: Sendable {
    /// The state of a task.
    public typealias State = URLSessionTask.State

    /// A number that no other task of its session has.
    public let taskIdentifier: Int
    /// The request as it was given.
    public let originalRequest: URLRequest

    private let session: CachingSession
    private let run: @Sendable (CachingTask) async -> Void
    private let progress: Locked<Progress>

    private struct Progress {
        var state = State.suspended
        var request: URLRequest
        var response: HTTPURLResponse?
        var byteCount: Int64 = 0
        var source: Answer.Source?
        var error: URLError?
        var work: Task<Void, Never>?
    }

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingTask) async -> Void) {
        self.session = session
        taskIdentifier = session.nextTaskIdentifier()
        originalRequest = request
        progress = Locked(Progress(request: request))
        self.run = run
    }

    /// Begins the task, if it has not been begun or cancelled.
    public func resume() {
        progress.withLock { progress in
            guard progress.state == .suspended else { return }
            progress.state = .running
            progress.work = begun()
        }
    }

    /// Ends the task with the error `cancelled`, unless it has completed. A fetch that other requests wait for
    /// continues.
    public func cancel() {
        let work = progress.withLock { progress in
            switch progress.state {
            case .suspended, .running:
                // One that was never begun completes as well.
                if progress.state == .suspended { progress.work = begun(isCancelled: true) }
                progress.state = .canceling
            case .canceling, .completed: break
            @unknown default: break
            }
            return progress.work
        }
        work?.cancel()
    }

    // MARK: Progress

    /// The state of the task.
    public var state: State { progress.withLock { $0.state } }
    /// The request that was sent last; after a redirection it differs from the original one.
    public var currentRequest: URLRequest { progress.withLock { $0.request } }
    /// The answer's header.
    public var response: HTTPURLResponse? { progress.withLock { $0.response } }
    /// The number of bytes of the body received so far.
    public var countOfBytesReceived: Int64 { progress.withLock { $0.byteCount } }
    /// The source of the answer; `nil` until it comes.
    public var answerSource: Answer.Source? { progress.withLock { $0.source } }
    /// Why the task failed; `nil` if it did not fail, or has not completed.
    public var error: URLError? { progress.withLock { $0.error } }

    // MARK: The session's side

    func willSend(_ request: URLRequest) { progress.withLock { $0.request = request } }

    func didReceive(_ loaded: CachingSession.Loaded) {
        progress.withLock { progress in
            progress.response = loaded.response
            progress.source = loaded.source
        }
    }

    func didReceive(byteCount: Int) { progress.withLock { $0.byteCount += Int64(byteCount) } }

    func complete(_ error: URLError?) {
        progress.withLock { progress in
            progress.state = .completed
            progress.error = error
        }
    }

    /// The task keeps itself and its session until it is over.
    ///
    /// - Parameter isCancelled: whether it only ends; a cancellation from outside may come after its request was sent.
    private func begun(isCancelled: Bool = false) -> Task<Void, Never> {
        Task { [self] in
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            await session.counted { await run(self) }
        }
    }
}
