import CacheTiers
import HTTPSemantics

/// The origin's side of a shared fetch.
extension CacheEngine {
    /// Gets the answer, and stores it if it may be stored.
    nonisolated(nonsending) func run(_ fetch: SharedFetch) async {
        var outgoing = fetch.outgoing
        var number = fetch.sent
        defer { if number != fetch.sent { responses.order.end(number) } }
        func sendAgain() {
            if number != fetch.sent { responses.order.end(number) }
            number = responses.order.begin()
        }
        var completion = completion(for: fetch)
        let hadParts = completion != nil
        while true {
            let sent = clock.now.seconds
            var incoming: IncomingResponse
            do {
                if fetch.keepsTime {
                    outgoing.request.timeout = nil
                    outgoing.request.onProgress = { [clock] in fetch.noteProgress(clock.uptime) }
                } else {
                    outgoing.request.timeout = fetch.request.timeout
                    outgoing.request.secondsRunning = fetch.request.secondsRunning
                }
                incoming = try await transport.send(completion?.asked(in: outgoing.request) ?? outgoing.request)
            } catch {
                return fetches.finish(fetch, .failed(.noAnswer(error)))
            }
            guard incoming.response.status >= 200 else {
                incoming.body.cancel()
                return fetches.finish(fetch, .failed(.noAnswer(InterimAnswer(status: incoming.response.status))))
            }
            let now = clock.now
            let times = StoringTimes(
                request: sent, response: now.seconds, stored: now,
                moment: responses.order.received(incoming.response, sent: number, now: now.seconds))
            let origin = ForwardedAnswer(status: incoming.response.status, hadParts: hadParts)
            if let moment = times.moment, let key = fetch.key { responses.order.noteHeard(moment, key) }
            await invalidate(fetch.request, by: incoming.response)
            if let asked = completion.take(), [206, 304, 412, 416].contains(incoming.response.status) {
                guard let whole = asked.whole(with: incoming, responseTime: now.seconds) else {
                    // It does not fit, so ask again for the whole.
                    incoming.body.cancel()
                    sendAgain()
                    continue
                }
                incoming = whole
            }
            if incoming.response.status == 304, let stored = fetch.stored {
                if await confirm(stored, by: incoming, times, fetch, outgoing) { return }
                if outgoing.validates {
                    // The 304 is about another representation, or one that is no longer stored, so ask again without
                    // validators.
                    incoming.body.cancel()
                    outgoing = await self.outgoing(fetch.request, fetch.facts, validating: nil)
                    sendAgain()
                    continue
                }
            }
            return await receive(incoming, from: origin, times, fetch, outgoing)
        }
    }

    /// Updates a stored response by a 304, if it is still the one stored.
    ///
    /// - Returns: whether the confirmed response answers the request that began the fetch.
    private nonisolated(nonsending) func confirm(
        _ stored: StoredResponse, by incoming: IncomingResponse, _ times: StoringTimes, _ fetch: SharedFetch,
        _ outgoing: SharedFetch.Outgoing
    ) async -> Bool {
        let isOurQuestion = outgoing.validates
        // A removal is final, also for what the 304 confirms.
        if let moment = times.moment, let key = fetch.key,
            !responses.order.isAfterRemovals(sent: moment.sent, key)
        {
            return false
        }
        var current: StoredResponse?
        await changingStore { current = storage.lookup(fetch.request) }
        // If it was evicted, it is still what the origin confirmed. If it was replaced, it is not.
        let isKnown =
            current?.isSameRepresentation(as: stored)
            ?? (isDirect && responses.admits(times.moment, stored.response, for: fetch.request.request))
        guard isKnown else { return false }
        let old = current ?? stored
        let result = Freshening.freshen(
            old.response.headerFields, with: incoming.response.headerFields, sentStoredValidators: isOurQuestion)
        guard case .freshened(var fields) = result else { return false }
        StoredFields.addDate(to: &fields, receivedAt: times.response)
        let response = HTTPResponse(status: old.status, headerFields: fields)
        let isForOne = outgoing.variesOnRewritten(response)
        var refusal: NotStoredReason? = isForOne ? .rewritten : .superseded
        if current != nil {
            await changingStore {
                if isForOne {
                    removeOutdated(by: fetch, times)
                } else {
                    refusal = await update(old, to: response, times, fetch)
                }
            }
        }
        guard isOurQuestion else { return false }
        if let refusal { options.onNotStored?(fetch.request, response, refusal) }
        incoming.body.cancel()
        fetches.finish(
            fetch,
            .confirmed(
                FetchOutcome.Confirmed(
                    response: response, stored: stored, receivedAt: times.response, refusal: refusal,
                    isShared: !incoming.isPersonal)))
        return true
    }

