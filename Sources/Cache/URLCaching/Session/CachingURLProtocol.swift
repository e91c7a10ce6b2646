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
/// **Not taken over from the outer configuration**, so set it in the session that answers: cookie storage and policy,
/// credentials, time-outs other than the request's own, connections per host, TLS settings, proxies, and a task's
/// metrics. Additional header fields, and cookies that URLSession itself adds, are in the request it hands over, and
/// are sent.
///
/// **Limits**, most of them Foundation's: name the class in the configuration; `registerClass` has no effect on Linux.
/// Download tasks fail with `unsupportedURL`, and so do upload tasks whose body Foundation does not show to a protocol.
/// Redirections are followed here, without asking the outer session's delegate. The delegate of
/// `CachingURLProtocol.session` decides whether a response is stored: a protocol does not know which session it works
/// for, and Foundation's own `willCacheResponse` needs that.
open class CachingURLProtocol: URLProtocol {
    private lazy var loading = ProtocolLoading(self)

    /// The session that answers the requests; unless set, it caches in memory and has no cookies. You can replace it at
    /// any time from any thread, best at start-up.
    public static var defaultSession: CachingSession {
        get {
            sharedSession.withLock { shared in
                let session = shared ?? sessionForAnyConfiguration()
                shared = session
                return session
            }
        }
        set { sharedSession.withLock { $0 = newValue } }
    }

    private static let sharedSession = Locked<CachingSession?>(nil)

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
        loading.begin(request, answeringSession, inParts: type(of: self).deliversBodyInParts)
    }

    var answeringSession: CachingSession { type(of: self).session }

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

    func begin(_ request: URLRequest, _ session: CachingSession, inParts: Bool) {
        lock.withLock {
            guard target != nil, work == nil else { return }
            // A new task, and with it another thread: beginning a task of another session from this one ends in a trap
            // in libdispatch.
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
