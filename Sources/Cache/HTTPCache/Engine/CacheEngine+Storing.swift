import HTTPSemantics

/// What fetched answers change in the store.
extension CacheEngine {
    /// Stores a whole response, if the application agrees and nothing newer has come meanwhile.
    func store(_ response: ResponseToStore, _ times: StoringTimes, _ flight: Flight, _ audience: Audience) async {
        guard let edited = await edited(response, flight) else {
            return supersede(flight, response.response.status, now: times.response)
        }
        // The edited header counts: it may have forbidden what the received one allowed.
        let values = ResponseValues(edited.response, responseTime: times.response)
        guard Storability.decide(flight.facts, values) == .store else {
            return supersede(flight, edited.response.status, now: times.response)
        }
        guard flight.mayStore else { return }
        let times = StoringTimes(request: times.request, response: times.response, stored: clock.now)
        flights.outdate(before: flight, in: audience)
        storage.store(edited, for: flight.request, times: times)
        // Invalidated while it was being stored: a cache may forget, it may not lie.
        if !flight.mayStore { storage.remove(flight.request) }
    }

    /// Stores a response anew with the fields that a 304 or a HEAD has brought up to date.
    func update(
        _ stored: StoredResponse, to response: HTTPResponse, _ times: StoringTimes, _ flight: Flight
    ) async {
        let confirmation = ResponseToStore(
            response, body: stored.withBody { Array($0) }, applicationData: stored.applicationData,
            policy: stored.entry.policy, isConfirmation: true)
        let facts = RequestFacts(flight.request.request.asGet, policy: flight.facts.policy)
        guard let edited = await edited(confirmation, flight),
            Storability.decide(facts, ResponseValues(edited.response, responseTime: times.response)) == .store
        else { return storage.remove(flight.request) }
        guard flight.mayStore else { return }
        storage.store(edited, for: flight.request, times: times)
        if !flight.mayStore { storage.remove(flight.request) }
    }

    /// What the answer to a HEAD tells about the stored GET response (RFC 9111, section 4.3.5).
    func learnFromHead(_ head: HTTPResponse, _ times: StoringTimes, _ flight: Flight) async {
        guard flight.facts.method == .head, let stored = flight.stored else { return }
        let old = stored.response
        switch HeadUpdate.decide(old.headerFields, head: head.headerFields, status: head.status) {
        case .updated(let fields):
            await update(stored, to: HTTPResponse(status: old.status, headerFields: fields), times, flight)
        case .changed: storage.remove(flight.request)
        case .unrelated: break
        }
    }

    /// Removes what an answer that is not stored shows to be outdated.
    func supersede(_ flight: Flight, _ status: Int, now: Int64) {
        guard flight.mayStore, Storability.supersedes(flight.facts, status: status) else { return }
        storage.remove(flight.request)
    }

    /// Removes what the answer to an unsafe request has outdated (RFC 9111, section 4.4).
    func invalidate(_ request: CacheRequest, by response: HTTPResponse) {
        for url in Invalidation.targets(request.request, response) {
            var target = request
            target.request.url = url
            remove(target)
        }
    }

    private func edited(_ response: ResponseToStore, _ flight: Flight) async -> ResponseToStore? {
        guard let willStore = options.willStore else { return response }
        return await willStore(response, flight.request)
    }
}

extension HTTPRequest {
    fileprivate var asGet: HTTPRequest {
        HTTPRequest(method: "GET", url: url, headerFields: headerFields)
    }
}
