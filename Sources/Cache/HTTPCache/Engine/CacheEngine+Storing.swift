import CacheTiers
import HTTPSemantics

extension CacheEngine {
    /// Runs a change of the store on an executor where it may block.
    nonisolated(nonsending) func changingStore(_ change: () async -> Void) async {
        guard let storageExecutor else { return await change() }
        await withTaskExecutorPreference(storageExecutor, operation: change)
    }

    /// Stores a complete response, if the application agrees and nothing newer is stored.
    nonisolated(nonsending) func store(_ response: ResponseToStore, _ times: StoringTimes, _ fetch: SharedFetch) async {
        let consent: ResponseToStore?
        do {
            consent = try await edited(response, fetch)
        } catch {
            options.onNotStored?(fetch.request, response.response, .incomplete)
            return
        }
        guard let edited = consent else {
            options.onNotStored?(fetch.request, response.response, .application)
            return await supersede(fetch, response.response.status, times)
        }
        // The edited header counts: it may forbid what the received one allowed.
        let values = edited.values ?? ResponseValues(edited.response, responseTime: times.response)
        if case .refuse(let reason) = Storability.decide(fetch.facts, values) {
            let status = edited.response.status
            options.onNotStored?(fetch.request, edited.response, NotStoredReason(reason, status: status))
            return await supersede(fetch, status, times)
        }
        guard Storability.isOfUse(values, responseTime: times.response) else {
            options.onNotStored?(fetch.request, edited.response, .noLifetime)
            return await supersede(fetch, edited.response.status, times)
        }
        if edited.policy == .notAllowed { options.onNotStored?(fetch.request, edited.response, .application) }
        keep(edited, for: fetch.request, times)
    }

    /// Stores a response, unless something newer came before it.
    private func keep(_ response: ResponseToStore, for request: CacheRequest, _ times: StoringTimes) {
        var times = times
        times.stored = clock.now
        var response = response
        let values = response.values
        StoredFields.addDate(to: &response.response.headerFields, receivedAt: times.response)
        // Without a `Date`, the moment of receipt has counted as it.
        response.values = values
        guard !isDirect else {
            if let outcome = storage.store(response, for: request, times: times), let told = options.onNotStored,
                let reason = NotStoredReason(outcome, of: response, limit: longestKept)
            {
                told(request, response.response, reason)
            }
            return
        }
        // An application's storage may keep it where the store cannot see it, so check its order again afterwards.
        guard responses.admits(times.moment, response.response, for: request.request) else {
            options.onNotStored?(request, response.response, .superseded)
            return
        }
        storage.store(response, for: request, times: times)
        if !responses.settle(times.moment, response.response, for: request.request) {
            storage.remove(request, .expired)
        }
    }

    /// Keeps a part of a representation, and stores the representation once it is complete. A part of the stored
    /// response renews that.
    ///
    /// The application's hook or storage is asked only about the whole, so parts stay in memory if there is one.
    nonisolated(nonsending) func store(
        _ part: PartialResponse, _ bytes: [UInt8], _ times: StoringTimes, _ fetch: SharedFetch
    ) async {
        guard bytes.count <= part.count else { return }
        if let whole = storage.lookup(fetch.request),
            let fields = whole.withBody({
                part.fields(combinedWith: whole.response, body: $0, responseTime: whole.facts.receivedAt, bytes)
            })
        {
            return await renew(whole, HTTPResponse(headerFields: fields), times, fetch)
        }
        let whole = responses.add(
            part, bytes, for: fetch.request.request, times: times,
            policy: isDirect && !asksWillStore(fetch.request) ? .allowed : .allowedInMemoryOnly)
        guard var whole else { return }
        whole.arrivedCount = bytes.count
        await store(whole, times, fetch)
    }

    /// Stores a stale response again with the fields of a part, if those make it fresh. Else each range would have the
    /// whole written again.
    private nonisolated(nonsending) func renew(
        _ whole: StoredResponse, _ renewed: HTTPResponse, _ times: StoringTimes, _ fetch: SharedFetch
    ) async {
        let ordinary = LookedUpRequest(request: fetch.request, facts: RequestFacts())
        let facts = StoredFacts(renewed, requestTime: times.request, responseTime: times.response)
        guard decide(ordinary, whole.facts, now: times.response) != .fresh,
            decide(ordinary, facts, now: times.response) == .fresh
        else { return }
        await update(whole, to: renewed, times, fetch)
    }

