import Platform

/// Adds the cache to code that controls only a `URLSessionConfiguration`:
///
///     configuration.protocolClasses = [CachingURLProtocol.self] + (configuration.protocolClasses ?? [])
///
/// `CachingURLProtocol.session` then answers the http and https requests of such a session, from its cache if allowed.
/// Subclass it and override `session` to use several caches.
///
/// **By default** the cache is 4 MiB of memory and nothing on disk, and cookies are neither sent nor kept: URLSession
/// does not tell a protocol its session's configuration, which may be ephemeral. If yours is not, one line enables
/// both:
///
///     CachingURLProtocol.defaultSession = CachingSession()
///
/// **What of the outer session has an effect.** What has none is to be set in the session that answers.
///
/// | of the outer session | effect |
/// |---|---|
/// | the request: URL, method, fields, body, `cachePolicy`, `timeoutInterval` | yes |
/// | `httpAdditionalHeaders`, cookies that URLSession puts into the request | yes, they are in the request |
/// | data tasks and upload tasks, by handler, delegate and `await` | yes |
/// | download tasks | fail with `unsupportedURL` and a text |
/// | `willPerformHTTPRedirection` of the delegate | on Linux; on Apple systems redirections are followed unasked |
/// | `willCacheResponse` of the delegate | no; the answering session's delegate is asked |
/// | challenges | no; the answering session's delegate and credentials |
/// | `requestCachePolicy` of the configuration | no |
/// | `urlCache`, cookie storage and policy, credential storage | no |
/// | `timeoutIntervalForRequest`, `timeoutIntervalForResource`, connections per host, proxies, TLS | no |
/// | metrics of the task | no |
///
/// The class has to be named in the configuration: `registerClass` has no effect on Linux. Uploads whose body
/// Foundation does not show to a protocol fail with `unsupportedURL`.
open class CachingURLProtocol: URLProtocol {
    private lazy var loading = ProtocolLoading(self)

    /// The session that answers the requests; unless set, it caches in memory and has no cookies. You can replace it at
    /// any time from any thread, best at start-up.
    public static var defaultSession: CachingSession {
        get {
            if let session = sharedSession.withLock({ $0 }) { return session }
            let new = sessionForAnyConfiguration()
            return sharedSession.withLock { shared in
                let session = shared ?? new
                shared = session
                return session
            }
        }
        set {
            // Releases the old session after unlocking.
            _ = sharedSession.withLock { shared in
                defer { shared = newValue }
                return shared
            }
        }
    }

    private static let sharedSession = ForkSafe<CachingSession?>(nil)

    /// A session that leaves nothing behind and reveals nothing of another session, whichever it works for.
    package static func sessionForAnyConfiguration() -> CachingSession {
        var configuration = CachingSession.Configuration()
        configuration.urlSession = .ephemeral
        configuration.urlSession.httpCookieStorage = nil
        configuration.urlSession.httpCookieAcceptPolicy = .never
        configuration.urlSession.httpShouldSetCookies = false
        configuration.urlSession.urlCredentialStorage = nil
        return CachingSession(
            configuration: configuration,
            cache: ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil))
    }

    /// The session that answers this class's requests: `defaultSession`, unless a subclass overrides it.
    open class var session: CachingSession { defaultSession }

    /// Whether URLSession gets a body part by part, as it arrives, or whole, at its end.
    ///
    /// For tasks with a completion handler and for async calls, URLSession on Linux keeps only the last part, and it
    /// does not tell a protocol which kind it serves. So a body is collected in memory there, and handed over whole.
    /// Override this to return `true` for sessions whose every task reports to a delegate.
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
        guard !(task is URLSessionDownloadTask) else {
            return fail("CachingURLProtocol cannot serve download tasks; use a data task, or a session without it")
        }
        var request = request
        if let task = task as? URLSessionUploadTask, !request.takeBody(of: task) {
            return fail(
                "CachingURLProtocol is not shown the body of this upload task; set httpBody and use a data task")
        }
        let session = answeringSession
        loading.begin(request, session, outerDelegate(request, session), inParts: type(of: self).deliversBodyInParts)
    }

    var answeringSession: CachingSession { type(of: self).session }

    /// Asks the outer session's delegate, as far as Foundation shows it; `nil` where nobody is to be asked.
    func outerDelegate(_ request: URLRequest, _ session: CachingSession) -> (any CachingSessionDelegate)? {
        #if canImport(Darwin)
        return nil
        #else
        // Foundation keeps a task's session under this name, and does not show it.
        guard let task, let outer = task.property("session") as? URLSession,
            let delegate = task.delegate ?? outer.delegate as? any URLSessionTaskDelegate
        else { return nil }
        return OuterDelegate(delegate, outer, task, inner: session.asked(nil, request))
        #endif
    }

    private func fail(_ reason: String) {
        client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL, request, reason))
    }

    /// Called by URLSession.
    override open func stopLoading() { loading.stop() }
}

