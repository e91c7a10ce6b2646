import HTTPCache

/// A task of a `CachingSession`, whichever of URLSession's classes it is of.
///
/// Some values are there twice: as URLSession types them, and in the narrower type that they have here. The compiler
/// takes the one that fits.
public protocol CachingSessionTask: URLSessionTask {
    /// The source of the answer; `nil` until it comes.
    var answerSource: Answer.Source? { get }
    /// When the steps of the task happened.
    var times: TaskTimes { get }
}

extension CachingSessionTask {
    private var asURLSession: URLSessionTask { self }

    /// The request as it was given.
    public var originalRequest: URLRequest {
        asURLSession.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }
    /// The request that was sent last; after a redirection it differs from the original one.
    public var currentRequest: URLRequest { asURLSession.currentRequest ?? originalRequest }
    /// The answer's header.
    public var response: HTTPURLResponse? { asURLSession.response as? HTTPURLResponse }
    /// Why the task failed; `nil` if it did not fail, or has not completed.
    public var error: URLError? { asURLSession.error as? URLError }
}

/// A data task of a `CachingSession`: created suspended, and begun by `resume()`.
///
/// It is a `URLSessionDataTask`, so that variables and delegates of that type take it.
///
/// `@unchecked Sendable`, since a subclass of an unchecked class cannot be checked: `core` and `run` are constants, of a class
/// that the compiler checks and of a Sendable function. What changes is in `core`, under its lock; the members of the
/// superclass that would read or write its own state are overridden, and Foundation declares that Sendable.
public final class CachingTask: URLSessionDataTask, CachingSessionTask, @unchecked Sendable {
    /// The state of a task.
    public typealias State = URLSessionTask.State

    let core: TaskCore
    private let run: @Sendable (CachingTask) async -> Void

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingTask) async -> Void) {
        core = TaskCore(session, request)
        self.run = run
        super.init()
        session.foundation.note(self, core)
    }

    /// Stands for a request that has no task, where a delegate is told of one. It is running, and in no list.
    init(standingFor request: URLRequest, _ session: CachingSession) {
        core = TaskCore(session, request)
        run = { _ in }
        super.init()
        core.withValues { ($0.suspensions, $0.isBegun, $0.times.start) = (0, true, Date()) }
    }

    /// Begins the task, or lets it go on after `suspend()`.
    public override func resume() { core.resume { await self.run(self) } }

    /// Passes nothing on until `resume()` was called as often as this.
    public override func suspend() { core.suspend() }

    /// Ends the task with the error `cancelled`, unless it has completed. A fetch that other requests wait for
    /// continues.
    public override func cancel() { core.cancel { await self.run(self) } }

    /// A number that no other task of its session has.
    public override var taskIdentifier: Int { core.identifier }
    /// The request as it was given.
    public override var originalRequest: URLRequest? { core.originalRequest }
    /// The request that was sent last; after a redirection it differs from the original one.
    public override var currentRequest: URLRequest? { core.withValues { $0.request } }
    /// The state of the task.
    public override var state: State { core.state }
    /// The answer's header.
    public override var response: URLResponse? { core.withValues { $0.response } }
    /// Why the task failed, a `URLError`; `nil` if it did not fail, or has not completed.
    public override var error: (any Error)? { core.withValues { $0.error } }
    /// Bytes of both bodies that have gone.
    public override var progress: Progress { core.progress }
    /// The number of bytes of the body received so far.
    public override var countOfBytesReceived: Int64 { core.withValues { $0.received } }
    /// The number of bytes of the request's body sent so far.
    public override var countOfBytesSent: Int64 { core.withValues { $0.sent } }
    /// The length of the answer's body; -1 when the origin does not announce it.
    public override var countOfBytesExpectedToReceive: Int64 { core.withValues { $0.expectedToReceive } }
    /// The length of the request's body; -1 when it is not known.
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
    /// The task's own delegate, asked before the session's. Set it before `resume()`.
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { core.withValues { $0.delegate } }
        set { core.withValues { $0.delegate = newValue } }
    }
    /// A text of the application's.
    public override var taskDescription: String? {
        get { core.withValues { $0.description } }
        set { core.withValues { $0.description = newValue } }
    }
    /// Kept, without an effect.
    public override var priority: Float {
        get { core.withValues { $0.priority } }
        set { core.withValues { $0.priority = newValue } }
    }
    /// The source of the answer; `nil` until it comes.
    public var answerSource: Answer.Source? { core.withValues { $0.source } }
    /// When the steps of the task happened.
    public var times: TaskTimes { core.withValues { $0.times } }
}

