import HTTPSemantics

/// One request's side of a shared fetch.
extension CacheEngine {
    enum Loading {
        case answer(Answer)
        /// Start again: the store may have the answer now, or the other request's answer was not for this one.
        case again(mayShare: Bool)
    }

    nonisolated(nonsending) func load(
        _ lookedUp: LookedUpRequest, _ decision: ReuseDecision, mayShare: Bool, finishedCount: UInt64?
    ) async throws(EngineError) -> Loading {
        let key = responses.primaryKey(of: lookedUp.request.request)
        let status = forwardingStatus(lookedUp, key)
        let shares = mayShare && lookedUp.canShare
        if let key, shares, let answer = await arriving(key, lookedUp, status) { return .answer(answer) }
        var validates = false
        if case .revalidate = decision { validates = true }
        let outgoing = await outgoing(lookedUp.request, lookedUp.facts, validating: validates ? lookedUp.stored : nil)
        switch fetches.join(lookedUp, outgoing, key: key, mayShare: shares, finishedCount: finishedCount)
        {
        case .lookAgain: return .again(mayShare: mayShare)
        case .cancelled: throw .cancelled
        case .joined(let waiter):
            var status = status
            status.isCollapsed = true
            return try await answer(lookedUp, waiter, status)
        case .began(let waiter):
            begin(waiter.fetch)
            return try await answer(lookedUp, waiter, status)
        }
    }

    /// The status of an answer from the origin.
    private func forwardingStatus(_ lookedUp: LookedUpRequest, _ key: [UInt8]?) -> CacheStatus {
        guard let key else { return CacheStatus(.bypass) }
        guard lookedUp.facts.isAnsweredFromStore else { return CacheStatus(.method) }
        guard let known = lookedUp.parts ?? lookedUp.stored else {
            return CacheStatus(responses.hasVariants(under: key) ? .varyMiss : .uriMiss)
        }
        let ordinary = LookedUpRequest(request: lookedUp.request, facts: RequestFacts())
        guard decide(ordinary, known.facts, now: clock.now.seconds) == .fresh else { return CacheStatus(.stale) }
        return CacheStatus(lookedUp.parts == nil ? .request : .partial)
    }

    /// What to send for a request. The application has already rewritten it, so what it adds, e.g. a credential, tells
    /// requests apart.
    nonisolated(nonsending) func outgoing(
        _ request: CacheRequest, _ facts: RequestFacts, validating stored: StoredResponse?
    ) async -> SharedFetch.Outgoing {
        let forwarded = OutgoingRequest(
            ForwardedRequest.make(request.request, policy: facts.policy, validating: stored?.response.headerFields),
            body: request.body, context: request.context)
        return SharedFetch.Outgoing(
            request: await options.rewrite?(forwarded) ?? forwarded,
            beforeRewriting: options.rewrite == nil ? nil : forwarded.request, validates: stored != nil)
    }

    private nonisolated(nonsending) func answer(
        _ lookedUp: LookedUpRequest, _ waiter: FetchWaiter, _ status: CacheStatus
    ) async throws(EngineError) -> Loading {
        let facts = lookedUp.facts
        var status = status
        let outcome = await waiter.outcome(deadlines, of: lookedUp.request)
        if Task.isCancelled { throw .cancelled }
        let now = clock.now.seconds
        switch outcome {
        case .failed(.cancelled): throw .cancelled
        case .failed(let error):
            if let stored = standIn(lookedUp, .none, now: now) {
                return .answer(serve(stored, facts, .offline, status, now: now))
            }
            if options.answersGatewayTimeout, let stored = lookedUp.stored,
                StaleAllowance.demandsGatewayTimeout(facts, stored.facts)
            {
                return .answer(.gatewayTimeout(at: now, status))
            }
            throw error
        case .confirmed(let confirmed):
            guard waiter.isOwner || confirmed.isShared else { return .again(mayShare: false) }
            status.forwardedStatus = 304
            status.isStored = confirmed.refusal == nil
            var answer = Answer(
                confirmed.response, body: facts.method == .head ? .empty : .stored(confirmed.stored),
                source: .revalidated, receivedAt: confirmed.receivedAt, cacheStatus: status)
            answer.notStored = confirmed.refusal
            return .answer(answer)
        case .response(let received):
            if let stored = standIn(lookedUp, .status(received.response.status), now: now) {
                status.forwardedStatus = received.origin.status
                return .answer(serve(stored, facts, .stale, status, now: now))
            }
            guard waiter.isOwner || received.isShared && !waiter.isLate,
                let reader = received.body.attach(isFirst: waiter.isOwner)
            else { return .again(mayShare: false) }
            return .answer(fetched(received, lookedUp, waiter, reader, status))
        }
    }

