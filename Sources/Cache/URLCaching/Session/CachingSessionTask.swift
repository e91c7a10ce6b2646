import HTTPCache

/// A task of a `CachingSession`, of any of URLSession's classes.
///
/// Some values exist twice: in URLSession's type, and in a narrower one. The compiler takes the one that fits.
public protocol CachingSessionTask: URLSessionTask {
    /// The source of the answer; `nil` until it comes.
    var answerSource: Answer.Source? { get }
    /// When the task's steps happened.
    var times: TaskTimes { get }
}

extension CachingSessionTask {
    private var asURLSession: URLSessionTask { self }

    /// The request as it was given.
    public var originalRequest: URLRequest {
        asURLSession.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }
    /// The request sent last; after a redirection it differs from the original one.
    public var currentRequest: URLRequest { asURLSession.currentRequest ?? originalRequest }
    /// The answer's header.
    public var response: HTTPURLResponse? { asURLSession.response as? HTTPURLResponse }
    /// Why the task failed; `nil` if it did not fail, or has not completed.
    public var error: URLError? { asURLSession.error as? URLError }
}

/// A data task of a `CachingSession`: created suspended, begun by `resume()`.
///
/// It is a `URLSessionDataTask`, so variables and delegates of that type accept it.
///
/// `@unchecked Sendable`, because the compiler cannot check a subclass of an unchecked class. The only stored property,
/// `core`, is a constant of `TaskCore`, which the compiler checks as Sendable; what changes is in it, under its lock.
/// The superclass's members that would touch its own state are overridden, and Foundation declares that Sendable.
public final class CachingTask: URLSessionDataTask, CachingSessionTask, @unchecked Sendable {
    /// The state of a task.
    public typealias State = URLSessionTask.State

    let core: TaskCore

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingTask) async -> Void) {
        core = TaskCore(session, request) { task in
            if let task = task as? CachingTask { await run(task) }
        }
        super.init()
        session.foundation.note(self, core)
    }

    /// Stands for a request without a task when a delegate is told about one. It is running, and in no list.
    init(standingFor request: URLRequest, _ session: CachingSession) {
        core = TaskCore(session, request) { _ in }
        super.init()
        core.withValues { ($0.suspensions, $0.isBegun, $0.times.start) = (0, true, Date()) }
        session.foundation.noteStanding(core.identifier)
    }

    /// Begins the task, or continues it after `suspend()`.
    public override func resume() { core.resume(self) }

    /// Passes nothing on until `resume()` has been called as often as this.
    public override func suspend() { core.suspend() }

    /// Ends the task with the error `cancelled`, unless it has completed. A fetch that other requests wait for
    /// continues.
    public override func cancel() { core.cancel(self) }

    /// A number that no other task of its session has.
    public override var taskIdentifier: Int { core.identifier }
    /// The request as it was given.
    public override var originalRequest: URLRequest? { core.originalRequest }
    /// The request sent last; after a redirection it differs from the original one.
    public override var currentRequest: URLRequest? { core.withValues { $0.request } }
    /// The state of the task.
    public override var state: State { core.state }
    /// The answer's header.
    public override var response: URLResponse? { core.withValues { $0.response } }
    /// Why the task failed, a `URLError`; `nil` if it did not fail, or has not completed.
    public override var error: (any Error)? { core.withValues { $0.error } }
    /// Bytes of both bodies that have been transferred.
    public override var progress: Progress { core.progress }
    /// How many bytes of the body have been received.
    public override var countOfBytesReceived: Int64 { core.withValues { $0.received } }
    /// How many bytes of the request's body have been sent.
    public override var countOfBytesSent: Int64 { core.withValues { $0.sent } }
    /// The length of the answer's body; -1 if the origin does not announce it.
    public override var countOfBytesExpectedToReceive: Int64 { core.withValues { $0.expectedToReceive } }
    /// The length of the request's body; -1 if unknown.
    public override var countOfBytesExpectedToSend: Int64 { core.withValues { $0.expectedToSend } }
    /// The application's estimate, for `progress`.
    public override var countOfBytesClientExpectsToReceive: Int64 {
        get { core.withValues { $0.clientExpectsToReceive } }
        set { core.withValues { $0.clientExpectsToReceive = newValue } }
    }
    /// The application's estimate, for `progress`.
    public override var countOfBytesClientExpectsToSend: Int64 {
        get { core.withValues { $0.clientExpectsToSend } }
        set { core.withValues { $0.clientExpectsToSend = newValue } }
    }
    /// The task's own delegate, asked before the session's. Set it before `resume()`; it is `nil` again after the end.
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }
    /// A text for the application's use.
    public override var taskDescription: String? {
        get { core.withValues { $0.description } }
        set { core.withValues { $0.description = newValue } }
    }
    /// Kept, but without effect.
    public override var priority: Float {
        get { core.withValues { $0.priority } }
        set { core.withValues { $0.priority = newValue } }
    }
    /// The source of the answer; `nil` until it comes.
    public var answerSource: Answer.Source? { core.withValues { $0.source } }
    /// When the task's steps happened.
    public var times: TaskTimes { core.withValues { $0.times } }
}

