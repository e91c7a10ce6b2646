import HTTPSemantics

/// Loading: one request's side of a shared fetch.
extension CacheEngine {
    /// How an attempt to load ended.
    enum Loading {
        case answer(Answer)
        /// The request has to begin again: the store may have the answer now, or the response was for other requests.
        case again(FetchSharing)
    }

    nonisolated(nonsending) func load(
        _ lookedUp: LookedUpRequest, _ decision: ReuseDecision, _ sharing: FetchSharing, finishedCount: UInt64
    ) async throws(EngineError) -> Loading {
        let facts = lookedUp.facts
        let key = responses.primaryKey(of: lookedUp.request.request)
        let selection = facts.isAnsweredFromStore ? key.flatMap { responses.variantSelection(under: $0) } : nil
        let sharedKey = key.flatMap { joinableKey(lookedUp, $0, selection, sharing) }
        var validates = false
        if case .revalidate = decision { validates = true }
        var status = CacheStatus(forwarding: decision, hasVariants: selection != nil)
        if key == nil { status = CacheStatus(.bypass) }
        let waiter: FetchWaiter
        switch fetches.join(
            lookedUp, validates: validates, key: key, sharedKey: sharedKey, finishedCount: finishedCount)
        {
        case .lookAgain: return .again(sharing)
        case .joined(let joined):
            waiter = joined
            status.isCollapsed = true
        case .began(let own):
            waiter = own
            begin(waiter.fetch)
        }
        let timeout = waiter.timeout(of: lookedUp.request)
        let outcome = await waiter.outcome(deadlines, timeout: timeout)
        if Task.isCancelled { throw .cancelled }
        let now = clock.now.seconds
        switch outcome {
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
            guard waiter.isOwner || confirmed.match.contains(lookedUp.request.request) else {
                return .again(sharing.after(confirmed.match.selection))
            }
            status.forwardedStatus = 304
            status.isStored = true
            return .answer(
                Answer(
                    confirmed.response, body: facts.method == .head ? .empty : .stored(confirmed.stored),
                    source: .revalidated, receivedAt: confirmed.receivedAt, cacheStatus: status))
        case .response(let received):
            if let stored = standIn(lookedUp, .status(received.response.status), now: now) {
                status.forwardedStatus = received.response.status
                return .answer(serve(stored, facts, .stale, status, now: now))
            }
            guard waiter.isOwner || mayAnswer(received, lookedUp, isLate: waiter.isLate, now: now),
                let reader = received.body.attach(isFirst: waiter.isOwner)
            else { return .again(sharing.after(received.match?.selection)) }
            var response = received.response
            if waiter.isLate {
                response.headerFields = StoredFields.served(
                    response.headerFields, age: received.facts.currentAge(at: now))
            }
            status.forwardedStatus = received.response.status
            status.isStored = received.match != nil
            let stream = BodyStream(received.body, reader: reader, waiter: waiter, deadlines, timeout: timeout)
            return .answer(
                Answer(
                    response, body: .stream(stream),
                    source: lookedUp.bypasses || key == nil ? .bypass : .fetched,
                    receivedAt: received.facts.receivedAt, cacheStatus: status))
        }
    }

    /// Whether a response that another request brought may be reused for this one (RFC 9111, section 4): as if it were
    /// stored already, but for requests that came before it, which it answers without a lifetime, too.
    private func mayAnswer(
        _ received: FetchOutcome.Received, _ lookedUp: LookedUpRequest, isLate: Bool, now: Int64
    ) -> Bool {
        guard received.match?.contains(lookedUp.request.request) == true else { return false }
        switch decide(lookedUp, received.facts, now: now) {
        case .fresh, .stale: return true
        default: return !isLate && !received.facts.flags.contains(.alwaysValidate)
        }
    }

    /// Answers with a stored response in place of a failure of the origin.
    private func serve(
        _ stored: StoredResponse, _ facts: RequestFacts, _ source: Answer.Source, _ status: CacheStatus, now: Int64
    ) -> Answer {
        var answer = serve(stored, facts, source, now: now)
        let timeToLive = answer.cacheStatus.timeToLive
        answer.cacheStatus = status
        answer.cacheStatus.timeToLive = timeToLive
        return answer
    }

    /// The stored response, if it may be served in place of a failure.
    private func standIn(_ lookedUp: LookedUpRequest, _ answer: Validation.Answer, now: Int64) -> StoredResponse? {
        guard let stored = lookedUp.stored,
            Validation.decide(lookedUp.facts, stored.facts, answer: answer, sentStoredValidators: false, now: now)
                == .serveStale
        else { return nil }
        return stored
    }

    /// The key by which other requests find the fetch; `nil` if it is for this request alone.
    ///
    /// - Parameter stored: the fields that select among the URL's variants, if any are stored.
    private func joinableKey(
        _ lookedUp: LookedUpRequest, _ key: [UInt8], _ stored: VarySelection?, _ sharing: FetchSharing
    ) -> [UInt8]? {
        guard lookedUp.canShare else { return nil }
        switch sharing {
        case .known: return stored.map { $0.suffixed(key, lookedUp) } ?? key
        case .variant(let selection): return selection.suffixed(key, lookedUp)
        case .alone: return nil
        }
    }

    func begin(_ fetch: SharedFetch) {
        fetch.start(
            Task(executorPreference: options.executor) { [self] in
                await run(fetch)
                fetches.remove(fetch)
            })
    }

    /// Asks the origin about a response that is served stale meanwhile, unless another request is asking already.
    func refreshInBackground(_ lookedUp: LookedUpRequest) {
        guard let stored = lookedUp.stored else { return }
        // The answer to a HEAD would have no body to store.
        var request = lookedUp.request
        request.request.method = "GET"
        let facts = RequestFacts(request.request, policy: .useProtocolCachePolicy)
        let lookedUp = LookedUpRequest(request: request, facts: facts, stored: stored)
        guard let key = responses.primaryKey(of: request.request),
            let sharedKey = joinableKey(lookedUp, key, responses.variantSelection(under: key), .known),
            case .began(let waiter) = fetches.join(
                lookedUp, validates: stored.facts.hasValidator, key: key, sharedKey: sharedKey, finishedCount: nil)
        else { return }
        begin(waiter.fetch)
        // Without a waiter the fetch would be cancelled, so this task waits until the response is stored or refused.
        Task(executorPreference: options.executor) { [request, deadlines] in
            let timeout = waiter.timeout(of: request)
            guard case .response(let received) = await waiter.outcome(deadlines, timeout: timeout),
                received.match != nil,
                let reader = received.body.attach(isFirst: true)
            else { return }
            let body = BodyStream(received.body, reader: reader, waiter: waiter, deadlines, timeout: timeout)
            while (try? await body.next()) != nil {}
        }
    }
}

extension FetchSharing {
    /// How to share the next attempt, after an answer that was for other requests: with requests for the same variant,
    /// if the answer has named the fields that select it.
    fileprivate func after(_ selection: VarySelection?) -> FetchSharing {
        if case .known = self, let selection { .variant(selection) } else { .alone }
    }
}

extension VarySelection {
    /// The key of the variant of `key` that answers the request.
    fileprivate func suffixed(_ key: [UInt8], _ lookedUp: LookedUpRequest) -> [UInt8] {
        key + Array(" v".utf8) + (variantKey(of: lookedUp.request.request.headerFields) ?? [])
    }
}
