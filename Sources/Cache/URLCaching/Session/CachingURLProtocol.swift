import Platform

/// Adds the cache to code that controls only a `URLSessionConfiguration`:
///
///     configuration.protocolClasses = [CachingURLProtocol.self] + (configuration.protocolClasses ?? [])
///
/// http and https requests of such a session are answered by `CachingURLProtocol.session`, out of its cache where that
/// may be. Subclass it and override `session` to use several caches.
///
/// Limits, most of them Foundation's: the class has to be named in the configuration, `registerClass` has no effect on
/// Linux. Download tasks fail with `unsupportedURL`, and so do upload tasks whose body Foundation does not show to a
/// protocol. Redirections are followed here, without asking the outer session's delegate. Whether a response is stored
/// is asked of the delegate of `CachingURLProtocol.session`: a protocol is not told which session it works for, and
/// Foundation's own `willCacheResponse` needs it.
open class CachingURLProtocol: URLProtocol {
    private lazy var loading = ProtocolLoading(self)

    /// The session that answers the requests. It is created with `ResponseCache.shared` on first use, and can be
    /// replaced at any time, best at start-up, from any thread.
    public static var defaultSession: CachingSession {
        get {
            sharedSession.withLock { shared in
                let session = shared ?? CachingSession()
                shared = session
                return session
            }
        }
        set { sharedSession.withLock { $0 = newValue } }
    }

    private static let sharedSession = Locked<CachingSession?>(nil)

    /// The session that answers the requests of this class: `defaultSession`, unless a subclass overrides it.
    open class var session: CachingSession { defaultSession }

    /// Whether a body is handed to URLSession part by part, as it arrives, or whole, at its end.
    ///
    /// On Linux URLSession keeps only the last part for tasks with a completion handler and for async calls, and does
    /// not tell a protocol which kind it serves. So a body is collected in memory there, and handed over whole. Override
    /// this to return `true` for sessions whose every task reports to a delegate.
    open class var deliversBodyInParts: Bool {
        #if canImport(Darwin)
        true
        #else
        false
        #endif
    }

    /// Accepts http and https.
    override open class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    /// Returns the request unchanged.
    override open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Called by URLSession.
    override open func startLoading() {
        let request = request
        if let refusal = refusal(of: request) {
            client?.urlProtocol(self, didFailWithError: refusal)
            return
        }
        loading.begin(request, type(of: self).session, inParts: type(of: self).deliversBodyInParts)
    }

    /// Called by URLSession.
    override open func stopLoading() { loading.stop() }

    private func refusal(of request: URLRequest) -> URLError? {
        if task is URLSessionDownloadTask {
            return URLError(
                .unsupportedURL, request,
                "CachingURLProtocol cannot serve download tasks; use a data task, or a session without it")
        }
        if task is URLSessionUploadTask, request.httpBody == nil, request.httpBodyStream == nil {
            return URLError(
                .unsupportedURL, request,
                "CachingURLProtocol is not shown the body of this upload task; set httpBody and use a data task")
        }
        return nil
    }
}

/// The work of one protocol object, between URLSession's thread and the task that loads.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone. The protocol object, which is not Sendable, is
/// handed to its client under the lock too, and never after `stop`; nothing else of it is touched. The lock is recursive
/// for the sake of clients that stop the loading from within.
private final class ProtocolLoading: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// Until the loading is over: the two hold each other.
    private var target: URLProtocol?
    private var work: Task<Void, Never>?
    /// Where the client is called; `nil` for the thread that loads.
    private let queue: DispatchQueue?

    init(_ target: URLProtocol) {
        self.target = target
        queue = target.task?.workQueue
    }

    func begin(_ request: URLRequest, _ session: CachingSession, inParts: Bool) {
        lock.withLock {
            guard target != nil, work == nil else { return }
            // A new task, and with it another thread: to begin a task of another session from the one that calls
            // this ends in a trap of libdispatch.
            work = Task { await self.load(request, session, inParts: inParts) }
        }
    }

    func stop() {
        let work = lock.withLock {
            target = nil
            return self.work.take()
        }
        work?.cancel()
    }

    private func load(_ request: URLRequest, _ session: CachingSession, inParts: Bool) async {
        do {
            let (body, response) = try await session.bytes(for: request)
            tell { $0.urlProtocol($1, didReceive: response, cacheStoragePolicy: .notAllowed) }
            var whole = Data()
            for try await data in body {
                if inParts {
                    tell { $0.urlProtocol($1, didLoad: data) }
                } else if whole.isEmpty {
                    // The only part of a stored body is not copied.
                    whole = data
                } else {
                    whole.append(data)
                }
            }
            if !whole.isEmpty { tell { [whole] in $0.urlProtocol($1, didLoad: whole) } }
            finish { $0.urlProtocolDidFinishLoading($1) }
        } catch {
            finish { $0.urlProtocol($1, didFailWithError: error) }
        }
    }

    private typealias Message = @Sendable (any URLProtocolClient, URLProtocol) -> Void

    private func tell(_ message: @escaping Message) {
        guard let queue else { return pass(message) }
        queue.async { self.pass(message) }
    }

    /// Passes the last message on, and lets go of the protocol.
    private func finish(_ message: @escaping Message) {
        tell(message)
        guard let queue else { return forget() }
        queue.async { self.forget() }
    }

    private func forget() { lock.withLock { target = nil } }

    private func pass(_ message: Message) {
        lock.withLock {
            guard let target, let client = target.client else { return }
            message(client, target)
        }
    }
}

extension URLSessionTask {
    /// The queue on which FoundationNetworking looks up what is to be done for a task: a client that is called elsewhere
    /// reads the session's dictionary of tasks while others write it, which ends the process. It has no public name.
    var workQueue: DispatchQueue? {
        #if canImport(Darwin)
        return nil
        #else
        var mirror: Mirror? = Mirror(reflecting: self)
        while let present = mirror {
            if let queue = present.children.first(where: { $0.label == "workQueue" })?.value as? DispatchQueue {
                return queue
            }
            mirror = present.superclassMirror
        }
        return nil
        #endif
    }
}
