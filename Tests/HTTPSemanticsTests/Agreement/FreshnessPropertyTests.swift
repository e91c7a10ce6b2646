import HTTPAgreement
import HTTPSemantics
import Testing

/// Properties that freshness and reuse have for every request, response and moment.
@Suite struct FreshnessPropertyTests {
    private static let count = agreementCount / 2
    private static let ordinary: Int64 = 1 << 40

    @Test("moving all times together changes nothing") func movingAllTimesTogetherChangesNothing() {
        forEachExchange(seed: 1) { exchange, times, maker in
            let shift = Int64(maker.below(1 << 40)) - 1 << 39
            var moved = exchange.response
            for date in [\ResponseFieldValues.date, \.expires, \.lastModified] {
                if case .at(let moment) = moved.fields[keyPath: date] {
                    moved.fields[keyPath: date] = .at(moment + shift)
                }
            }
            let before = StoredFacts(exchange.response, times)
            let after = StoredFacts(moved, requestTime: times.request + shift, responseTime: times.response + shift)
            return before.currentAge(at: times.now) == after.currentAge(at: times.now + shift)
                && Reuse.decide(exchange.request, before, now: times.now)
                    == Reuse.decide(exchange.request, after, now: times.now + shift)
                && StaleAllowance.onFailure(exchange.request, before, now: times.now)
                    == StaleAllowance.onFailure(exchange.request, after, now: times.now + shift)
        }
    }

    @Test("a larger age never makes a response fresher nor reusable")
    func aLargerAgeNeverMakesAResponseFresherNorReusable() {
        forEachExchange(seed: 2) { exchange, times, maker in
            var older = exchange.response
            older.fields.age = .seconds((older.fields.age.seconds ?? 0) + Int64(maker.below(1000)))
            let young = StoredFacts(exchange.response, times)
            let old = StoredFacts(older, times)
            let isServed = Reuse.decide(exchange.request, young, now: times.now).servesStored
            return young.isFresh(at: times.now)
                || !old.isFresh(at: times.now)
                    && (isServed || !Reuse.decide(exchange.request, old, now: times.now).servesStored)
        }
    }

    @Test("time makes no response fresh") func timeMakesNoResponseFresh() {
        forEachExchange(seed: 3) { exchange, times, maker in
            let stored = StoredFacts(exchange.response, times)
            return stored.isFresh(at: times.now) || !stored.isFresh(at: times.now + Int64(maker.below(100_000)))
        }
    }

    @Test("no-store never makes a response storable") func noStoreNeverMakesAResponseStorable() {
        forEachExchange(seed: 4) { exchange, _, _ in
            var forbidden = exchange.response
            forbidden.fields.cacheControl.directives.insert(.noStore)
            let isStored = Storability.decide(exchange.request, forbidden) == .store
            // must-understand takes precedence (RFC 9111, section 5.2.2.3).
            let understands = forbidden.fields.cacheControl.directives.contains(.mustUnderstand)
            return !isStored || (understands && Storability.decide(exchange.request, exchange.response) == .store)
        }
    }

    @Test(
        "nothing stale is served against the will of the origin but under the two policies that want it",
        arguments: [CacheControl.Directives.noCache, .mustRevalidate, .malformed])
    func nothingStaleIsServedAgainstTheOriginsWillButUnderTheTwoPoliciesThatWantIt(_ directive: CacheControl.Directives)
    {
        forEachExchange(seed: 5) { exchange, times, _ in
            var strict = exchange.response
            strict.fields.cacheControl.directives.insert(directive)
            let stored = StoredFacts(strict, times)
            let decision = Reuse.decide(exchange.request, stored, now: times.now)
            let standsIn = StaleAllowance.onFailure(exchange.request, stored, now: times.now)
            switch exchange.request.policy {
            case .returnCacheDataElseLoad, .returnCacheDataDontLoad: return !standsIn
            default: break
            }
            let isServed = directive == .mustRevalidate ? decision.servesStale : decision.servesStored
            return !isServed && (!standsIn || stored.isFresh(at: times.now))
        }
    }

    /// Runs `holds` on `count` pairs of requests and responses at ordinary times, and reports the first failure.
    private func forEachExchange(
        seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
        _ holds: (Exchange, Exchange.Times, inout InputMaker) -> Bool
    ) {
        var maker = ExchangeMaker(seed: seed)
        let exchanges = maker.exchanges(1024)
        for index in 0..<Self.count {
            let exchange = Exchange(
                requestOf: exchanges[maker.maker.below(1024)], responseOf: exchanges[maker.maker.below(1024)])
            let times = maker.times()
            // At the bounds of Int64 ages and lifetimes stop growing.
            let isOrdinary = [times.request, times.response, times.now].allSatisfy { $0.magnitude < Self.ordinary }
            guard isOrdinary, !holds(exchange, times, &maker.maker) else { continue }
            Issue.record(
                "seed \(seed), case \(index): \(exchange.request)\n\(exchange.response)\n\(times)",
                sourceLocation: sourceLocation)
            return
        }
    }
}

extension StoredFacts {
    fileprivate init(_ response: ResponseValues, _ times: Exchange.Times) {
        self.init(response, requestTime: times.request, responseTime: times.response)
    }
}

extension ReuseDecision {
    fileprivate var servesStale: Bool {
        if case .stale = self { true } else { false }
    }

    fileprivate var servesStored: Bool { self == .fresh || servesStale }
}