/// One protocol object's work, between URLSession's thread and the task that loads.
///
/// `@unchecked Sendable`: every variable is touched only under the lock. The protocol object, which is not Sendable, is
/// also passed to its client only under the lock, and never after `stop`; nothing else of it is touched. The lock is
/// recursive because a client may stop the loading from within.
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

    func begin(
        _ request: URLRequest, _ session: CachingSession, _ delegate: (any CachingSessionDelegate)?, inParts: Bool
    ) {
        lock.withLock {
            guard target != nil, work == nil else { return }
            // A new task, and with it another thread: to begin a task of another session from the one that calls
            // this ends in a trap of libdispatch.
            work = Task { await self.load(request, session, delegate, inParts: inParts) }
        }
    }

    func stop() {
        let work = lock.withLock {
            target = nil
            return self.work.take()
        }
        work?.cancel()
    }

    private func load(
        _ request: URLRequest, _ session: CachingSession, _ delegate: (any CachingSessionDelegate)?, inParts: Bool
    ) async {
        do {
            let (body, response) = try await session.bytes(for: request, delegate: delegate)
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

/// Puts redirections to the outer session's delegate, on its queue, and all else to whom the inner session asks.
final class OuterDelegate: CachingSessionDelegate {
    private let outer: any URLSessionTaskDelegate
    private let session: URLSession
    private let task: URLSessionTask
    fileprivate let inner: (any CachingSessionDelegate)?

    init(
        _ outer: any URLSessionTaskDelegate, _ session: URLSession, _ task: URLSessionTask,
        inner: (any CachingSessionDelegate)?
    ) {
        (self.outer, self.session, self.task, self.inner) = (outer, session, task, inner)
    }

    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? {
        guard let inner else { return proposed }
        return await inner.session(session, willCacheResponse: proposed, for: request)
    }

    func session(
        _: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? {
        let answer = OneShot<URLRequest?>()
        session.delegateQueue.addOperation { [outer, session, task] in
            outer.ask(session, task, redirection: response, to: newRequest) { answer.provide($0) }
        }
        return await answer.wait(cancelled: newRequest)
    }

    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await inner?.session(session, didReceive: challenge) ?? (.performDefaultHandling, nil)
    }
}

extension CachingSessionDelegate {
    /// Who asks URLSession's delegates, also where another delegate asks it.
    var events: TaskEvents? { self as? TaskEvents ?? (self as? OuterDelegate)?.inner as? TaskEvents }

    /// Whether anybody is asked before an answer is stored.
    var isAskedAboutStoring: Bool {
        if let outer = self as? OuterDelegate { return outer.inner?.isAskedAboutStoring ?? false }
        return events?.asksWhetherToCache ?? true
    }
}

extension URLRequest {
    /// Takes over what an upload task sends, which is never the request's own body.
    ///
    /// - Returns: `false` if Foundation does not show it.
    fileprivate mutating func takeBody(of task: URLSessionUploadTask) -> Bool {
        #if canImport(Darwin)
        return httpBody != nil || httpBodyStream != nil
        #else
        guard let known = task.property("knownBody"), let body = Mirror(reflecting: known).children.first?.value,
            let payload = Mirror(reflecting: body).children.first?.value
        else { return false }
        httpBody = nil
        switch payload {
        case let data as DispatchData: httpBody = Data(data)
        case let file as URL:
            // A file of unknown length is sent in chunks; one that cannot be read is a separate error.
            let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
            if let size { setValue("\(size)", forHTTPHeaderField: "Content-Length") }
            httpBodyStream = InputStream(url: file)
        case let stream as InputStream: httpBodyStream = stream
        default: return false
        }
        return true
        #endif
    }
}

extension URLSessionTask {
    /// The queue on which FoundationNetworking looks up what to do for a task. It has no public name. If a client were
    /// called elsewhere, it would read the session's dictionary of tasks while others write it, which ends the process.
    var workQueue: DispatchQueue? {
        #if canImport(Darwin)
        return nil
        #else
        return property("workQueue") as? DispatchQueue
        #endif
    }

    /// A stored property without a public name.
    func property(_ name: String) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: self)
        while let present = mirror {
            if let property = present.children.first(where: { $0.label == name }) { return property.value }
            mirror = present.superclassMirror
        }
        return nil
    }
}
