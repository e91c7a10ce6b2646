import HTTPSemantics

/// The flight's side of a fetch.
extension CacheEngine {
    /// Brings the answer and, where it may be, stores it.
    func carry(_ flight: Flight) async {
        var validated = flight.validates ? flight.stored : nil
        while true {
            let sent = clock.now.seconds
            let incoming: IncomingResponse
            do {
                let request = ForwardedRequest.make(
                    flight.request.request, policy: flight.facts.policy,
                    validating: validated?.response.headerFields)
                let rewritten = await options.rewrite?(request, flight.request) ?? request
                incoming = try await transport.send(
                    OutgoingRequest(
                        rewritten, body: flight.request.body, timeout: flight.request.timeout,
                        context: flight.request.context))
            } catch {
                return flight.arrive(.failed(.noAnswer(error)))
            }
            let times = StoringTimes(request: sent, response: clock.now.seconds, stored: clock.now)
            invalidate(flight.request, by: incoming.response)
            if incoming.response.status == 304, let stored = validated ?? flight.stored {
                if await confirm(stored, by: incoming, times, flight, isOurQuestion: validated != nil) { return }
                if validated != nil {
                    // The 304 speaks of another representation, so the question is asked without validators.
                    incoming.body.cancel()
                    validated = nil
                    continue
                }
            }
            return await receive(incoming, times, flight)
        }
    }

    /// Brings a stored response up to date by a 304.
    ///
    /// - Returns: whether that is the answer to the flight's request.
    private func confirm(
        _ stored: StoredResponse, by incoming: IncomingResponse, _ times: StoringTimes, _ flight: Flight,
        isOurQuestion: Bool
    ) async -> Bool {
        let old = stored.response
        let result = Freshening.freshen(
            old.headerFields, with: incoming.response.headerFields, sentStoredValidators: isOurQuestion)
        guard case .freshened(let fields) = result else { return false }
        let response = HTTPResponse(status: old.status, headerFields: fields)
        await update(stored, to: response, times, flight)
        guard isOurQuestion else { return false }
        incoming.body.cancel()
        let audience = Audience(VarySelection(fields["Vary"]), of: flight.request.request)
        flight.arrive(
            .confirmed(
                Arrival.Confirmed(
                    response: response, stored: stored, receivedAt: times.response, audience: audience)))
        return true
    }

    /// Passes an answer on, and stores it at its end.
    private func receive(_ incoming: IncomingResponse, _ times: StoringTimes, _ flight: Flight) async {
        let response = incoming.response
        let values = ResponseValues(response, responseTime: times.response)
        let audience = Audience(VarySelection(response.headerFields["Vary"]), of: flight.request.request)
        await learnFromHead(response, times, flight)

        let limit = longestKept
        let expected = values.fields.contentLength.bytes
        let isKept =
            flight.key != nil && Storability.decide(flight.facts, values) == .store && expected ?? 0 <= Int64(limit)
            && !isStoodInFor(flight, response.status, now: times.response)
        if !isKept { supersede(flight, response.status, now: times.response) }

        let relay = BodyRelay(keepingUpTo: isKept ? limit : nil)
        flight.arrive(
            .response(
                Arrival.Arrived(
                    response: response, body: relay, receivedAt: times.response,
                    audience: isKept ? audience : nil)))
        do {
            var wasKept = isKept
            while let chunk = try await incoming.body.next() {
                guard !Task.isCancelled else {
                    incoming.body.cancel()
                    return relay.finish(.failed(.cancelled))
                }
                if chunk.isEmpty { continue }
                let isStillKept = relay.append(chunk)
                if wasKept, !isStillKept { supersede(flight, response.status, now: times.response) }
                wasKept = isStillKept
                await relay.waitForRoom()
            }
        } catch {
            return relay.finish(.failed(.brokenOff(error)))
        }
        // A transport that is cancelled may tell it as the end of a body that only the end of the connection delimits.
        guard !Task.isCancelled else { return relay.finish(.failed(.cancelled)) }
        if let body = relay.kept, expected == nil || expected == Int64(body.count) {
            await store(ResponseToStore(response, body: body), times, flight, audience)
        }
        relay.finish(.end)
    }

    /// A stored response is served in place of this failure, and stays.
    private func isStoodInFor(_ flight: Flight, _ status: Int, now: Int64) -> Bool {
        guard let stored = flight.stored else { return false }
        return Validation.decide(
            flight.facts, stored.facts, answer: .status(status), sentStoredValidators: false, now: now) == .serveStale
    }

    /// The longest body that either tier could take, bytes.
    private var longestKept: Int {
        if let limit = options.largestBody { return max(limit, 0) }
        let tiers = responses.tiers
        return max(tiers.memory.capacity, tiers.disk?.capacity ?? 0) / 20
    }
}
