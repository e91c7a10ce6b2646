import CacheTiers
import CurlTransport
import HTTPCache
import HTTPSemantics
import Platform
import Synchronization

/// Replaces `URLSession`'s data tasks: answers requests from a `ResponseCache`, by RFC 9111 and their `cachePolicy`, on
/// every platform.
///
///     let session = CachingSession()
///     let (data, response) = try await session.data(from: url)
///
/// Answers come whole (`data(for:)`), part by part (`bytes(for:)`), twice (`storedThenRefreshed(for:)`), through a
/// completion handler (`dataTask(with:completionHandler:)`) or to a delegate (`dataTask(with:)`).
///
/// **Which policy applies.** A request's `cachePolicy`, unless it is `useProtocolCachePolicy`, which a request also has
/// if it was never given one; then `Configuration.requestCachePolicy`. All six are honoured, even where Foundation
/// ignores them.
///
/// **Like URLSession.** Redirections are followed, 20 at most, each answered from the cache if allowed. Bodies come
/// decoded. Challenges for Basic or Digest authentication go to the delegate; other schemes are the platform's. Errors
/// are `URLError`s. Schemes other than http and https fail with `unsupportedURL`.
///
/// **Unlike URLSession.** Simultaneous misses share one fetch if they send exactly the same, credentials and cookies
/// included; the delegate of the first is asked about storing the answer. Other requests share it only once its header
/// has come, and if the cache would answer them with it. A stored response comes with the header fields it was stored
/// with, and its current age as `Age`.
///
/// **One user.** A cache belongs to one user (RFC 9111, section 1: a private cache): whoever asks for a URL gets what
/// is stored for it, unless the response varies by a field in which the requests differ. If a server sends requests for
/// many users, use a session without a cache, a cache for each user, or a key hook that returns the user.
///
/// **Carrying requests.** URLSession carries them on Apple systems. Elsewhere libcurl does, found at run time, because
/// URLSession there ends the process on some broken answers; see `Configuration.carrier` and `transportProblem`.
/// libcurl never sends a POST or PATCH twice: if a kept connection breaks before the answer, they fail with
/// `networkConnectionLost`. The session itself adds the cookies of the configuration's storage, so `Vary: Cookie` is
/// matched against what is sent; a request with a `Cookie` field goes out as it is.
///
/// **In a forked child** a session answers fresh hits, but refuses every other request with `cannotLoadFromNetwork`,
/// because its threads stayed in the parent. Make another session in the child. Swift runs tasks there only on the
/// child's own executors.
public final class CachingSession: Sendable {
    /// The cache that stores the answers; `nil` if every request goes to its origin.
    public let cache: ResponseCache?
    /// The session's settings. Their `urlCache` is the session's `cache`.
    public let configuration: Configuration
    /// The delegate of every request sent without its own; `nil` after an invalidation.
    public var delegate: (any CachingSessionDelegate)? { foundation.ownDelegate }

    /// Why URLSession sends the requests although libcurl was requested, with the remedy; `nil` if the requested
    /// library sends them.
    public let transportProblem: TransportProblem?

    let foundation: URLSessionSide

    let engine: CacheEngine
    let clock: any CacheClock
    let cookies: SessionCookies
    /// `URLSessionConfiguration.httpAdditionalHeaders`.
    let additionalFields: [(name: String, value: String)]
    /// `URLSessionConfiguration.timeoutIntervalForRequest`, seconds.
    let requestTimeout: Double
    /// `URLSessionConfiguration.timeoutIntervalForResource`, seconds.
    let resourceTimeout: Double
    /// A fresh hit is answered as stored: no additional fields could change it or are added to it.
    let answersFreshHits: Bool
    private let carrier: any Transport
    private let forkGeneration = currentForkGeneration()
    private let tasksSoFar = Atomic<Int>(0)
    private let running = Atomic<Int>(0)

    /// Creates a session with the cache of its settings' `urlCache`: `ResponseCache.shared` by default, one in memory
    /// for `.ephemeral`, none for `nil`, and otherwise as `init(configuration:delegate:delegateQueue:)` takes it. The
    /// parameters are those of `init(configuration:cache:delegate:transport:clock:)`.
    public convenience init(
        configuration: Configuration = Configuration(), delegate: (any CachingSessionDelegate)? = nil,
        transport: (any Transport)? = nil, clock: any CacheClock = SystemClock()
    ) {
        let settings = configuration.urlSession.makeConfiguration()
        let isShared = settings.urlCache === URLCache.shared
        let taken = isShared ? nil : TakenCache(settings)
        self.init(configuration, isShared ? .shared : taken?.cache, taken?.problems ?? [], delegate, transport, clock)
    }

    /// Creates a session with a cache, whatever its settings' `urlCache` is.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - cache: a cache, which other sessions may share; `nil` for none. The session calls the lookup, store and
    ///     removal that a subclass of `ResponseCache` overrides.
    ///   - delegate: retained until the session is invalidated or released. Where it is a delegate of URLSession's,
    ///     too, its methods `urlSession(_:...)` are not called, which `settingProblems` tells; they are by a session of
    ///     `init(configuration:delegate:delegateQueue:)`.
    ///   - transport: sends requests to origins; `nil` selects the library of `Configuration.carrier`. The session's
    ///     cookies and `Configuration.rewrite` apply in either case.
    ///   - clock: the time by which freshness is judged.
    public convenience init(
        configuration: Configuration = Configuration(), cache: ResponseCache?,
        delegate: (any CachingSessionDelegate)? = nil, transport: (any Transport)? = nil,
        clock: any CacheClock = SystemClock()
    ) {
        self.init(configuration, cache, [], delegate, transport, clock)
    }

