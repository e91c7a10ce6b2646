import HTTPSemantics

/// A cache between an application and its origins (RFC 9111): looks up, decides, fetches or revalidates, stores.
///
/// Concurrent misses for which the same goes out share one fetch. A waiting request can be cancelled without disturbing the
/// others; when the last one is cancelled, so is the fetch. A fresh hit takes no lock of the engine and, by `freshHit`, no
/// task.
package final class CacheEngine: Sendable {
    /// The stored responses.
    package let responses: ResponseStore
    /// The settings.
    package let options: EngineOptions
    let storage: any ResponseStoring
    /// `storage` is `responses` itself.
    let isDirect: Bool
    /// Changes of `storage` may wait for a disk, or for an application's code.
    let storingMayBlock: Bool
    /// For changes of `storage`; `nil` if they do not block.
    let storageExecutor: (any TaskExecutor)?
    let transport: any Transport
    let clock: any CacheClock
    let fetches: SharedFetches
    let deadlines: Deadlines

    /// An engine.
    ///
    /// - Parameters:
    ///   - responses: the stored responses.
    ///   - storage: an application's own storage in front of `responses`, which sees every lookup and store.
    ///   - transport: carries requests to origins.
    ///   - clock: tells the time.
    ///   - options: see `EngineOptions`.
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
    /// Returns as soon as status and header fields are known; the body of a fetched answer follows by `BodyStream`.
    ///
    /// - Throws: `EngineError` if there is no answer; a status of 4xx or 5xx is not an error.
    package nonisolated(nonsending) func respond(to request: CacheRequest) async throws(EngineError) -> Answer {
        var facts = RequestFacts(request.request, policy: request.policy ?? options.policy)
        // The key says nothing of a body, on which the answer may depend nevertheless.
        if facts.method == .get, request.hasBody { facts.method = .otherSafe }
        return try await respond(to: request, facts)
    }

    nonisolated(nonsending) func respond(to request: CacheRequest, _ facts: RequestFacts) async throws(EngineError)
        -> Answer
    {
        var mayShare = true
        while true {
            let finishedCount = fetches.finishedCount
            let now = clock.now.seconds
            let stored = facts.isAnsweredFromStore ? lookup(request, now: now) : nil
            if stored == nil, let answer = answerFromParts(request, facts, now: now) { return answer }
            let lookedUp = LookedUpRequest(request: request, facts: facts, stored: stored)
            var decision = stored.map { decide(lookedUp, $0.facts, now: now) } ?? Reuse.decideWithoutStored(facts)
            if decision == .select, let stored {
                if let answer = select(stored, lookedUp, now: now) { return answer }
                decision = .fetch(.range)
            }
            switch (decision, stored) {
            case (.fresh, let stored?):
                return serve(stored, facts, stored.freshSource, now: now)
            case (.stale(let reason), let stored?):
                // A request that is only-if-cached causes no connection, in the background neither.
                if reason == .whileRevalidating, !facts.flags.contains(.onlyIfCached) { refreshInBackground(lookedUp) }
                let isOffline = facts.policy == .returnCacheDataDontLoad
                return serve(stored, facts, isOffline ? .offline : .stale, now: now)
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

    /// Cancels all that is under way, for all who wait. From now on only the store answers.
    package func cancelAll() { fetches.cancelAll() }

    /// The stored response. One that has outlived the application's own time to live is removed and not returned.
    func lookup(_ request: CacheRequest, now: Int64) -> StoredResponse? {
        guard let stored = storage.lookup(request) else { return nil }
        guard let timeToLive = request.timeToLive ?? options.timeToLive else { return stored }
        if stored.isWithin(timeToLive, now: now) { return stored }
        storage.remove(request, .expired)
        return nil
    }

    func decide(_ lookedUp: LookedUpRequest, _ stored: StoredFacts, now: Int64) -> ReuseDecision {
        // `lookup` has removed responses that outlived the application's time to live, which replaces the header's.
        lookedUp.request.timeToLive ?? options.timeToLive != nil
            ? Reuse.decideWithinTimeToLive(lookedUp.facts, stored, now: now)
            : Reuse.decide(lookedUp.facts, stored, now: now)
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

extension StoredResponse {
    /// Received or confirmed less than `timeToLive` seconds ago.
    func isWithin(_ timeToLive: Int64, now: Int64) -> Bool {
        let (resident, overflow) = now.subtractingReportingOverflow(facts.receivedAt)
        return !overflow && resident < timeToLive
    }
}
