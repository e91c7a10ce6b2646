import HTTPSemantics

/// The waiters' side of a fetch.
extension CacheEngine {
    /// How an attempt to load ended.
    enum Loading {
        case answer(Answer)
        /// Begin anew: the store may have the answer now, or what came was for others.
        case again(Sharing)
    }

    func load(
        _ call: Call, validates: Bool, _ sharing: Sharing, landed: UInt64
    ) async throws(EngineError) -> Loading {
        let key = responses.primaryKey(of: call.request.request)
        let sharedKey = key.flatMap { joinableKey(call, $0, sharing) }
        let seat: Seat
        switch flights.board(call, validates: validates, key: key, sharedKey: sharedKey, landed: landed) {
        case .lookAgain: return .again(sharing)
        case .joined(let joined): seat = joined
        case .began(let own):
            seat = own
            begin(seat.flight)
        }
        let arrival = await seat.arrival()
        if Task.isCancelled { throw .cancelled }
        let now = clock.now.seconds
        switch arrival {
        case .failed(let error):
            if let stored = standIn(call, .none, now: now) {
                return .answer(serve(stored, call.facts, .offline, now: now))
            }
            throw error
        case .confirmed(let confirmed):
            guard seat.isOwner || confirmed.audience.contains(call.request.request) else {
                return .again(sharing.after(confirmed.audience.selection))
            }
            return .answer(
                Answer(
                    confirmed.response, body: call.facts.method == .head ? .empty : .stored(confirmed.stored),
                    source: .revalidated, receivedAt: confirmed.receivedAt))
        case .response(let arrived):
            if let stored = standIn(call, .status(arrived.response.status), now: now) {
                return .answer(serve(stored, call.facts, .stale, now: now))
            }
            guard seat.isOwner || arrived.audience?.contains(call.request.request) == true,
                let reader = arrived.body.attach(isFirst: seat.isOwner)
            else { return .again(sharing.after(arrived.audience?.selection)) }
            return .answer(
                Answer(
                    arrived.response, body: .stream(BodyStream(arrived.body, reader: reader, seat: seat)),
                    source: call.bypasses || key == nil ? .bypass : .fetched, receivedAt: arrived.receivedAt))
        }
    }

    /// The stored response, when it may be served in place of a failure.
    private func standIn(_ call: Call, _ answer: Validation.Answer, now: Int64) -> StoredResponse? {
        guard let stored = call.stored,
            Validation.decide(call.facts, stored.facts, answer: answer, sentStoredValidators: false, now: now)
                == .serveStale
        else { return nil }
        return stored
    }

    /// Under which key others find the fetch; `nil` when it is for this request alone.
    private func joinableKey(_ call: Call, _ key: [UInt8], _ sharing: Sharing) -> [UInt8]? {
        guard call.canShare else { return nil }
        switch sharing {
        case .known: return responses.variantSelection(under: key).map { $0.suffixed(key, call) } ?? key
        case .variant(let selection): return selection.suffixed(key, call)
        case .alone: return nil
        }
    }

    func begin(_ flight: Flight) {
        flight.begin(
            Task(executorPreference: options.executor) { [self] in
                await carry(flight)
                flights.land(flight)
            })
    }

    /// Asks the origin about a response that is served stale meanwhile, unless that is being done already.
    func refreshInBackground(_ call: Call) {
        guard let stored = call.stored else { return }
        // A HEAD would bring nothing to serve.
        var request = call.request
        request.request.method = "GET"
        let facts = RequestFacts(request.request, policy: .useProtocolCachePolicy)
        let call = Call(request: request, facts: facts, stored: stored)
        guard let key = responses.primaryKey(of: request.request), let sharedKey = joinableKey(call, key, .known),
            case .began(let seat) = flights.board(
                call, validates: stored.facts.hasValidator, key: key, sharedKey: sharedKey, landed: nil)
        else { return }
        begin(seat.flight)
        // Somebody has to stay until what comes is stored, or is seen not to be.
        Task(executorPreference: options.executor) {
            guard case .response(let arrived) = await seat.arrival(), arrived.audience != nil,
                let reader = arrived.body.attach(isFirst: true)
            else { return }
            let body = BodyStream(arrived.body, reader: reader, seat: seat)
            while let chunk = try? await body.next(), !chunk.isEmpty {}
        }
    }
}

extension Sharing {
    /// How to go on after an answer that was for others: with those of the same variant, where that is known now.
    fileprivate func after(_ selection: VarySelection?) -> Sharing {
        if case .known = self, let selection { .variant(selection) } else { .alone }
    }
}

extension VarySelection {
    /// A key for one variant of what `key` stands for.
    fileprivate func suffixed(_ key: [UInt8], _ call: Call) -> [UInt8] {
        key + Array(" v".utf8) + (variantKey(of: call.request.request.headerFields) ?? [])
    }
}
