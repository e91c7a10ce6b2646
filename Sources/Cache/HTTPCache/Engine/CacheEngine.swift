import CacheTiers
import HTTPSemantics

/// A cache between an application and its origins (RFC 9111): looks up, decides, fetches or revalidates, stores.
///
/// Concurrent misses that send the same request share one fetch. You can cancel a waiting request without disturbing
/// the others; the fetch is cancelled with the last one. A fresh hit takes no lock of the engine and, through
/// `freshHit`, needs no task.
package final class CacheEngine: Sendable {
    package let responses: ResponseStore
    package let options: EngineOptions
    let storage: any ResponseStoring
    /// `storage` is `responses` itself.
    let isDirect: Bool
    /// Changes of `storage` may wait for a disk or for the application's code.
    let storingMayBlock: Bool
    /// Where changes of `storage` run; `nil` if they do not block.
    let storageExecutor: (any TaskExecutor)?
    let transport: any Transport
    let clock: any CacheClock
    let fetches: SharedFetches
    let deadlines: Deadlines

    /// Creates an engine.
    ///
    /// - Parameter storage: an application's own storage in front of `responses`, which sees every lookup and store.
    package init(
        responses: ResponseStore, storage: (any ResponseStoring)? = nil, transport: any Transport,
        clock: any CacheClock = SystemClock(), options: EngineOptions = EngineOptions()
    ) {
        self.responses = responses
        self.storage = storage ?? responses
        isDirect = storage == nil
        storingMayBlock = storage != nil || responses.tiers.disk != nil
        storageExecutor = storingMayBlock ? options.blockingExecutor : nil
        self.transport = transport
        self.clock = clock
        self.options = options
        fetches = SharedFetches(responses.order)
        deadlines = Deadlines(clock: clock, executor: options.executor)
    }

    deinit { deadlines.end() }

    /// Answers a request.
    ///
    /// Returns once status and header fields are known; the body of a fetched answer follows through `BodyStream`.
    ///
    /// - Throws: `EngineError` if there is no answer; a status of 4xx or 5xx is not an error.
    package nonisolated(nonsending) func respond(to request: CacheRequest) async throws(EngineError) -> Answer {
        var facts = RequestFacts(request.request, policy: request.policy)
        // The key does not include a body, but the answer may depend on it.
        if facts.method == .get, request.hasBody { facts.method = .otherSafe }
        return try await respond(to: request, facts)
    }

    nonisolated(nonsending) func respond(to request: CacheRequest, _ facts: RequestFacts) async throws(EngineError)
        -> Answer
    {
        var mayShare = true
        // The store is looked into again at most once, since fetches of other URLs end meanwhile, too.
        var isFirst = true
        while true {
            let finishedCount = isFirst ? fetches.finishedCount : nil
            isFirst = false
            let now = clock.now.seconds
            let stored = facts.isAnsweredFromStore ? lookup(request, now: now) : nil
            var lookedUp = LookedUpRequest(request: request, facts: facts, stored: stored)
            var decision = stored.map { decide(lookedUp, $0.facts, now: now) } ?? Reuse.decideWithoutStored(facts)
            if let parts = partsToSelect(for: lookedUp, decision, now: now) {
                if let answer = select(from: parts, lookedUp, now: now) { return answer }
                lookedUp.parts = parts.stored
                // The parts are newer, so the response is outdated.
                if decision == .select, !facts.flags.contains(.onlyIfCached) { decision = .fetch(.range) }
            }
            if decision == .select, let stored {
                if let answer = select(stored, lookedUp, now: now) { return answer }
                decision = .fetch(.range)
            }
            switch (decision, stored) {
            case (.fresh, let stored?):
                return serve(stored, facts, stored.freshSource, now: now)
            case (.stale(let reason), let stored?):
                // An only-if-cached request causes no connection, not even in the background.
                if reason == .whileRevalidating, !facts.flags.contains(.onlyIfCached) { refreshInBackground(lookedUp) }
                return serve(stored, facts, facts.staleSource, now: now)
            case (.fail, _):
                throw .notStored(url: request.request.url)
            case (.gatewayTimeout, _):
                return .gatewayTimeout(at: now, .unanswered)
            case (.revalidate, _), (.fetch, _), (.fresh, nil), (.select, _), (.stale, nil):
                switch try await load(lookedUp, decision, mayShare: mayShare, finishedCount: finishedCount) {
                case .answer(let answer): return answer
                case .again(let next): mayShare = next
                }
            }
        }
    }

    /// Cancels everything under way, for everyone who waits. From now on only the store answers.
    package func cancelAll() { fetches.cancelAll() }

    /// The stored response. Removes one that has outlived the application's time to live, and returns `nil`.
    func lookup(_ request: CacheRequest, now: Int64) -> StoredResponse? {
        guard let stored = storage.lookup(request) else { return nil }
        guard let timeToLive = options.timeToLive else { return stored }
        if stored.isWithin(timeToLive, now: now) { return stored }
        storage.remove(request, .expired)
        return nil
    }

    func decide(_ lookedUp: LookedUpRequest, _ stored: StoredFacts, now: Int64) -> ReuseDecision {
        // The application's time to live replaces the header's, and `lookup` has removed what outlived it.
        options.timeToLive.map { Reuse.decide(lookedUp.facts, stored, within: $0, now: now) }
            ?? Reuse.decide(lookedUp.facts, stored, now: now)
    }

    /// Answers with a stored response that was not confirmed for this request.
    func serve(_ stored: StoredResponse, _ facts: RequestFacts, _ source: Answer.Source, now: Int64) -> Answer {
        let age = stored.facts.currentAge(at: now)
        var response = stored.response
        response.headerFields = StoredFields.served(response.headerFields, age: age)
        return Answer(
            response, body: facts.method == .head ? .empty : .stored(stored), source: source,
            receivedAt: stored.facts.receivedAt, cacheStatus: CacheStatus(timeToLive: stored.facts.lifetime - age))
    }
}

