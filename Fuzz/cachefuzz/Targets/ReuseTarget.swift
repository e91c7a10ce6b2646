import HTTPAgreement
import HTTPReference
import HTTPSemantics

extension FuzzTarget {
    /// The input is an `ExchangeInput`.
    ///
    /// Oracle: the reference decides the same. Shifting all times together changes nothing. A larger `Age` never makes
    /// a response reusable. No stale response is served with `must-revalidate` or `no-cache`, and no unconfirmed one
    /// with `no-cache`, except under the two policies that ask for the stored response. A request that forbids the
    /// origin doesn't reach it. The stored response stands in for a failing origin if that is allowed; a working
    /// origin's answer is used. An answer invalidates the URLs that a second reading of RFC 3986 (``ReferenceModel``)
    /// finds. The request's conditions are judged as by the reference. A 304 with the request's validators confirms the
    /// response if they are its own. Of two responses the one with the later `Date` is the latest.
    static let reuse = FuzzTarget("reuse", mutation: .structured(ExchangeMutation.self)) { buffer in
        let input = ExchangeInput(buffer)
        let (exchange, times) = (input.exchange, input.times)
        require(exchange.reuse(times))
        require(exchange.reuseWithoutStored())
        require(exchange.standIn(times))

        checkAnswers(input)
        checkInvalidation(input)
        checkValidators(input)

        let request = exchange.request
        let wantsStored = [.returnCacheDataElseLoad, .returnCacheDataDontLoad].contains(request.policy)
        func decide(_ response: ResponseValues) -> ReuseDecision {
            let stored = StoredFacts(response, requestTime: times.request, responseTime: times.response)
            let decision = Reuse.decide(request, stored, now: times.now)
            if !wantsStored, !stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate]) {
                require(!decision.servesStale, "\(response) is served stale: \(decision)")
                let standsIn = StaleAllowance.onFailure(request, stored, now: times.now)
                require(!standsIn, "\(response) stands in for an error")
            }
            if request.policy == .returnCacheDataDontLoad || (request.flags.contains(.onlyIfCached) && request.isSafe) {
                require(!decision.asksOrigin, "\(input.request) asks the origin: \(decision)")
            }
            return decision
        }
        let decision = decide(exchange.response)
        let unconfirmed = decide(input.response(adding: .noCache))
        require(wantsStored || !unconfirmed.servesStored, "no-cache is served unconfirmed: \(unconfirmed)")
        let strict = decide(input.response(adding: .mustRevalidate))
        require(wantsStored || !strict.servesStale, "must-revalidate is served stale: \(strict)")

        guard input.isOrdinary else { return }
        let later = Reuse.decide(request, input.stored(later: input.amount), now: times.now + input.amount)
        require(later == decision, "\(decision) becomes \(later) by moving all times \(input.amount) s")
        let older = decide(input.older)
        require(decision.servesStored || !older.servesStored, "a larger Age makes \(decision) into \(older)")
        require(decision == .fresh || older != .fresh, "a larger Age makes \(decision) into \(older)")
    }
}

extension FuzzTarget {
    /// Checks what follows from the origin's answer to a validation.
    private static func checkAnswers(_ input: ExchangeInput) {
        let (exchange, times) = (input.exchange, input.times)
        let stored = StoredFacts(exchange.response, requestTime: times.request, responseTime: times.response)
        let standsIn = StaleAllowance.onFailure(exchange.request, stored, now: times.now)
        func decide(_ answer: Validation.Answer, asked: Bool = true) -> Validation.Decision {
            Validation.decide(exchange.request, stored, answer: answer, sentStoredValidators: asked, now: times.now)
        }
        require(decide(.status(304)) == .freshen, "a 304 does not confirm \(stored)")
        require(decide(.status(304), asked: false) == .useAnswer, "a 304 that was not asked for confirms \(stored)")
        let status = exchange.response.status
        let isFailure = [500, 502, 503, 504].contains(status)
        require(
            status == 304 || decide(.status(status)) == (isFailure && standsIn ? .serveStale : .useAnswer), "\(status)")
        require(decide(.none) == (standsIn ? .serveStale : .fail), "no answer, and \(stored): \(decide(.none))")
    }