    private convenience init(
        _ configuration: Configuration, _ cache: ResponseCache?, _ problems: [SettingProblem],
        _ delegate: (any CachingSessionDelegate)?, _ transport: (any Transport)?, _ clock: any CacheClock
    ) {
        var problems = problems + SettingProblem.all(of: configuration, hasTransport: transport != nil)
        problems += SettingProblem.neverCalled(
            delegate as? any URLSessionDelegate, "URLSessionDelegate (urlSession(_:...))",
            remedy: "implement those of CachingSessionDelegate, or pass a URLSessionConfiguration and the delegate to "
                + "CachingSession(configuration:delegate:delegateQueue:)")
        self.init(configuration, cache, URLSessionSide(own: delegate, problems: problems), transport, clock)
        SettingProblem.tell(problems)
    }

    init(
        _ configuration: Configuration, _ cache: ResponseCache?, _ foundation: URLSessionSide,
        _ transport: (any Transport)?, _ clock: any CacheClock
    ) {
        self.foundation = foundation
        self.cache = cache
        self.clock = clock
        var configuration = configuration
        configuration.urlSession.setCache(cache)
        self.configuration = configuration
        let settings = configuration.urlSession.makeConfiguration()
        cookies = SessionCookies(settings)
        let timeout = settings.timeoutIntervalForRequest
        requestTimeout = timeout > 0 ? timeout : 60
        let whole = settings.timeoutIntervalForResource
        resourceTimeout = whole > 0 ? whole : URLSessionTransport.longestTimeout
        additionalFields = (settings.httpAdditionalHeaders ?? [:]).compactMap { name, value in
            (name as? String).map { ($0, "\(value)") }
        }
        answersFreshHits = cache != nil && additionalFields.isEmpty && configuration.cacheStatusName == nil
        (carrier, transportProblem) = transport.map { ($0, nil) } ?? Self.transport(configuration, settings)
        var options = EngineOptions()
        options.timeToLive = configuration.timeToLive
        options.answersGatewayTimeout = configuration.answersGatewayTimeout
        options.rewrite = configuration.rewriting
        options.willStore = { response, request throws(CancellationError) in
            try await WillCache.ask(response, request)
        }
        options.asksWillStore = { request in
            request.sessionContext?.delegate?.isAskedAboutStoring ?? false
        }
        if let cache {
            options.onNotStored = { [told = configuration.onNotStored] request, _, reason in
                cache.refusals.note(reason)
                if let told, let asked = request.urlRequest { told(asked, reason) }
            }
        }
        if let curl = carrier as? CurlTransport {
            options.executor = curl.executor
            options.blockingExecutor = globalConcurrentExecutor
        }
        let responses =
            cache?.store
            ?? ResponseStore(tiers: TwoTierCache(memory: MemoryTier(clamping: 0), disk: nil, hasher: KeyHasher()))
        // The class itself has no overrides, and the engine is faster without the detour.
        let storage = cache.flatMap { type(of: $0) == ResponseCache.self ? nil : CacheAdapter($0, clock: clock) }
        engine = CacheEngine(
            responses: responses, storage: storage,
            transport: SessionTransport(carrier: carrier, cookies: cookies),
            clock: clock, options: options)
    }

    /// - Throws: in a forked child, which lacks the threads that carry requests and hold locks.
    func requireOwnProcess(_ request: URLRequest) throws {
        guard currentForkGeneration() == forkGeneration else {
            throw URLError(
                .cannotLoadFromNetwork, request,
                "this process is a fork of the one that made the session; make a session in this process")
        }
    }

    /// - Throws: after an invalidation.
    func requireValid(_ request: URLRequest) throws {
        if foundation.isInvalidated { throw URLError.invalidated(request) }
    }

    // MARK: Requests under way

    /// A number that no other task of the session has.
    func nextTaskIdentifier() -> Int { tasksSoFar.add(1, ordering: .relaxed).newValue }

    nonisolated(nonsending) func counted<Value>(_ work: nonisolated(nonsending) () async throws -> Value) async rethrows
        -> Value
    {
        running.add(1, ordering: .relaxed)
        defer {
            running.subtract(1, ordering: .relaxed)
            cache?.decoded.settle()
        }
        return try await work()
    }

    /// Requests waited for, and exchanges of the default transport with origins: 0 when nothing is under way.
    package var underWay: (requests: Int, exchanges: Int) {
        (running.load(ordering: .relaxed), (carrier as? any ExchangeCounting)?.exchangesUnderWay ?? 0)
    }
}

/// Invalidation by the application, like the cache's own methods of these names. What any session sent to an origin
/// before these return is not stored afterwards.
extension CachingSession {
    /// Removes all variants stored for a request's URL.
    public func removeCachedResponse(for request: URLRequest) {
        // As it would be sent, since a key hook may read what the session adds.
        let sent = cookies.applied(to: withAdditionalFields(request))
        engine.remove(
            CacheRequest(HTTPRequest(sent), context: RequestContext(request: sent, session: self, delegate: nil)))
    }

    /// Removes all responses. They are not found afterwards, even if the removal cannot be written to disk.
    public func removeAllCachedResponses() {
        cache?.removeAllCachedResponses()
        engine.responses.order.noteRemovalOfAll()
    }

    /// Removes the responses stored after `date`.
    public func removeCachedResponses(since date: Date) {
        cache?.removeCachedResponses(since: date)
        engine.responses.order.noteRemovalOfAll()
    }
}
