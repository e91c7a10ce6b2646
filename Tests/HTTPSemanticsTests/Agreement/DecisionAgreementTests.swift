import HTTPAgreement
import HTTPSemantics
import Testing

/// Compares the decisions of both readings for many pairs of requests and responses, each at other times.
@Suite("Agreement on decisions") struct DecisionAgreementTests {
    @Test("both readings agree on freshness and storability many times")
    func bothReadingsAgreeOnFreshnessAndStorabilityManyTimes() {
        var pairs = ExchangePairs(seed: 0xF4E5)
        expectAgreement(on: "freshness and storability", seed: 0xF4E5, make: { _ in [] }) { _, _ in
            let (exchange, times) = pairs.next()
            return exchange.freshness(times, isComplete: pairs.maker.maker.chance(95)).named(exchange, times)
        }
    }

    @Test("both readings agree on reuse and on standing in for a failed origin many times")
    func bothReadingsAgreeOnReuseAndOnStandingInForAFailedOriginManyTimes() {
        var pairs = ExchangePairs(seed: 0x4E05)
        expectAgreement(on: "reuse", seed: 0x4E05, make: { _ in [] }) { _, _ in
            let (exchange, times) = pairs.next()
            let standIn = exchange.standIn(times)
            if case .broken = standIn { return standIn.named(exchange, times) }
            return exchange.reuse(times).named(exchange, times)
        }
    }

    @Test("both readings agree on requests for which nothing is stored")
    func bothReadingsAgreeOnRequestsForWhichNothingIsStored() {
        var maker = ExchangeMaker(seed: 0x4E06)
        for exchange in maker.exchanges(10_000) {
            if case .broken(let difference) = exchange.reuseWithoutStored() {
                Issue.record("\(exchange.request): \(difference)")
                return
            }
        }
    }
}

/// Pairs the requests of some exchanges with the responses of others.
private struct ExchangePairs {
    var maker: ExchangeMaker
    private let exchanges: [Exchange]

    init(seed: UInt64) {
        maker = ExchangeMaker(seed: seed)
        exchanges = maker.exchanges(4096)
    }

    mutating func next() -> (Exchange, Exchange.Times) {
        let one = exchanges[maker.maker.below(exchanges.count)]
        let other = exchanges[maker.maker.below(exchanges.count)]
        return (Exchange(requestOf: one, responseOf: other), maker.times())
    }
}

extension Agreement {
    /// Adds the exchange to the message, because bytes of an input cannot show it.
    fileprivate func named(_ exchange: Exchange, _ times: Exchange.Times) -> Agreement {
        guard case .broken(let difference) = self else { return self }
        return .broken("\(exchange.request)\n\(exchange.response)\n\(times)\n\(difference)")
    }
}
