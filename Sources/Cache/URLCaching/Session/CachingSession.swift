import CacheTiers
import HTTPCache
import HTTPSemantics
import Synchronization

/// What an application uses instead of `URLSession`'s data tasks: requests are answered out of a `ResponseCache` by
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
/// Bodies come decoded. A challenge for Basic authentication is put to the delegate; other schemes are the platform's.
/// Errors are `URLError`s. Schemes other than http and https are refused with `unsupportedURL`.
///
/// **What is not.** Requests for one URL that miss at the same time share one fetch, and it is the delegate of whoever
/// came first that is asked about storing its answer. A stored response is handed out with the header fields it was
/// stored with, without an `Age`. On Linux the body of a redirection that is not followed is empty, as Foundation loses
/// it.
public final class CachingSession: Sendable {
    /// Where answers are kept; `nil` when every request goes to its origin.
    public let cache: ResponseCache?
    /// How the session goes about its work.
    public let configuration: Configuration
    /// Asked and told about every request that brings no delegate of its own.
    public let delegate: (any CachingSessionDelegate)?

    let engine: CacheEngine
    let clock: any CacheClock
    private let transport: any Transport
    private let tasksSoFar = Atomic<Int>(0)
    private let running = Atomic<Int>(0)

    /// A session.
    ///
    /// - Parameters:
    ///   - configuration: see `Configuration`.
    ///   - cache: its own or one that others share; `nil` for none. Of a subclass of `ResponseCache`, the overridden
    ///     lookup, store and removal are what the session calls.
    ///   - delegate: kept for as long as the session.
    ///   - transport: carries requests to origins; `nil` is `URLSession`, as `Configuration.urlSession` sets it up.
    ///   - clock: tells the time by which freshness is judged.
    public init(
        configuration: Configuration = Configuration(), cache: ResponseCache? = .shared,
        delegate: (any CachingSessionDelegate)? = nil, transport: (any Transport)? = nil,
        clock: any CacheClock = SystemClock()
    ) {
        self.configuration = configuration
        self.cache = cache
        self.delegate = delegate
        self.clock = clock
        let transport = transport ?? URLSessionTransport(configuration)
        self.transport = transport
        var options = EngineOptions()
        options.policy = RequestPolicy(configuration.requestCachePolicy)
        options.timeToLive = configuration.timeToLive
        options.willStore = { response, request in await WillCache.ask(response, request) }
        let responses =
            cache?.store
            ?? ResponseStore(tiers: TwoTierCache(memory: MemoryTier(clamping: 0), disk: nil, hasher: KeyHasher()))
        // Nobody can have overridden anything in the class itself, and the engine is quicker without the detour.
        let storage = cache.flatMap { type(of: $0) == ResponseCache.self ? nil : CacheAdapter($0, clock: clock) }
        engine = CacheEngine(
            responses: responses, storage: storage, transport: transport, clock: clock, options: options)
    }

    // MARK: What is under way

    /// A number that no other task of the session has.
    func nextTaskIdentifier() -> Int { tasksSoFar.add(1, ordering: .relaxed).newValue }

    /// Counts a request for as long as `work` takes.
    func counted<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        running.add(1, ordering: .relaxed)
        defer { running.subtract(1, ordering: .relaxed) }
        return try await work()
    }

    /// Requests that are waited for, and exchanges of the default transport with origins: 0 when nothing is under way.
    package var underWay: (requests: Int, exchanges: Int) {
        (running.load(ordering: .relaxed), (transport as? URLSessionTransport)?.exchangesUnderWay ?? 0)
    }
}
