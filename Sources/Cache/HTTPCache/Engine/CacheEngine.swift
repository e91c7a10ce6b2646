import HTTPSemantics

/// A cache between an application and its origins (RFC 9111): looks up, decides, fetches or revalidates, stores.
///
/// Concurrent misses of one key share one fetch. Whoever waits can be cancelled without disturbing the others, and the
/// last one to leave cancels the fetch. A fresh hit takes no lock of the engine's and, by `freshHit`, no task.
public final class CacheEngine: Sendable {
    /// The responses, and what their keys are made of.
    public let responses: ResponseStore
    /// How it goes about its work.
    public let options: EngineOptions
    let storage: any ResponseStoring
    /// `storage` is `responses` itself.
    let isDirect: Bool
    let transport: any Transport
    let clock: any CacheClock
    let flights = Flights()

    /// An engine.
    ///
    /// - Parameters:
    ///   - responses: the responses.
    ///   - storage: stands in front of `responses` where an application wants to see every lookup and store; `nil` when
    ///     none does.
    ///   - transport: carries requests to origins.
    ///   - clock: tells the time.
    ///   - options: see `EngineOptions`.
    public init(
        responses: ResponseStore, storage: (any ResponseStoring)? = nil, transport: any Transport,
        clock: any CacheClock = SystemClock(), options: EngineOptions = EngineOptions()
    ) {
        self.responses = responses
        self.storage = storage ?? responses
        isDirect = storage == nil
        self.transport = transport
        self.clock = clock
        self.options = options
    }

    /// Answers a request.
    ///
    /// Returns as soon as status and header fields are known; the body of a fetched answer follows by `BodyStream`.
    ///
    /// - Throws: `EngineError`; an answer with a status of 4xx or 5xx is an answer.
    public func respond(to request: CacheRequest) async throws(EngineError) -> Answer {
        let facts = RequestFacts(request.request, policy: request.policy ?? options.policy)
        return try await respond(to: request, facts)
    }

    func respond(to request: CacheRequest, _ facts: RequestFacts) async throws(EngineError) -> Answer {
        var sharing = Sharing.known
        while true {
            let landed = flights.landed
            let now = clock.now.seconds
            let stored = facts.isAnsweredFromStore ? lookup(request, now: now) : nil
            let call = Call(request: request, facts: facts, stored: stored)
            let decision = stored.map { decide(call, $0, now: now) } ?? Reuse.decideWithoutStored(facts)
            switch (decision, stored) {
            case (.fresh, let stored?):
                return serve(stored, facts, stored.tier == .memory ? .memoryHit : .diskHit, now: now)
            case (.stale(let reason), let stored?):
                // Who asks the cache alone gets no connection behind its back.
                if reason == .whileRevalidating, !facts.flags.contains(.onlyIfCached) { refreshInBackground(call) }
                let isOffline = facts.policy == .returnCacheDataDontLoad
                return serve(stored, facts, isOffline ? .offline : .stale, now: now)
            case (.fail, _):
                throw .notStored(url: request.request.url)
            case (.gatewayTimeout, _):
                return Answer(HTTPResponse(status: 504), body: .empty, source: .offline, receivedAt: now)
            case (.revalidate, _), (.fetch, _), (.fresh, nil), (.stale, nil):
                var validates = false
                if case .revalidate = decision { validates = true }
                switch try await load(call, validates: validates, sharing, landed: landed) {
                case .answer(let answer): return answer
                case .again(let next): sharing = next
                }
            }
        }
    }

    /// The stored response; one that has outlived the application's own time to live is removed, and is none.
    func lookup(_ request: CacheRequest, now: Int64) -> StoredResponse? {
        guard let stored = storage.lookup(request) else { return nil }
        guard let timeToLive = request.timeToLive ?? options.timeToLive else { return stored }
        if stored.isWithin(timeToLive, now: now) { return stored }
        storage.remove(request)
        return nil
    }

    func decide(_ call: Call, _ stored: StoredResponse, now: Int64) -> ReuseDecision {
        let facts = call.facts
        // What is still there has not outlived the application's own time to live, which counts instead of the header.
        if call.request.timeToLive ?? options.timeToLive != nil, facts.policy == .useProtocolCachePolicy,
            facts.isAnsweredFromStore, facts.flags.isDisjoint(with: [.noCache, .isConditional, .hasRange])
        {
            return .fresh
        }
        return Reuse.decide(facts, stored.facts, now: now)
    }

    /// Answers with a stored response that was not confirmed for this request.
    func serve(_ stored: StoredResponse, _ facts: RequestFacts, _ source: Answer.Source, now: Int64) -> Answer {
        var response = stored.response
        response.headerFields = StoredFields.served(response.headerFields, age: stored.facts.currentAge(at: now))
        return Answer(
            response, body: facts.method == .head ? .empty : .stored(stored), source: source,
            receivedAt: stored.facts.receivedAt)
    }
}

extension StoredResponse {
    /// Received or confirmed less than that many seconds ago.
    func isWithin(_ timeToLive: Int64, now: Int64) -> Bool {
        let (resident, overflow) = now.subtractingReportingOverflow(facts.receivedAt)
        return !overflow && resident < timeToLive
    }
}