    /// Stores a response again, with fields updated by a 304, a HEAD or a part.
    ///
    /// - Returns: why not, if that is known before the tiers are asked.
    @discardableResult
    nonisolated(nonsending) func update(
        _ stored: StoredResponse, to response: HTTPResponse, _ times: StoringTimes, _ fetch: SharedFetch
    ) async -> NotStoredReason? {
        // The request said no-store: its answer isn't stored, and the stored response stays as it is.
        if fetch.facts.flags.contains(.noStore) { return .requestNoStore }
        let confirmation = ResponseToStore(
            response, body: stored.withBody { Array($0) }, applicationData: stored.applicationData,
            policy: stored.entry.policy, confirms: stored)
        let facts = RequestFacts(fetch.request.request.asGet, policy: fetch.facts.policy)
        let consent: ResponseToStore?
        do {
            consent = try await edited(confirmation, fetch)
        } catch {
            return .incomplete
        }
        guard let edited = consent else {
            removeOutdated(by: fetch, times)
            return .application
        }
        let values = ResponseValues(edited.response, responseTime: times.response)
        if case .refuse(let reason) = Storability.decide(facts, values) {
            removeOutdated(by: fetch, times)
            return NotStoredReason(reason, status: edited.response.status)
        }
        // A HEAD updates the response to a GET.
        var target = fetch.request
        target.request = target.request.asGet
        keep(edited, for: target, times)
        return nil
    }

    /// Updates or removes the stored GET response by the answer to a HEAD, and removes parts (RFC 9111, section 4.3.5).
    nonisolated(nonsending) func learnFromHead(_ head: HTTPResponse, _ times: StoringTimes, _ fetch: SharedFetch) async
    {
        responses.removeParts(for: fetch.request.request, outdatedBy: head, times)
        // Since the request was sent, another response may have been stored. The answer says nothing about that one.
        guard let asked = fetch.stored, let stored = storage.lookup(fetch.request),
            stored.isSameRepresentation(as: asked)
        else { return }
        let old = stored.response
        // A GET would be answered by 200, too.
        if old.status != 200, head.status == 200 { return removeOutdated(by: fetch, times) }
        let bodyCount = stored.entry.bodyCount
        switch HeadUpdate.decide(
            old.headerFields, bodyCount: bodyCount, head: head.headerFields, status: head.status)
        {
        case .updated(let fields):
            await update(stored, to: HTTPResponse(status: old.status, headerFields: fields), times, fetch)
        case .changed: removeOutdated(by: fetch, times)
        case .unrelated: break
        }
    }

    /// Removes the stored response if an answer that is not stored shows that it is outdated.
    nonisolated(nonsending) func supersede(_ fetch: SharedFetch, _ status: Int, _ times: StoringTimes) async {
        guard fetch.key != nil, Storability.supersedes(fetch.facts, status: status) else { return }
        await changingStore { removeOutdated(by: fetch, times) }
    }

    /// Removes the stored response, and stops earlier fetches from storing one.
    func removeOutdated(by fetch: SharedFetch, _ times: StoringTimes) {
        guard let moment = times.moment else { return }
        storage.remove(fetch.request, .superseded(moment))
    }

    /// Removes the responses that the answer to an unsafe request invalidates (RFC 9111, section 4.4). From now on no
    /// request waits for an earlier answer of the same origin.
    nonisolated(nonsending) func invalidate(_ request: CacheRequest, by response: HTTPResponse) async {
        guard MethodClass(request.request.method) == .unsafe else { return }
        responses.order.noteUnsafeAnswer(responses.primaryKey(of: request.request))
        let urls = Invalidation.targets(request.request, response)
        guard !urls.isEmpty else { return }
        await changingStore {
            for url in urls {
                var target = request
                target.request.url = url
                remove(target)
            }
        }
    }

    private nonisolated(nonsending) func edited(
        _ response: ResponseToStore, _ fetch: SharedFetch
    ) async throws(CancellationError) -> ResponseToStore? {
        guard let willStore = options.willStore, response.confirms != nil || asksWillStore(fetch.request) else {
            return response
        }
        return try await willStore(response, fetch.request)?.withLengthOfBody
    }

    /// Whether the application is asked about the received answer to that request.
    func asksWillStore(_ request: CacheRequest) -> Bool {
        options.willStore != nil && options.asksWillStore?(request) ?? true
    }
}

extension HTTPRequest {
    fileprivate var asGet: HTTPRequest {
        HTTPRequest(method: "GET", url: url, headerFields: headerFields)
    }
}

extension NotStoredReason {
    /// Why neither tier has taken a response; `nil` if one has, or if the reason was told before.
    init?(_ outcome: StoreOutcome, of response: ResponseToStore, limit: Int) {
        switch outcome {
        case .neverAnswers: return nil
        case .refusedURL: self = .url
        case .overtaken: self = .superseded
        case .tooLong: self = .tooLarge(byteCount: Int64(response.body.count), limit: limit)
        case .stored(let result):
            if result.memory.outcome == .stored || response.policy == .notAllowed { return nil }
            switch result.disk {
            case .success(.stored): return nil
            case .failure where response.policy == .allowed: self = .unwritten
            case .success, .failure, nil: self = .tooLarge(byteCount: Int64(response.body.count), limit: limit)
            }
        }
    }
}
