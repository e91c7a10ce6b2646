import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is an `ExchangeInput`.
    ///
    /// Oracle: the reference finds the same age, lifetime and storability; moving all times together changes nothing; a
    /// larger `Age` and a later hour never make fresher; `no-store` never makes storable; and facts survive being
    /// written down.
    static let freshness = FuzzTarget("freshness") { buffer in
        let input = ExchangeInput(buffer)
        let exchange = input.exchange
        require(exchange.freshness(input.times))
        require(exchange.freshness(input.times, isComplete: false))

        let stored = StoredFacts(
            exchange.response, requestTime: input.times.request, responseTime: input.times.response)
        let read = stored.encoded.withUnsafeBytes { StoredFacts(decoding: $0) }
        // What is never stored need not survive.
        if StatusRules.isFinal(exchange.response.status) {
            require(read == stored, "\(stored) is read back as \(read as Any)")
        }

        let isStored = Storability.decide(exchange.request, exchange.response) == .store
        let isStoredWithNoStore = Storability.decide(exchange.request, input.response(adding: .noStore)) == .store
        require(isStored || !isStoredWithNoStore, "no-store makes \(input.response) storable")
        let understands = exchange.response.fields.cacheControl.directives.contains(.mustUnderstand)
        require(understands || !isStoredWithNoStore, "\(input.response) is stored against no-store")

        guard input.isOrdinary else { return }
        let now = input.times.now
        let later = input.stored(later: input.amount)
        require(
            later.lifetime == stored.lifetime && later.currentAge(at: now + input.amount) == stored.currentAge(at: now),
            "\(input.response) is another one \(input.amount) s later: \(stored), \(later)")
        let older = input.stored(response: input.older)
        require(
            older.currentAge(at: now) >= stored.currentAge(at: now) && older.lifetime == stored.lifetime,
            "a larger Age makes \(input.response) younger")
        require(
            stored.isFresh(at: now) || !stored.isFresh(at: now + input.amount), "\(input.response) becomes fresh again")
    }
}