/// A download of a `CachingSession` into a file. A stored answer is copied to the file.
///
/// `CachingTask` describes the members that it shares, and why it is `@unchecked Sendable`.
public final class CachingDownloadTask: URLSessionDownloadTask, CachingSessionTask, @unchecked Sendable {
    let core: TaskCore

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingDownloadTask) async -> Void)
    {
        core = TaskCore(session, request) { task in
            if let task = task as? CachingDownloadTask { await run(task) }
        }
        super.init()
        session.foundation.note(self, core)
    }

    public override func resume() { core.resume(self) }

    public override func suspend() { core.suspend() }

    public override func cancel() { core.cancel(self) }

    /// Ends the download. If it can be continued, which needs a GET whose answer has an entity tag or a date of
    /// modification, the handler gets what `downloadTask(withResumeData:)` takes; otherwise `nil`.
    public override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        // Called once, and the superclass does not require a Sendable handler.
        nonisolated(unsafe) let handler = completionHandler
        core.cancel(self) { handler($0) }
    }

    public override var taskIdentifier: Int { core.identifier }
    public override var originalRequest: URLRequest? { core.originalRequest }
    public override var currentRequest: URLRequest? { core.withValues { $0.request } }
    public override var state: URLSessionTask.State { core.state }
    public override var response: URLResponse? { core.withValues { $0.response } }
    public override var error: (any Error)? { core.withValues { $0.error } }
    public override var progress: Progress { core.progress }
    public override var countOfBytesReceived: Int64 { core.withValues { $0.received } }
    public override var countOfBytesSent: Int64 { core.withValues { $0.sent } }
    public override var countOfBytesExpectedToReceive: Int64 { core.withValues { $0.expectedToReceive } }
    public override var countOfBytesExpectedToSend: Int64 { core.withValues { $0.expectedToSend } }
    public override var countOfBytesClientExpectsToReceive: Int64 {
        get { core.withValues { $0.clientExpectsToReceive } }
        set { core.withValues { $0.clientExpectsToReceive = newValue } }
    }
    public override var countOfBytesClientExpectsToSend: Int64 {
        get { core.withValues { $0.clientExpectsToSend } }
        set { core.withValues { $0.clientExpectsToSend = newValue } }
    }
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }
    public override var taskDescription: String? {
        get { core.withValues { $0.description } }
        set { core.withValues { $0.description = newValue } }
    }
    public override var priority: Float {
        get { core.withValues { $0.priority } }
        set { core.withValues { $0.priority = newValue } }
    }
    /// The source of the answer; `nil` until it comes.
    public var answerSource: Answer.Source? { core.withValues { $0.source } }
    /// When the task's steps happened.
    public var times: TaskTimes { core.withValues { $0.times } }
}

/// An upload of a `CachingSession`, with the progress of a `URLSessionUploadTask`.
///
/// `CachingTask` describes the members that it shares, and why it is `@unchecked Sendable`.
public final class CachingUploadTask: URLSessionUploadTask, CachingSessionTask, @unchecked Sendable {
    let core: TaskCore

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingUploadTask) async -> Void) {
        core = TaskCore(session, request) { task in
            if let task = task as? CachingUploadTask { await run(task) }
        }
        super.init()
        session.foundation.note(self, core)
    }

    public override func resume() { core.resume(self) }

    public override func suspend() { core.suspend() }

    public override func cancel() { core.cancel(self) }

    public override var taskIdentifier: Int { core.identifier }
    public override var originalRequest: URLRequest? { core.originalRequest }
    public override var currentRequest: URLRequest? { core.withValues { $0.request } }
    public override var state: URLSessionTask.State { core.state }
    public override var response: URLResponse? { core.withValues { $0.response } }
    public override var error: (any Error)? { core.withValues { $0.error } }
    public override var progress: Progress { core.progress }
    public override var countOfBytesReceived: Int64 { core.withValues { $0.received } }
    public override var countOfBytesSent: Int64 { core.withValues { $0.sent } }
    public override var countOfBytesExpectedToReceive: Int64 { core.withValues { $0.expectedToReceive } }
    public override var countOfBytesExpectedToSend: Int64 { core.withValues { $0.expectedToSend } }
    public override var countOfBytesClientExpectsToReceive: Int64 {
        get { core.withValues { $0.clientExpectsToReceive } }
        set { core.withValues { $0.clientExpectsToReceive = newValue } }
    }
    public override var countOfBytesClientExpectsToSend: Int64 {
        get { core.withValues { $0.clientExpectsToSend } }
        set { core.withValues { $0.clientExpectsToSend = newValue } }
    }
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }
    public override var taskDescription: String? {
        get { core.withValues { $0.description } }
        set { core.withValues { $0.description = newValue } }
    }
    public override var priority: Float {
        get { core.withValues { $0.priority } }
        set { core.withValues { $0.priority = newValue } }
    }
    /// The source of the answer; `nil` until it comes.
    public var answerSource: Answer.Source? { core.withValues { $0.source } }
    /// When the task's steps happened.
    public var times: TaskTimes { core.withValues { $0.times } }
}