    private static func checkInvalidation(_ input: ExchangeInput) {
        let targets = Invalidation.targets(input.request, input.response)
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(input.request.method)
        guard !isSafe, 200...399 ~= input.response.status else {
            return require(targets.isEmpty, "\(input.request) outdates \(targets)")
        }
        let expected = ReferenceModel.outdated(
            by: input.request.url, input.response.headerFields.fields.map { ($0.name.rawName, $0.value) })
        require(targets == expected, "\(input.request), \(input.response) outdates \(targets), not \(expected)")
    }
}

extension ReuseDecision {
    fileprivate var servesStale: Bool {
        if case .stale = self { true } else { false }
    }

    fileprivate var servesStored: Bool { self == .fresh || self == .select || servesStale }

    fileprivate var asksOrigin: Bool {
        switch self {
        case .revalidate, .fetch: true
        case .fresh, .select, .stale, .gatewayTimeout, .fail: false
        }
    }
}

extension RequestFacts {
    fileprivate var isSafe: Bool { method != .unsafe }
}

extension FuzzTarget {
    /// Checks what validators decide: the request's conditions on a fresh response, a 304 with the request's fields,
    /// and which of two stored responses is the latest.
    static func checkValidators(_ input: ExchangeInput) {
        let method = input.request.method
        if method == "GET" || method == "HEAD" {
            for length in [0, 1_000] as [Int64] {
                require(
                    .preconditions(
                        input.request.headerFields, method: method, input.response, receivedAt: ExchangeInput.received,
                        length: length))
            }
        }
        checkConfirmation(of: input.response.headerFields, by: input.request.headerFields)
        checkLatest(input)
    }

    /// A 304 updates the stored response if it has the same strong tag, a weak tag with the same text or, without a
    /// tag, the same `Last-Modified`; without a validator, if the request had no validators other than the stored ones
    /// (RFC 9111, section 4.3.4). After such a request, a stored weak tag matches a strong one too.
    private static func checkConfirmation(of stored: HTTPFields, by told: HTTPFields) {
        func tag(_ fields: HTTPFields) -> (isThere: Bool, tag: Reference.EntityTag?) {
            let value = first("etag", fields)
            return (value != nil, value.flatMap { Reference.EntityTag.parse(Array($0.utf8)) })
        }
        let (own, other) = (tag(stored), tag(told))
        // Malformed tags are compared as texts, which is a matter of choice.
        guard own.isThere == (own.tag != nil), other.isThere == (other.tag != nil) else { return }
        for asked in [false, true] {
            let isSame: Bool
            if let other = other.tag {
                let isWeak = other.isWeak || asked && own.tag?.isWeak ?? false
                isSame = own.tag.map { isWeak ? $0.weaklyMatches(other) : $0.stronglyMatches(other) } ?? false
            } else if let date = first("last-modified", told) {
                isSame = first("last-modified", stored).map { Array($0.utf8) == Array(date.utf8) } ?? false
            } else {
                isSame = asked
            }
            let result = Freshening.freshen(stored, with: told, sentStoredValidators: asked)
            require(
                (result != .differs) == isSame,
                "\(stored), asked with no other validators: \(asked), and a 304 with \(told): \(result)")
        }
    }

    /// The value of the first line; an empty one is none.
    private static func first(_ name: String, _ fields: HTTPFields) -> String? {
        fields.fields.first { Array($0.name.rawName.utf8).lowercased == Array(name.utf8) }
            .flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The latest has the later `Date`, even if it was received earlier.
    private static func checkLatest(_ input: ExchangeInput) {
        guard case .at(let date) = input.exchange.response.fields.date else { return }
        let received = ExchangeInput.received
        guard 1..<1 << 28 ~= input.amount, (date - 1 << 28..<date + 1 << 28) ~= received else { return }
        var later = input.exchange.response
        later.fields.date = .at(date + input.amount)
        let second = StoredFacts(later, requestTime: received, responseTime: received)
        let receipt = received + 2 * input.amount
        let first = StoredFacts(input.exchange.response, requestTime: receipt, responseTime: receipt)
        require(
            second.generatedAt > first.generatedAt,
            "the latest of a response and one \(input.amount) s younger, but received earlier, is not the younger")
    }
}