    /// Passes a response on to the waiters, and stores it when its body is complete.
    private nonisolated(nonsending) func receive(
        _ incoming: IncomingResponse, from origin: ForwardedAnswer, _ times: StoringTimes, _ fetch: SharedFetch,
        _ outgoing: SharedFetch.Outgoing
    ) async {
        let response = incoming.response
        let values = ResponseValues(response, responseTime: times.response)
        let match = VaryMatch(VarySelection(response.headerFields["Vary"]), of: fetch.request.request)
        if fetch.facts.method == .head { await changingStore { await learnFromHead(response, times, fetch) } }

        let limit = longestKept
        let expected = values.fields.contentLength
        let isForOne = outgoing.variesOnRewritten(response)
        let asks = asksWillStore(fetch.request)
        let refusal =
            refusal(of: incoming, values, fetch, limit, asks: asks, now: times.response)
            ?? (isForOne ? .rewritten : nil)
        let isKept = refusal == nil
        if let refusal {
            options.onNotStored?(fetch.request, response, refusal)
            await supersede(fetch, response.status, times)
        }
        let part = isKept || isForOne ? nil : partToStore(response, values, times, fetch, limit)
        // Equal requests get any answer, unless it says itself that it is for one request, or was made for an account.
        let isShared =
            !values.fields.cacheControl.directives.contains(.noStore) && !match.selection.matchesNothing
            && ![401, 407].contains(response.status) && !incoming.isPersonal && !isForOne

        let body = SharedBody(
            keepingUpTo: isKept || part != nil || isShared && fetch.isWaitedForByOthers ? limit : nil,
            isAwaitedWhole: fetch.request.readsWhole && 200..<300 ~= response.status, clock: clock)
        // The waiters read the header while the body comes or is stored. If neither takes time, wake them only once.
        let wakesOnce =
            incoming.pushed?.isComplete == true && !storingMayBlock && !asks
            && response.headerFields.fields.count <= Self.mostFieldsAtOnce
        let outcome = FetchOutcome.response(
            FetchOutcome.Received(
                response: response, origin: origin, body: body,
                facts: StoredFacts(values, requestTime: times.request, responseTime: times.response),
                match: isKept ? match : nil, refusal: refusal, moment: times.moment, isShared: isShared,
                isOpen: isKept && isShared && !asks && !wakesOnce))
        if !wakesOnce { fetches.finish(fetch, outcome) }
        defer { if wakesOnce { fetches.finish(fetch, outcome) } }
        let end = await passOn(incoming, to: body) {
            guard isKept else { return }
            options.onNotStored?(fetch.request, response, .tooLarge(byteCount: nil, limit: limit))
            await supersede(fetch, response.status, times)
        }
        guard let kept = body.kept else { return body.finish(end) }
        if case .end = end, isKept, incoming.pushed?.isEndCertain == false {
            options.onNotStored?(fetch.request, response, .uncertainEnd)
            await supersede(fetch, response.status, times)
            return body.finish(end)
        }
        if case .end = end, isKept, expected.bytes.map({ $0 == Int64(kept.count) }) ?? true {
            return await finish(body, end, fetch, asks: asks) {
                var response = ResponseToStore(response, body: [UInt8](kept))
                response.values = values
                await store(response, times, fetch)
            }
        }
        if isKept { options.onNotStored?(fetch.request, response, .incomplete) }
        if !kept.isEmpty, let part = part ?? partToStore(response, values, times, fetch, limit) {
            await finish(body, end, fetch, asks: asks) { await store(part, [UInt8](kept), times, fetch) }
        } else {
            body.finish(end)
        }
    }

