import HTTPSemantics

/// Fetching: the origin's side of a shared fetch.
extension CacheEngine {
    /// Brings the answer, and stores it if it may be stored.
    func run(_ fetch: SharedFetch) async {
        var validated = fetch.validates ? fetch.stored : nil
        while true {
            let sent = clock.now.seconds
            let incoming: IncomingResponse
            do {
                let request = ForwardedRequest.make(
                    fetch.request.request, policy: fetch.facts.policy,
                    validating: validated?.response.headerFields)
                let rewritten = await options.rewrite?(request, fetch.request) ?? request
                incoming = try await transport.send(
                    OutgoingRequest(
                        rewritten, body: fetch.request.body, timeout: fetch.request.timeout,
                        context: fetch.request.context))
            } catch {
                return fetch.finish(.failed(.noAnswer(error)))
            }
            let times = StoringTimes(request: sent, response: clock.now.seconds, stored: clock.now)
            invalidate(fetch.request, by: incoming.response)
            if incoming.response.status == 304, let stored = validated ?? fetch.stored {
                if await confirm(stored, by: incoming, times, fetch, isOurQuestion: validated != nil) { return }
                if validated != nil {
                    // The 304 speaks of another representation, so the question is asked without validators.
                    incoming.body.cancel()
                    validated = nil
                    continue
                }
            }
            return await receive(incoming, times, fetch)
        }
    }

    /// Brings a stored response up to date by a 304.
    ///
    /// - Returns: whether the confirmed response is the answer to the request that began the fetch.
    private func confirm(
        _ stored: StoredResponse, by incoming: IncomingResponse, _ times: StoringTimes, _ fetch: SharedFetch,
        isOurQuestion: Bool
    ) async -> Bool {
        let old = stored.response
        let result = Freshening.freshen(
            old.headerFields, with: incoming.response.headerFields, sentStoredValidators: isOurQuestion)
        guard case .freshened(let fields) = result else { return false }
        let response = HTTPResponse(status: old.status, headerFields: fields)
        await update(stored, to: response, times, fetch)
        guard isOurQuestion else { return false }
        incoming.body.cancel()
        let match = VaryMatch(VarySelection(fields["Vary"]), of: fetch.request.request)
        fetch.finish(
            .confirmed(
                FetchOutcome.Confirmed(
                    response: response, stored: stored, receivedAt: times.response, match: match)))
        return true
    }

    /// Passes a response on to the waiters, and stores it when its body is complete.
    private func receive(_ incoming: IncomingResponse, _ times: StoringTimes, _ fetch: SharedFetch) async {
        let response = incoming.response
        let values = ResponseValues(response, responseTime: times.response)
        let match = VaryMatch(VarySelection(response.headerFields["Vary"]), of: fetch.request.request)
        await learnFromHead(response, times, fetch)

        let limit = longestKept
        let expected = values.fields.contentLength.bytes
        let isKept =
            fetch.key != nil && Storability.decide(fetch.facts, values) == .store && expected ?? 0 <= Int64(limit)
            && !isStoodInFor(fetch, response.status, now: times.response)
        if !isKept { supersede(fetch, response.status, now: times.response) }

        let body = SharedBody(keepingUpTo: isKept ? limit : nil)
        fetch.finish(
            .response(
                FetchOutcome.Received(
                    response: response, body: body, receivedAt: times.response,
                    match: isKept ? match : nil)))
        do {
            var wasKept = isKept
            while let chunk = try await incoming.body.next() {
                guard !Task.isCancelled else {
                    incoming.body.cancel()
                    return body.finish(.failed(.cancelled))
                }
                if chunk.isEmpty { continue }
                let isStillKept = body.append(chunk)
                if wasKept, !isStillKept { supersede(fetch, response.status, now: times.response) }
                wasKept = isStillKept
                await body.waitForRoom()
            }
        } catch {
            return body.finish(.failed(.brokenOff(error)))
        }
        // Where only the end of the connection ends a body, a cancelled transport may report a cut body as complete.
        guard !Task.isCancelled else { return body.finish(.failed(.cancelled)) }
        if let kept = body.kept, expected == nil || expected == Int64(kept.count) {
            await store(ResponseToStore(response, body: kept), times, fetch, match)
        }
        body.finish(.end)
    }

    /// Whether the stored response is served in place of this failure, and therefore stays stored.
    private func isStoodInFor(_ fetch: SharedFetch, _ status: Int, now: Int64) -> Bool {
        guard let stored = fetch.stored else { return false }
        return Validation.decide(
            fetch.facts, stored.facts, answer: .status(status), sentStoredValidators: false, now: now) == .serveStale
    }

    /// The longest body, in bytes, that either tier takes.
    private var longestKept: Int {
        if let limit = options.largestBody { return max(limit, 0) }
        let tiers = responses.tiers
        return max(tiers.memory.capacity, tiers.disk?.capacity ?? 0) / 20
    }
}
