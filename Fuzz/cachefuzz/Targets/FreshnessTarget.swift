import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is an `ExchangeInput`.
    ///
    /// Oracle: the reference finds the same age, lifetime and storability. Shifting all times together changes nothing.
    /// A larger `Age` or a later time never makes a response fresher. Adding `no-store` never makes it storable. Facts
    /// written and read again stay the same. Of two responses, the later one is the latest. Each value is the same
    /// whether read alone or with the others.
    static let freshness = FuzzTarget("freshness", mutation: .structured(ExchangeMutation.self)) { buffer in
        let input = ExchangeInput(buffer)
        let exchange = input.exchange
        require(exchange.freshness(input.times))
        require(exchange.freshness(input.times, isComplete: false))

        let stored = StoredFacts(
            exchange.response, requestTime: input.times.request, responseTime: input.times.response)
        let read = stored.encoded.withUnsafeBytes { StoredFacts(decoding: $0) }
        // A response that is never stored needn't survive.
        if StatusRules.isFinal(exchange.response.status) {
            require(read == stored, "\(stored) is read back as \(read as Any)")
        }

        checkBytes(stored, now: input.times.now)

        let whole = StoredFacts(
            input.response, requestTime: input.times.request, responseTime: input.times.response)
        require(whole == stored, "\(input.response) comes to \(whole) and to \(stored)")
        checkValues(input)

        let isStored = Storability.decide(exchange.request, exchange.response) == .store
        let isStoredWithNoStore = Storability.decide(exchange.request, input.response(adding: .noStore)) == .store
        require(isStored || !isStoredWithNoStore, "no-store makes \(input.response) storable")
        let understands = exchange.response.fields.cacheControl.directives.contains(.mustUnderstand)
        require(understands || !isStoredWithNoStore, "\(input.response) is stored against no-store")

        guard input.isOrdinary else { return }
        let now = input.times.now
        let later = input.stored(later: input.amount)
        require(
            (later.generatedAt > stored.generatedAt) == (input.amount > 0), "not the latest of \(stored), \(later)")
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

    /// Reads facts as a disk may return them: cut short, or with any times.
    private static func checkBytes(_ stored: StoredFacts, now: Int64) {
        let bytes = stored.encoded
        require(bytes.dropLast().withUnsafeBytes { StoredFacts(decoding: $0) } == nil, "\(stored) is read cut short")
        for moment in [Int64.min, .max] {
            let moved = withUnsafeBytes(of: moment.littleEndian) { Array($0) } + bytes[8...]
            guard let facts = moved.withUnsafeBytes({ StoredFacts(decoding: $0) }) else { continue }
            require(facts.currentAge(at: now) >= stored.initialAge, "\(facts) grows younger")
            let isBefore = facts.generatedAt < 0
            require(isBefore == (moment < 0), "\(facts) was generated at \(facts.generatedAt)")
        }
    }

    /// Reads each value alone.
    private static func checkValues(_ input: ExchangeInput) {
        let fields = input.response.headerFields
        let values = input.exchange.response.fields
        require(Age.parse(fields) == values.age, "Age is \(values.age), alone \(Age.parse(fields))")
        for (name, value) in [
            ("Date", values.date), ("Expires", values.expires), ("Last-Modified", values.lastModified),
        ] as [(HTTPFields.Name, FieldDate)] {
            let alone = FieldDate(fields, name, now: input.times.response)
            require(alone == value, "\(name) is \(value), alone \(alone)")
        }
        for seconds in [values.cacheControl.maxAge, values.cacheControl.staleIfError, values.age] {
            require(DeltaSeconds(rawValue: seconds.rawValue) == seconds, "\(seconds) is another by its raw value")
        }
    }
}