/// A download of a `CachingSession` into a file. A stored answer is copied to the file.
///
/// `@unchecked Sendable`, since a subclass of an unchecked class cannot be checked: `core` and `run` are constants, of a class
/// that the compiler checks and of a Sendable function. What changes is in `core`, under its lock; the members of the
/// superclass that would read or write its own state are overridden, and Foundation declares that Sendable.
public final class CachingDownloadTask: URLSessionDownloadTask, CachingSessionTask, @unchecked Sendable {
    let core: TaskCore
    private let run: @Sendable (CachingDownloadTask) async -> Void

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingDownloadTask) async -> Void)
    {
        core = TaskCore(session, request)
        self.run = run
        super.init()
        session.foundation.note(self, core)
    }

    /// Begins the task, or lets it go on after `suspend()`.
    public override func resume() { core.resume { await self.run(self) } }

    /// Passes nothing on until `resume()` was called as often as this.
    public override func suspend() { core.suspend() }

    /// Ends the task with the error `cancelled`, unless it has completed. A fetch that other requests wait for
    /// continues.
    public override func cancel() { core.cancel { await self.run(self) } }

    /// Ends the download. If it can be continued, which takes a GET whose answer has an entity tag or a date of
    /// modification, the handler is given what `downloadTask(withResumeData:)` takes; otherwise `nil`.
    public override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        // Called once, and the superclass does not ask for a Sendable handler.
        nonisolated(unsafe) let handler = completionHandler
        core.cancel(onResumeData: { handler($0) }) { await self.run(self) }
    }

    /// A number that no other task of its session has.
    public override var taskIdentifier: Int { core.identifier }
    /// The request as it was given.
    public override var originalRequest: URLRequest? { core.originalRequest }
    /// The request that was sent last; after a redirection it differs from the original one.
    public override var currentRequest: URLRequest? { core.withValues { $0.request } }
    /// The state of the task.
    public override var state: URLSessionTask.State { core.state }
    /// The answer's header.
    public override var response: URLResponse? { core.withValues { $0.response } }
    /// Why the task failed, a `URLError`; `nil` if it did not fail, or has not completed.
    public override var error: (any Error)? { core.withValues { $0.error } }
    /// Bytes of both bodies that have gone.
    public override var progress: Progress { core.progress }
    /// The number of bytes of the body received so far.
    public override var countOfBytesReceived: Int64 { core.withValues { $0.received } }
    /// The number of bytes of the request's body sent so far.
    public override var countOfBytesSent: Int64 { core.withValues { $0.sent } }
    /// The length of the answer's body; -1 when the origin does not announce it.
    public override var countOfBytesExpectedToReceive: Int64 { core.withValues { $0.expectedToReceive } }
    /// The length of the request's body; -1 when it is not known.
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
    /// The task's own delegate, asked before the session's. Set it before `resume()`.
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { core.withValues { $0.delegate } }
        set { core.withValues { $0.delegate = newValue } }
    }
    /// A text of the application's.
    public override var taskDescription: String? {
        get { core.withValues { $0.description } }
        set { core.withValues { $0.description = newValue } }
    }
    /// Kept, without an effect.
    public override var priority: Float {
        get { core.withValues { $0.priority } }
        set { core.withValues { $0.priority = newValue } }
    }
    /// The source of the answer; `nil` until it comes.
    public var answerSource: Answer.Source? { core.withValues { $0.source } }
    /// When the steps of the task happened.
    public var times: TaskTimes { core.withValues { $0.times } }
}

/// An upload of a `CachingSession`, with the progress of a `URLSessionUploadTask`.
///
/// `@unchecked Sendable`, since a subclass of an unchecked class cannot be checked: `core` and `run` are constants, of a class
/// that the compiler checks and of a Sendable function. What changes is in `core`, under its lock; the members of the
/// superclass that would read or write its own state are overridden, and Foundation declares that Sendable.
public final class CachingUploadTask: URLSessionUploadTask, CachingSessionTask, @unchecked Sendable {
    let core: TaskCore
    private let run: @Sendable (CachingUploadTask) async -> Void

    init(_ session: CachingSession, _ request: URLRequest, run: @escaping @Sendable (CachingUploadTask) async -> Void) {
        core = TaskCore(session, request)
        self.run = run
        super.init()
        session.foundation.note(self, core)
    }

    /// Begins the task, or lets it go on after `suspend()`.
    public override func resume() { core.resume { await self.run(self) } }

    /// Passes nothing on until `resume()` was called as often as this.
    public override func suspend() { core.suspend() }

    /// Ends the task with the error `cancelled`, unless it has completed. A fetch that other requests wait for
    /// continues.
    public override func cancel() { core.cancel { await self.run(self) } }

    /// A number that no other task of its session has.
    public override var taskIdentifier: Int { core.identifier }
    /// The request as it was given.
    public override var originalRequest: URLRequest? { core.originalRequest }
    /// The request that was sent last; after a redirection it differs from the original one.
    public override var currentRequest: URLRequest? { core.withValues { $0.request } }
    /// The state of the task.
    public override var state: URLSessionTask.State { core.state }
    /// The answer's header.
    public override var response: URLResponse? { core.withValues { $0.response } }
    /// Why the task failed, a `URLError`; `nil` if it did not fail, or has not completed.
    public override var error: (any Error)? { core.withValues { $0.error } }
    /// Bytes of both bodies that have gone.
    public override var progress: Progress { core.progress }
    /// The number of bytes of the body received so far.
    public override var countOfBytesReceived: Int64 { core.withValues { $0.received } }
    /// The number of bytes of the request's body sent so far.
    public override var countOfBytesSent: Int64 { core.withValues { $0.sent } }
    /// The length of the answer's body; -1 when the origin does not announce it.
    public override var countOfBytesExpectedToReceive: Int64 { core.withValues { $0.expectedToReceive } }
    /// The length of the request's body; -1 when it is not known.
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
    /// The task's own delegate, asked before the session's. Set it before `resume()`.
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { core.withValues { $0.delegate } }
        set { core.withValues { $0.delegate = newValue } }
    }
    /// A text of the application's.
    public override var taskDescription: String? {
        get { core.withValues { $0.description } }
        set { core.withValues { $0.description = newValue } }
    }
    /// Kept, without an effect.
    public override var priority: Float {
        get { core.withValues { $0.priority } }
        set { core.withValues { $0.priority = newValue } }
    }
    /// The source of the answer; `nil` until it comes.
    public var answerSource: Answer.Source? { core.withValues { $0.source } }
    /// When the steps of the task happened.
    public var times: TaskTimes { core.withValues { $0.times } }
}
