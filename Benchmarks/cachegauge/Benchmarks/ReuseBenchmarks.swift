import GaugeMeasurement
import GaugeSupport
import HTTPSemantics

/// What HTTP semantics costs in a hit: the reuse decision from the integers of the stored response, the request and the
/// clock.
enum ReuseBenchmarks {
    static let all: [Benchmark] = [fresh]

    /// Fresh stored responses of 65,536 kinds. One request in eight sets its own limits, and one in twelve is a HEAD or
    /// only wants what is cached. A branch predictor can learn neither.
    static let fresh = Benchmark(BenchmarkName("reuse", "fresh", "tiered")) { context in
        let mix = ReuseMix(seed: context.seed)
        return PreparedBenchmark(.batched { operations in blackHole(mix.decide(operations)) })
    }
}

/// Requests, and facts of stored responses that may all be reused without revalidation.
/// A batch goes on where the last one stopped.
private final class ReuseMix {
    private static let count = 65_536
    private static let now: Int64 = 1_800_000_000
    private let stored: [StoredFacts]
    private let requests: [RequestFacts]
    /// By stored response, the index of its request in `requests`.
    private let choice: [UInt8]
    private var place = 0

    init(seed: UInt64) {
        var random = Xoshiro256(seed: seed, "reuse")
        stored = (0..<Self.count).map { _ in Self.response(&random) }
        requests = Self.requestKinds
        choice = (0..<Self.count).map { _ in
            random.next(below: 4) == 0 ? UInt8(random.next(below: UInt64(Self.requestKinds.count))) : 0
        }
    }

    /// Decides `operations` times; returns how many answers were fresh.
    func decide(_ operations: Int) -> Int {
        stored.withUnsafeBufferPointer { stored in
            requests.withUnsafeBufferPointer { requests in
                choice.withUnsafeBufferPointer { choice in
                    var (fresh, place) = (0, self.place)
                    for _ in 0..<operations {
                        let request = requests[Int(choice[place])]
                        if case .fresh = Reuse.decide(request, stored[place], now: Self.now) { fresh += 1 }
                        place = (place + 1) & (Self.count - 1)
                    }
                    self.place = place
                    return fresh
                }
            }
        }
    }

    private static let requestKinds: [RequestFacts] = {
        var youngEnough = CacheControl()
        youngEnough.maxAge = .seconds(1_000_000)
        var freshEnough = CacheControl()
        freshEnough.minFresh = .seconds(1)
        var stale = CacheControl()
        stale.maxStale = .seconds(60)
        var cached = CacheControl()
        cached.directives = .onlyIfCached
        return [RequestFacts()] + [youngEnough, freshEnough, stale, cached].map { RequestFacts(cacheControl: $0) }
            + [RequestFacts(method: .head)]
    }()

    /// A response received up to 100,000 s ago that is still fresh by `max-age`, `Expires` or a heuristic, with and
    /// without `Age`, validators and other directives.
    private static func response(_ random: inout Xoshiro256) -> StoredFacts {
        let resident = Int64(random.next(below: 100_000))
        let receivedAt = now - resident
        let left = Int64(random.next(below: 1_000_000)) + 1_000
        var values = ResponseFieldValues()
        values.date = .at(receivedAt)
        switch random.next(below: 3) {
        case 0: values.cacheControl.maxAge = .seconds(resident + left)
        case 1: values.expires = .at(now + left)
        default: values.lastModified = .at(receivedAt - (resident + left) * 10)
        }
        if random.next(below: 4) == 0 { values.age = .seconds(Int64(random.next(below: 500))) }
        if random.next(below: 2) == 0 { values.places.entityTag = FieldRange(count: 3) }
        if random.next(below: 4) == 0 { values.vary = .names }
        if random.next(below: 2) == 0 { values.cacheControl.directives.insert(.public) }
        if random.next(below: 4) == 0 { values.cacheControl.directives.insert(.mustRevalidate) }
        if random.next(below: 8) == 0 { values.cacheControl.directives.insert(.immutable) }
        if random.next(below: 4) == 0 { values.cacheControl.staleWhileRevalidate = .seconds(60) }
        if random.next(below: 4) == 0 { values.cacheControl.staleIfError = .seconds(86_400) }
        return StoredFacts(
            ResponseValues(status: 200, fields: values), requestTime: receivedAt - 1, responseTime: receivedAt)
    }
}