    /// Stores a body, and ends it. For those who share the fetch it ends first: they need not wait for this request's
    /// application.
    private nonisolated(nonsending) func finish(
        _ body: SharedBody, _ end: SharedBody.Part, _ fetch: SharedFetch, asks: Bool, storing store: () async -> Void
    ) async {
        var keeper: FetchWaiter?
        if asks {
            // As long as it exists, the fetch goes on although all others have left.
            keeper = fetch.addWaiter(isOwner: false)
            body.finishForOthers(end)
        }
        await changingStore {
            await store()
            body.finish(end)
        }
        withExtendedLifetime(keeper) {}
    }

    /// Why a response is not stored, as far as its header tells.
    private func refusal(
        of incoming: IncomingResponse, _ values: ResponseValues, _ fetch: SharedFetch, _ limit: Int, asks: Bool,
        now: Int64
    ) -> NotStoredReason? {
        let status = incoming.response.status
        if case .refuse(let reason) = Storability.decide(fetch.facts, values) {
            return NotStoredReason(reason, status: status)
        }
        guard fetch.key != nil else { return .url }
        let expected = values.fields.contentLength
        guard expected != .invalid else { return .incomplete }
        guard expected.bytes ?? 0 <= Int64(limit) else {
            return limit == 0 ? .noCapacity : .tooLarge(byteCount: expected.bytes, limit: limit)
        }
        guard incoming.isEndCertain else { return .uncertainEnd }
        // The application may add a lifetime.
        guard asks || Storability.isOfUse(values, responseTime: now) else { return .noLifetime }
        return isStoodInFor(fetch, status, now: now) ? .standIn : nil
    }

    /// Reading and storing more fields takes longer than a wake-up.
    private static let mostFieldsAtOnce = 128

    /// Passes a body on as it comes, and returns how it ended.
    ///
    /// - Parameter onTooLong: called when the body turns out to be too long to be kept.
    private nonisolated(nonsending) func passOn(
        _ incoming: IncomingResponse, to body: SharedBody, onTooLong: nonisolated(nonsending) () async -> Void
    ) async -> SharedBody.Part {
        do {
            if let pushed = incoming.pushed {
                while try await !pushed.deliver(to: body) { await onTooLong() }
                return Task.isCancelled ? .failed(.cancelled) : .end
            }
            while let chunk = try await incoming.body.next() {
                guard !Task.isCancelled else {
                    incoming.body.cancel()
                    return .failed(.cancelled)
                }
                if chunk.isEmpty { continue }
                if !chunk.withUnsafeBytes(body.append) { await onTooLong() }
                body.flush()
                await body.waitForRoom()
            }
        } catch {
            return .failed(.brokenOff(error))
        }
        // If only the end of the connection ends a body, a cancelled transport may report a cut body as complete.
        return Task.isCancelled ? .failed(.cancelled) : .end
    }

    /// The part of a representation that a response is, or will be if its body breaks off; `nil` if it cannot be kept.
    private func partToStore(
        _ response: HTTPResponse, _ values: ResponseValues, _ times: StoringTimes, _ fetch: SharedFetch, _ limit: Int
    ) -> PartialResponse? {
        guard fetch.key != nil, response.status == 200 || fetch.facts.flags.contains(.hasRange),
            Storability.decidePart(fetch.facts, values) == .store,
            let part = PartialResponse(response, responseTime: times.response),
            part.length <= limit
        else { return nil }
        return part
    }

    /// Whether the stored response is served instead of this failure, and therefore stays stored.
    private func isStoodInFor(_ fetch: SharedFetch, _ status: Int, now: Int64) -> Bool {
        guard let stored = fetch.stored else { return false }
        return Validation.decide(
            fetch.facts, stored.facts, answer: .status(status), sentStoredValidators: false, now: now) == .serveStale
    }

    /// The longest body, in bytes, that either tier accepts.
    var longestKept: Int {
        let tiers = responses.tiers
        return max(tiers.memory.capacity, tiers.disk?.capacity ?? 0) / MemoryTier.admittedShare
    }
}

/// A transport took an interim answer (RFC 9110, section 15.2) for the answer.
struct InterimAnswer: Error, CustomStringConvertible {
    let status: Int

    var description: String { "the transport returned the interim answer \(status); it has to wait for the final one" }
}