    /// A response that is arriving for another request and also answers this one, as if it were already stored; `nil`
    /// if there is none.
    private nonisolated(nonsending) func arriving(
        _ key: [UInt8], _ lookedUp: LookedUpRequest, _ status: CacheStatus
    ) async -> Answer? {
        guard let (fetch, received) = fetches.arriving(key),
            received.match?.contains(lookedUp.request.request) == true
        else { return nil }
        let now = clock.now.seconds
        switch decide(lookedUp, received.facts, now: now) {
        case .fresh, .stale: break
        default: return nil
        }
        guard let waiter = fetch.addWaiter(isOwner: false), let reader = received.body.attach(isFirst: false) else {
            return nil
        }
        var status = status
        status.isCollapsed = true
        var answer = fetched(received, lookedUp, waiter, reader, status)
        answer.response.headerFields = StoredFields.served(
            answer.response.headerFields, age: received.facts.currentAge(at: now))
        return answer
    }

    private func fetched(
        _ received: FetchOutcome.Received, _ lookedUp: LookedUpRequest, _ waiter: FetchWaiter, _ reader: Int,
        _ status: CacheStatus
    ) -> Answer {
        var status = status
        if received.origin.hadParts { status.forward = .partial }
        status.forwardedStatus = received.origin.status
        status.isStored = received.match != nil
        let stream = BodyStream(received.body, reader: reader, waiter: waiter, deadlines, of: lookedUp.request)
        var answer = Answer(
            received.response, body: .stream(stream),
            source: lookedUp.bypasses || waiter.fetch.key == nil ? .bypass : .fetched,
            receivedAt: received.facts.receivedAt, cacheStatus: status)
        answer.notStored = received.refusal
        return answer
    }

    /// Answers with a stored response instead of a failure of the origin.
    private func serve(
        _ stored: StoredResponse, _ facts: RequestFacts, _ source: Answer.Source, _ status: CacheStatus, now: Int64
    ) -> Answer {
        var answer = serve(stored, facts, source, now: now)
        let timeToLive = answer.cacheStatus.timeToLive
        answer.cacheStatus = status
        answer.cacheStatus.timeToLive = timeToLive
        return answer
    }

    /// The stored response, if it may be served instead of a failure.
    private func standIn(_ lookedUp: LookedUpRequest, _ answer: Validation.Answer, now: Int64) -> StoredResponse? {
        guard let stored = lookedUp.stored,
            Validation.decide(lookedUp.facts, stored.facts, answer: answer, sentStoredValidators: false, now: now)
                == .serveStale
        else { return nil }
        return stored
    }

    func begin(_ fetch: SharedFetch) {
        fetch.start(
            Task(executorPreference: options.executor) { [self] in
                await run(fetch)
                fetches.remove(fetch)
            })
    }