extension StoredResponse {
    /// The source of an answer with this response, if it is fresh.
    var freshSource: Answer.Source { tier == .memory ? .memoryHit : .diskHit }
}

extension RequestFacts {
    /// The source of an answer with a stale response that the request accepts.
    var staleSource: Answer.Source { policy == .returnCacheDataDontLoad ? .offline : .stale }
}

extension StoredResponse {
    /// Received or confirmed less than `timeToLive` seconds ago.
    func isWithin(_ timeToLive: Int64, now: Int64) -> Bool {
        let (resident, overflow) = now.subtractingReportingOverflow(facts.receivedAt)
        return !overflow && resident < timeToLive
    }
}

/// The settings of an engine: defaults for requests, limits, and the application's hooks.
package struct EngineOptions: Sendable {
    /// Edits a response before it is stored. `nil` refuses it, and removes the response stored before.
    ///
    /// Called with the whole body, once for each response that may be stored, and again with the new header when a 304
    /// has confirmed it. The answer to the application's request does not change. The edited header decides about
    /// storing and freshness: it may add a lifetime that the server did not send, or `no-store`.
    ///
    /// An error says that the application was not asked: nothing is stored, and nothing removed.
    package typealias WillStore =
        @Sendable (ResponseToStore, CacheRequest) async throws(CancellationError) -> ResponseToStore?

    /// Changes a request before it is sent, e.g. the host in its URL or a field. The cache key stays the same. Called
    /// before the request waits for another's fetch: requests that differ afterwards share none.
    package typealias Rewrite = @Sendable (OutgoingRequest) async -> OutgoingRequest

    /// For how many seconds a stored response answers requests, whatever its header says; `nil` leaves it to the
    /// header. An older entry is removed, and the lookup misses.
    ///
    /// It does not make a response storable.
    package var timeToLive: Int64?
    /// Answers 504 (Gateway Timeout) if the origin cannot be reached and `must-revalidate` or `no-cache` forbids the
    /// stale response (RFC 9111, section 5.2.2.2). Otherwise the request fails with the transport's error.
    package var answersGatewayTimeout = false
    package var willStore: WillStore?
    /// Whether `willStore` wants to see the received answer to that request; `nil` means always. It always sees
    /// confirmed responses.
    package var asksWillStore: (@Sendable (CacheRequest) -> Bool)?
    /// Called once, with the reason, for each answer of an origin that is not stored; `nil` costs nothing.
    package var onNotStored: (@Sendable (CacheRequest, HTTPResponse, NotStoredReason) -> Void)?
    package var rewrite: Rewrite?
    /// Runs the engine's own tasks, e.g. the transport's thread; `nil` means the default executor.
    package var executor: (any TaskExecutor)?
    /// Runs work that may block: the disk tier's and an application's own storage. `nil` means `executor`.
    package var blockingExecutor: (any TaskExecutor)?

    /// The defaults: RFC 9111 decides, and there are no hooks.
    package init() {}
}

extension CacheEngine {
    /// Removes every response stored for a request's URL. What was sent to the origin before this returns is not stored
    /// afterwards.
    package func remove(_ request: CacheRequest) {
        storage.remove(request, .invalidated)
        // An application's storage may remove it without the store's knowledge.
        if !isDirect { responses.noteRemoval(request.request) }
    }
}
