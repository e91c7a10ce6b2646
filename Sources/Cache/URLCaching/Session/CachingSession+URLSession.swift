import HTTPCache

/// The initialisers for code written for URLSession, and URLSession's members other than tasks.
extension CachingSession {
    /// Replaces `URLSession.shared`: a session without a delegate, with the settings of
    /// `URLSessionConfiguration.default`. Made on first use, with `ResponseCache.shared` as it is then.
    public static let shared = CachingSession(
        configuration: .default, delegate: nil, delegateQueue: nil, transport: nil, clock: SystemClock(), isShared: true
    )

    /// A session made like a URLSession; see `init(configuration:delegate:delegateQueue:)`.
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    /// A session made like a URLSession.
    ///
    /// **The cache** is the configuration's `urlCache`: `nil` means none, a `ForwardingURLCache` means its
    /// `ResponseCache`, and `URLCache.shared` means `ResponseCache.shared`, unless its capacities were changed. Any
    /// other gives a `ResponseCache` with its capacities, on disk in a directory of its own.
    ///
    /// **The settings** are copied: cache policy, time-outs, additional fields, cookies, credentials, connections per
    /// host, proxies, protocol classes. See `settingProblems` for those that have no effect.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - delegate: called on the queue, in URLSession's order. Retained until the session is invalidated or released.
    ///     It gets `urlSession` as its session.
    ///   - delegateQueue: where the delegate and handlers are called; `nil` makes a serial one.
    public convenience init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) {
        self.init(
            configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, transport: nil,
            clock: SystemClock())
    }

    /// The same with a transport and a clock, for tests.
    package convenience init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?,
        transport: (any Transport)?, clock: any CacheClock, isShared: Bool = false
    ) {
        var settings = Configuration()
        settings.urlSession = URLSessionSettings(configuration)
        settings.requestCachePolicy = configuration.requestCachePolicy
        let taken = TakenCache(configuration)
        let problems =
            SettingProblem.all(of: settings, hasTransport: transport != nil) + taken.problems
            + SettingProblem.neverCalled(
                delegate as? any CachingSessionDelegate, "CachingSessionDelegate (session(_:...))",
                remedy:
                    "implement urlSession(_:...) as with URLSession, or pass a CachingSession.Configuration and the "
                    + "delegate to CachingSession(configuration:cache:delegate:)")
        self.init(
            settings, taken.cache,
            URLSessionSide(
                delegate: delegate, queue: delegateQueue, usesQueue: true, isShared: isShared, problems: problems),
            transport, clock)
        SettingProblem.tell(problems)
    }

    /// The settings of the `URLSessionConfiguration` that have no effect, each with the reason and what to do instead.
    /// They are also written to the standard error, each once in a process.
    public var settingProblems: [SettingProblem] { foundation.problems }

    /// A `URLSession` whose tasks are this session's, for delegates and for code that takes a `URLSession`.
    ///
    /// On Linux it keeps the session. Its `data(for:)` and `upload(for:)` are answered by the session as through
    /// `CachingURLProtocol`; its `download(for:)` fails, so use the session's own, or tasks. On Apple systems, where
    /// URLSession has no initialiser for subclasses, it is a plain URLSession with a `ForwardingURLCache`.
    public var urlSession: URLSession {
        foundation.standIn {
            #if canImport(FoundationNetworking)
            SessionStandIn(self)
            #else
            URLSession(configuration: configuration.urlSession.makeConfiguration())
            #endif
        }
    }

    /// The delegate of URLSession's kind; `nil` after an invalidation.
    public var sessionDelegate: (any URLSessionDelegate)? { foundation.delegate }

    /// The queue on which that delegate is called.
    public var delegateQueue: OperationQueue { foundation.queue }

    /// A text for the application's use.
    public var sessionDescription: String? {
        get { foundation.description }
        set { foundation.description = newValue }
    }

    // MARK: Tasks

    /// Passes the tasks that are not over to a handler, on the delegate queue. Requests of `data(for:)` are not tasks.
    public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        foundation.queue.addOperation { [foundation] in completionHandler(foundation.tasks) }
    }

    /// The same, by kind.
    public func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
    ) {
        getAllTasks { tasks in
            completionHandler(
                tasks.compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask },
                tasks.compactMap { $0 as? URLSessionUploadTask }, tasks.compactMap { $0 as? URLSessionDownloadTask })
        }
    }

    /// The tasks that are not over.
    public var allTasks: [URLSessionTask] { get async { foundation.tasks } }

    /// The same, by kind.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            await withCheckedContinuation { continuation in
                getTasksWithCompletionHandler { continuation.resume(returning: ($0, $1, $2)) }
            }
        }
    }

    // MARK: The end

    /// Takes no more requests, and tells the delegate `didBecomeInvalidWithError` once the last task is over, and what
    /// refreshes its stale answer. Later requests fail with `cancelled`. Has no effect on `shared`.
    public func finishTasksAndInvalidate() {
        guard !foundation.isShared else { return }
        foundation.invalidate { [foundation, self] in
            guard let delegate = foundation.delegate else { return foundation.releaseDelegate() }
            let standIn = urlSession
            foundation.queue.addOperation {
                delegate.tellInvalid(standIn)
                foundation.releaseDelegate()
            }
        }
    }

    /// The same, and cancels the tasks and the requests of `data(for:)` and the like.
    public func invalidateAndCancel() {
        guard !foundation.isShared else { return }
        let tasks = foundation.tasks
        finishTasksAndInvalidate()
        for task in tasks { task.cancel() }
        engine.cancelAll()
    }

    /// Removes all cookies, stored responses and credentials from the configuration's storages, then calls a handler on
    /// the delegate queue. Unlike URLSession's, it keeps connections open, for later requests.
    public func reset(completionHandler: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async { [self] in
            removeAllCachedResponses()
            let settings = configuration.urlSession
            for cookie in settings.httpCookieStorage?.cookies ?? [] { settings.httpCookieStorage?.deleteCookie(cookie) }
            if let storage = settings.urlCredentialStorage {
                for (space, credentials) in storage.allCredentials {
                    for credential in credentials.values { storage.remove(credential, for: space) }
                }
            }
            flush(completionHandler: completionHandler)
        }
    }

    /// The same.
    public func reset() async {
        await withCheckedContinuation { continuation in reset { continuation.resume() } }
    }

    /// Writes what still waits in memory to disk, then calls a handler on the delegate queue. Unlike URLSession's, it
    /// keeps connections open, for later requests.
    public func flush(completionHandler: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async { [cache, foundation] in
            try? cache?.flush()
            foundation.queue.addOperation { completionHandler() }
        }
    }

    /// The same.
    public func flush() async {
        await withCheckedContinuation { continuation in flush { continuation.resume() } }
    }
}

/// URLSession's nested types, so code that names them still compiles.
extension CachingSession {
    /// What to do with a challenge.
    public typealias AuthChallengeDisposition = URLSession.AuthChallengeDisposition
    /// What to do with a response.
    public typealias ResponseDisposition = URLSession.ResponseDisposition
    /// What is to be done with a request whose time has come.
    public typealias DelayedRequestDisposition = URLSession.DelayedRequestDisposition
    /// Bytes of a body, part by part.
    public typealias AsyncBytes = ResponseBody
}
