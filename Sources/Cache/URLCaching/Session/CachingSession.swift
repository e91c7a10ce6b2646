import CacheTiers
import CurlTransport
import HTTPCache
import HTTPSemantics
import Platform
import Synchronization

/// Takes the place of `URLSession`'s data tasks: requests are answered out of a `ResponseCache` by
/// RFC 9111 and by their `cachePolicy`, on every platform.
///
///     let session = CachingSession()
///     let (data, response) = try await session.data(from: url)
///
/// Answers come whole (`data(for:)`), part by part (`bytes(for:)`), twice (`storedThenRefreshed(for:)`), by a completion
/// handler (`dataTask(with:completionHandler:)`) or to a delegate (`dataTask(with:)`).
///
/// **Which policy holds.** A request's `cachePolicy` does, unless it is `useProtocolCachePolicy`, which is also what a
/// request has that was never given one: then `Configuration.requestCachePolicy` does. All six are honoured, also where
/// Foundation ignores them.
///
/// **What is as with URLSession.** Redirections are followed, 20 at most, each answered out of the cache if it may be.
/// Bodies come decoded. A challenge for Basic or Digest authentication is put to the delegate; other schemes are the platform's.
/// Errors are `URLError`s. Schemes other than http and https are refused with `unsupportedURL`.
///
/// **What is not.** Requests for which exactly the same goes out, credentials and cookies included, and that miss at the
/// same time share one fetch; the delegate of the first is asked about storing the answer. Others share it only once its
/// header has come, and if the cache would answer them with it. A stored response is handed out with the header fields that
/// it was stored with, and with its current age as `Age`.
///
/// **One user.** A cache is one user's (RFC 9111, section 1: a private cache): whoever asks for a URL gets what is stored for
/// it, unless the response varies by a field in which the requests differ. A server that sends requests for many users takes
/// a session without a cache, a cache for each user, or a key hook that returns the user.
///
/// **How requests are carried.** On Apple systems by URLSession. Elsewhere by libcurl, found at run time, since
/// URLSession there ends the process on some broken answers; see `Configuration.carrier` and `transportProblem`.
/// libcurl sends no POST or PATCH twice: where a kept connection breaks before the answer, they fail with
/// `networkConnectionLost`. Cookies of the configuration's storage are the session's own work, so that `Vary: Cookie`
/// is matched against what is sent; a request with a `Cookie` field goes as it is.
///
/// **In a forked child** a session answers fresh hits, and refuses every other request with `cannotLoadFromNetwork`, since
/// its threads are the parent's. Make another session in the child. Swift runs tasks there on executors of the child's
/// own alone.
public final class CachingSession: Sendable {
    /// The cache that stores the answers; `nil` if every request goes to its origin.
    public let cache: ResponseCache?
    /// The session's settings.
    public let configuration: Configuration
    /// The delegate of every request that is sent without another one.
    public let delegate: (any CachingSessionDelegate)?

    /// Why URLSession sends the requests although libcurl was requested, with the remedy; `nil` if the requested
    /// library sends them.
    public let transportProblem: TransportProblem?

    /// The part of it that is URLSession's: delegate, queue, tasks.
    let foundation: URLSessionSide

    let engine: CacheEngine
    let clock: any CacheClock
    let cookies: SessionCookies
    /// `URLSessionConfiguration.httpAdditionalHeaders`.
    let additionalFields: [(name: String, value: String)]
    /// `URLSessionConfiguration.timeoutIntervalForRequest`, seconds.
    let requestTimeout: Double
    /// A fresh hit is answered as it is stored: additional fields neither change it nor are added to it.
    let answersFreshHits: Bool
    private let carrier: any Transport
    private let forkGeneration = currentForkGeneration()
    private let tasksSoFar = Atomic<Int>(0)
    private let running = Atomic<Int>(0)

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - cache: a cache, which other sessions may share; `nil` for none. The session calls the lookup, store and
    ///     removal that a subclass of `ResponseCache` overrides.
    ///   - delegate: retained as long as the session exists.
    ///   - transport: sends requests to origins; `nil` selects the library of `Configuration.carrier`. The session's
    ///     cookies and `Configuration.rewrite` are applied in either case.
    ///   - clock: the time by which freshness is judged.
    public convenience init(
        configuration: Configuration = Configuration(), cache: ResponseCache? = .shared,
        delegate: (any CachingSessionDelegate)? = nil, transport: (any Transport)? = nil,
        clock: any CacheClock = SystemClock()
    ) {
        self.init(configuration, cache, delegate, URLSessionSide(), transport, clock)
    }

    init(
        _ configuration: Configuration, _ cache: ResponseCache?, _ delegate: (any CachingSessionDelegate)?,
        _ foundation: URLSessionSide, _ transport: (any Transport)?, _ clock: any CacheClock
    ) {
        self.foundation = foundation
        self.configuration = configuration
        self.cache = cache
        self.delegate = delegate
        self.clock = clock
        let settings = configuration.urlSession.makeConfiguration()
        cookies = SessionCookies(settings)
        let timeout = settings.timeoutIntervalForRequest
        requestTimeout = timeout > 0 ? timeout : 60
        additionalFields = (settings.httpAdditionalHeaders ?? [:]).compactMap { name, value in
            (name as? String).map { ($0, "\(value)") }
        }
        answersFreshHits = cache != nil && additionalFields.isEmpty && configuration.cacheStatusName == nil
        (carrier, transportProblem) = transport.map { ($0, nil) } ?? Self.transport(configuration, settings)
        var options = EngineOptions()
        options.policy = RequestPolicy(configuration.requestCachePolicy)
        options.timeToLive = configuration.timeToLive
        options.answersGatewayTimeout = configuration.answersGatewayTimeout
        options.rewrite = configuration.rewriting
        options.willStore = { response, request in await WillCache.ask(response, request) }
        options.asksWillStore = { request in
            guard let delegate = request.sessionContext?.delegate else { return false }
            return (delegate as? TaskEvents)?.asksWhetherToCache ?? true
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
        // The class itself has no overrides, and the engine is quicker without the detour.
        let storage = cache.flatMap { type(of: $0) == ResponseCache.self ? nil : CacheAdapter($0, clock: clock) }
        engine = CacheEngine(
            responses: responses, storage: storage,
            transport: SessionTransport(carrier: carrier, cookies: cookies),
            clock: clock, options: options)
    }

    /// - Throws: in a forked child, where the threads that carry requests and hold locks do not exist.
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

    /// Counts a request for as long as `work` takes.
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

    /// Requests that are waited for, and exchanges of the default transport with origins: 0 when nothing is under way.
    package var underWay: (requests: Int, exchanges: Int) {
        (running.load(ordering: .relaxed), (carrier as? any ExchangeCounting)?.exchangesUnderWay ?? 0)
    }
}

/// Invalidation by the application, as by the cache's own methods of these names. Nothing that was sent to an origin before
/// these return is stored afterwards, whichever session sent it.
extension CachingSession {
    /// Removes all variants that are stored for a request's URL.
    public func removeCachedResponse(for request: URLRequest) {
        engine.remove(
            CacheRequest(HTTPRequest(request), context: RequestContext(request: request, session: self, delegate: nil)))
    }

    /// Removes all responses. They are not found afterwards even if the removal cannot be written to disk.
    public func removeAllCachedResponses() {
        cache?.removeAllCachedResponses()
        engine.responses.order.noteRemovalOfAll()
    }

    /// Removes the responses that were stored after `date`.
    public func removeCachedResponses(since date: Date) {
        cache?.removeCachedResponses(since: date)
        engine.responses.order.noteRemovalOfAll()
    }
}
