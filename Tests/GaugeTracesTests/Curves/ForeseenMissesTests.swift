import GaugeSupport
import TestSupport
import Testing

@testable import GaugeTraces

/// Samples of traces whose most popular objects are never answered.
@Suite("Misses that a sample foresees") struct ForeseenMissesTests {
    /// Why the five most popular objects are never answered, or hardly ever.
    enum Reason: CaseIterable { case gone, posted, staleAtOnce, expired, changed }

    /// A lifetime in seconds as the only field.
    private struct Lifetimes: CachingRules {
        func verdict(on exchange: HTTPExchange) -> CachingVerdict {
            guard let value = exchange.responseFields.first?.value else { return RulesOfThumb().verdict(on: exchange) }
            let text = String(decoding: value, as: UTF8.self)
            let seconds = Int64(text.drop { !$0.isNumber }) ?? 0
            return CachingVerdict(mayBeAnswered: true, freshSeconds: seconds)
        }
    }

    private static let keys: [UInt64] = {
        var stream = ZipfKeys(objects: nightly(3_000, else: 1_500), exponent: 0.9, seed: 8)
        return stream.draw(nightly(12_000, else: 6_000))
    }()

    private static func trace(_ reason: Reason) -> [UInt8] {
        let lines = keys.enumerated().map { place, key in
            let size = 2_000 + Int(key &* 7_919 % 6_000)
            guard key < 5 else { return "http://a/\(key),\(size),GET,200,1000000,\(place)\n" }
            let rest =
                switch reason {
                case .gone: "\(size),GET,404,"
                case .posted: "\(size),POST,200,"
                case .staleAtOnce: "\(size),GET,200,0"
                case .expired: "\(size),GET,200,3"
                case .changed: "\(size + place),GET,200,1000000"
                }
            return "http://a/\(key),\(rest),\(place)\n"
        }
        return Array(("url,size,method,status,lifetime,time\n" + lines.joined()).utf8)
    }

    private static func curve(_ trace: [UInt8], _ sample: KeySample?) throws -> MissRatioCurve {
        var reader = try TraceReader(TraceInput(name: "t", bytes: trace), format: .csv)
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = Lifetimes()
        let first = try #require(try reader.next())
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [2 << 20, 64 << 20], sample: sample)
        try maker.read(&reader, first: first, &rules) { false }
        return maker.curve()
    }

    @Test(
        "whether popular objects that are never answered are in the sample decides nothing, and no estimate is above all",
        arguments: Reason.allCases)
    func popular(reason: Reason) throws {
        let trace = Self.trace(reason)
        let exact = try Self.curve(trace, nil)
        let whole = try Self.curve(trace, KeySample(seed: 1, rate: 1))
        #expect(whole.points.map(\.sum) == exact.points.map(\.sum))
        var (covered, coveredBytes) = (0, 0)
        let seeds = nightly(12, else: 4)
        for seed in 0..<UInt64(seeds) {
            let curve = try Self.curve(trace, KeySample(seed: seed, rate: 0.15))
            for (point, exact) in zip(curve.points, exact.points) {
                let estimate = try #require(point.estimate)
                let difference = Double(point.sum.hits - exact.sum.hits) / Double(Self.keys.count)
                let bytes = Double(point.sum.bytes - exact.sum.bytes) / Double(curve.requestedBytes)
                if abs(difference) <= estimate.error { covered += 1 }
                if abs(bytes) <= estimate.byteError { coveredBytes += 1 }
                #expect(abs(difference) < 0.08 && estimate.error < 0.2, "\(difference) ± \(estimate.error)")
                #expect(estimate.misses <= Double(curve.requests))
                #expect(estimate.missedBytes <= Double(curve.requestedBytes))
            }
        }
        let told = "\(covered) and \(coveredBytes) of \(2 * seeds)"
        #expect(
            covered >= seeds * nightly(21, else: 18) / 12 && coveredBytes >= seeds * nightly(20, else: 18) / 12,
            "\(told)")
    }

    @Test("a request is foreseen by what was last seen of its object; a 304 confirms, and an error says nothing")
    func foreseen() {
        var misses = ForeseenMisses()
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = Lifetimes()
        func next(
            _ id: UInt64, _ status: Int = 200, method: String = "GET", size: Int? = 10, lifetime: Double? = nil,
            at time: Double = 0, comparesSizes: Bool = true
        ) -> Bool {
            var request = TraceRequest(id: id, size: size, time: time)
            request.exchange =
                lifetime.map { HTTPExchange(method: method, status: status, lifetime: $0, sent: time) }
                ?? HTTPExchange(method: method, status: status)
            return misses.isForeseen(request, rules, comparesSizes: comparesSizes)
        }
        #expect(!next(1) && !next(1) && next(1, size: 11) && !next(1, size: nil) && !next(1, size: 11))
        #expect(!next(1, size: 12, comparesSizes: false))
        #expect(next(1, method: "POST") && next(1) && !next(1))
        #expect(!next(1, 304, size: nil) && !next(1, 500) && !next(1))
        #expect(!next(2, 500) && next(2) && !next(2))
        #expect(!next(3, 404) && next(3, 404))
        #expect(!next(4, lifetime: 5) && !next(4, lifetime: 5, at: 4) && next(4, lifetime: 5, at: 9))
        #expect(!next(5, lifetime: 0, at: 9) && next(5, lifetime: 0, at: 9))
    }
}
