import Testing

@testable import HTTPSemantics

/// Every integer of stored facts at its ends, against arithmetic that cannot overflow.
@Suite("Extremes of stored facts") struct ExtremeFactsTests {
    private static let times: [Int64] = [.min, .min + 1, -1, 0, 1, 1_800_000_000, .max - 1, .max]
    private static let spans: [Int64] = [0, 1, 60, .max - 1, .max]
    private static let allowances: [UInt32] = [0, 1, 60, 1 << 31]

    private static func facts(
        _ receivedAt: Int64, _ initialAge: Int64, _ lifetime: Int64, allowance: UInt32 = 0, offset: Int32 = 0
    ) throws -> StoredFacts {
        let facts = StoredFacts(
            receivedAt: receivedAt, initialAge: initialAge, lifetime: lifetime, staleWhileRevalidate: allowance,
            staleIfError: allowance, flags: .hasEntityTag, status: 200, dateOffset: offset)
        // What is decided later was decoded.
        return try #require(facts.encoded.withUnsafeBytes { StoredFacts(decoding: $0) })
    }

    /// The age, RFC 9111, 4.2.3, by a clock that never makes a response younger.
    private static func age(_ facts: StoredFacts, at now: Int64) -> Int128 {
        Int128(facts.initialAge) + max(Int128(now) - Int128(facts.receivedAt), 0)
    }

    @Test("age and freshness are those of integers without bounds, and an age beyond them is the highest")
    func freshness() throws {
        for receivedAt in Self.times {
            for initialAge in Self.spans {
                for (lifetime, now) in Self.spans.flatMap({ span in Self.times.map { (span, $0) } }) {
                    let facts = try Self.facts(receivedAt, initialAge, lifetime)
                    let age = Self.age(facts, at: now)
                    let name: Comment = "\(facts) at \(now)"
                    #expect(facts.currentAge(at: now) == Int64(clamping: age), name)
                    #expect(facts.isFresh(at: now) == (age < Int128(lifetime)), name)
                    let decision = Reuse.decide(RequestFacts(), facts, now: now)
                    #expect(decision == (age < Int128(lifetime) ? .fresh : .revalidate(.stale)), name)
                }
            }
        }
    }

    @Test("the request's own limits decide like integers without bounds") func limits() throws {
        let requests: [(text: String, maxAge: Int128?, minFresh: Int128?, maxStale: Int128?)] = [
            ("max-age=0", -1, nil, nil), ("max-age=2147483648", 1 << 31, nil, nil), ("max-age=60", 60, nil, nil),
            ("min-fresh=0", nil, 0, nil), ("min-fresh=2147483648", nil, 1 << 31, nil), ("max-stale=0", nil, nil, 0),
            ("max-stale=2147483648", nil, nil, 1 << 31), ("max-stale", nil, nil, Int128(Int64.max)),
        ]
        for (text, maxAge, minFresh, maxStale) in requests {
            let fields: HTTPFields = ["Cache-Control": .init(text)]
            let request = RequestFacts(HTTPRequest(url: "https://a.example/", headerFields: fields))
            for (receivedAt, now) in Self.times.flatMap({ time in Self.times.map { (time, $0) } }) {
                for (initialAge, lifetime) in Self.spans.flatMap({ span in Self.spans.map { (span, $0) } }) {
                    let facts = try Self.facts(receivedAt, initialAge, lifetime)
                    // An age beyond the integers is the highest of them.
                    let age = min(Self.age(facts, at: now), Int128(Int64.max))
                    let left = Int128(lifetime) - age
                    let expected: ReuseDecision
                    if let maxAge, age > maxAge {
                        expected = .revalidate(.olderThanMaxAge)
                    } else if let minFresh, left < minFresh {
                        expected = .revalidate(.lessThanMinFresh)
                    } else if left > 0 {
                        expected = .fresh
                    } else if let maxStale, -left <= maxStale {
                        expected = .stale(.acceptedByClient)
                    } else {
                        expected = .revalidate(.stale)
                    }
                    #expect(Reuse.decide(request, facts, now: now) == expected, "\(text), \(facts) at \(now)")
                }
            }
        }
    }

    @Test("what a response allows when it is stale ends where integers without bounds end it", arguments: allowances)
    func staleness(allowance: UInt32) throws {
        for (receivedAt, now) in Self.times.flatMap({ time in Self.times.map { (time, $0) } }) {
            for (initialAge, lifetime) in Self.spans.flatMap({ span in Self.spans.map { (span, $0) } }) {
                let facts = try Self.facts(receivedAt, initialAge, lifetime, allowance: allowance)
                let staleness = min(Self.age(facts, at: now), Int128(Int64.max)) - Int128(lifetime)
                let isAllowed = staleness < Int128(allowance)
                let name: Comment = "\(facts) at \(now)"
                #expect(StaleAllowance.onFailure(RequestFacts(), facts, now: now) == isAllowed, name)
                guard staleness >= 0 else { continue }
                #expect(
                    Reuse.decide(RequestFacts(), facts, now: now)
                        == (isAllowed ? .stale(.whileRevalidating) : .revalidate(.stale)), name)
            }
        }
    }

    @Test("when a response was generated is told at the ends of its integers") func generation() throws {
        let offsets: [Int32] = [.min, -1, 0, 1, .max]
        for receivedAt in Self.times {
            for offset in offsets {
                let facts = try Self.facts(receivedAt, 0, 60, offset: offset)
                let sum = Int128(receivedAt) + Int128(facts.dateOffset)
                #expect(facts.generatedAt == Int64(clamping: sum), "\(facts)")
            }
        }
    }

    @Test("a date too far from its receipt for 32 bits is the farthest that they hold") func farDates() {
        let far = Int64(Int32.max) + 1
        for (offset, expected) in [
            (far, Int32.max), (far - 1, .max), (-far, .min), (-far - 1, .min), (1, 1), (.max, .max), (.min, .min),
        ] as [(Int64, Int32)] {
            var fields = ResponseFieldValues()
            fields.date = .at(offset)
            let values = ResponseValues(status: 200, fields: fields)
            #expect(StoredFacts(values, requestTime: 0, responseTime: 0).dateOffset == expected, "\(offset)")
        }
    }
}