    /// Asks the origin about a response that is served stale meanwhile, unless another request is already asking.
    func refreshInBackground(_ lookedUp: LookedUpRequest) {
        guard let stored = lookedUp.stored, let key = responses.primaryKey(of: lookedUp.request.request) else { return }
        // Each variant is refreshed separately.
        let entry = stored.entry.withKey { $0.isEmpty ? key : Array($0) }
        guard fetches.beginRefresh(entry) else { return }
        // The answer to a HEAD would have no body to store. Nobody resumes a refresh whose task is suspended.
        var request = lookedUp.request
        request.request.method = "GET"
        request.secondsRunning = nil
        let facts = RequestFacts(request.request, policy: .useProtocolCachePolicy)
        let lookedUp = LookedUpRequest(request: request, facts: facts, stored: stored)
        // This task waits until the response is stored or refused: without a waiter, the fetch would be cancelled.
        Task(executorPreference: options.executor) { [self, lookedUp] in
            defer { fetches.endRefresh(entry) }
            let outgoing = await outgoing(lookedUp.request, facts, validating: stored.facts.hasValidator ? stored : nil)
            let joined = fetches.join(lookedUp, outgoing, key: key, mayShare: lookedUp.canShare, finishedCount: nil)
            guard case .began(let waiter) = joined else { return }
            begin(waiter.fetch)
            guard case .response(let received) = await waiter.outcome(deadlines, of: lookedUp.request),
                received.match != nil,
                let reader = received.body.attach(isFirst: true)
            else { return }
            let body = BodyStream(received.body, reader: reader, waiter: waiter, deadlines, of: lookedUp.request)
            while (try? await body.next()) != nil {}
        }
    }
}

extension CacheEngine {
    /// The stored response that answers a request without a connection; `nil` if you have to call `respond(to:)`.
    /// Starts no task and, for an ordinary request, allocates nothing.
    ///
    /// - Parameters:
    ///   - facts: the rest of the request as numbers; `RequestFacts()` are those of a plain GET. A request with a field
    ///     `Host` has to be passed to `respond(to:)`.
    ///   - now: seconds since 1970.
    ///   - request: evaluated only for a key hook, a `Vary` or an application's own storage.
    /// - Complexity: one lookup in memory, or one on disk.
    package func freshHit(
        url: UnsafeRawBufferPointer, facts: RequestFacts, now: Int64, request: @autoclosure () -> CacheRequest
    ) -> StoredResponse? {
        guard isDirect, options.timeToLive == nil else { return slowHit(request(), facts, now) }
        guard let stored = responses.lookup(url: url, request: request().request),
            case .fresh = Reuse.decide(facts, stored.facts, now: now)
        else { return nil }
        return stored
    }

    @inline(never)
    private func slowHit(_ request: CacheRequest, _ facts: RequestFacts, _ now: Int64) -> StoredResponse? {
        guard facts.isAnsweredFromStore, let stored = lookup(request, now: now) else { return nil }
        let lookedUp = LookedUpRequest(request: request, facts: facts, stored: stored)
        guard case .fresh = decide(lookedUp, stored.facts, now: now) else { return nil }
        return stored
    }
}

extension CacheEngine {
    /// Answers a request's own condition or range from a fresh stored response; `nil` if the origin must.
    func select(_ stored: StoredResponse, _ lookedUp: LookedUpRequest, now: Int64) -> Answer? {
        let facts = lookedUp.facts
        let length = stored.withBody { $0.count }
        var answer = serve(stored, facts, stored.freshSource, now: now)
        let fields = answer.response.headerFields
        let selected = Preconditions.evaluate(
            lookedUp.request.request.headerFields, method: facts.method, stored: answer.response, stored.facts,
            length: Int64(length))
        switch selected {
        case .whole: break
        case .forward: return facts.flags.contains(.onlyIfCached) ? answer : nil
        case .notModified:
            answer.response = HTTPResponse(status: 304, headerFields: StoredFields.notModified(fields))
            answer.body = .empty
        case .part(let range):
            answer.response = HTTPResponse(
                status: 206, headerFields: StoredFields.part(fields, range, of: Int64(length)))
            answer.body = .part(stored, Int(range.lowerBound)..<Int(range.upperBound))
        case .notSatisfiable:
            answer.response = HTTPResponse(
                status: 416, headerFields: StoredFields.notSatisfiable(fields, length: Int64(length)))
            answer.body = .empty
        }
        return answer
    }
}
