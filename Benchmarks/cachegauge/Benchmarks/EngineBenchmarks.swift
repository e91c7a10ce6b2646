import CacheTiers
import GaugeMeasurement
import GaugeSupport
import GaugeTraces
import HTTPCache
import HTTPSemantics

/// The engine without Foundation: a URL's text and facts about a request in, a reusable stored response out.
enum EngineBenchmarks {
    static let all: [Benchmark] = [hit]

    /// Fresh memory hits among 1,000 responses of 3 KiB: canonicalisation, hash, lookup, comparison of the whole key,
    /// and the reuse decision.
    static let hit = Benchmark(BenchmarkName("engine", "hit", "tiered")) { context in
        let mix = try EngineMix(seed: context.seed)
        return PreparedBenchmark(
            .batched { operations in
                let bytes = mix.bodyBytes(operations)
                if bytes != operations &* EngineMix.bodyCount {
                    context.answers.wrong(
                        key: "\(operations) URLs that are there",
                        expected: "\(operations &* EngineMix.bodyCount) bytes",
                        got: "\(bytes) bytes")
                }
                blackHole(bytes)
            }, outcome: .memoryHit)
    }
}

/// 1,000 stored responses, and 65,536 requests for them in random order.
private struct EngineMix {
    static let bodyCount = 3 << 10
    private static let now: Int64 = 1_800_000_000
    private static let entries: UInt64 = 1_000

    private let engine: CacheEngine
    private let urls: TextMix

    init(seed: UInt64) throws {
        let tiers = TwoTierCache(memory: try MemoryTier(capacity: 4 << 20), disk: nil, hasher: KeyHasher())
        let store = ResponseStore(tiers: tiers)
        engine = CacheEngine(responses: store, transport: NoTransport())
        let names = RequestURLs(seed: seed)
        urls = TextMix(seed: seed, "engine") { names.url(for: $0.next(below: Self.entries)) }
        let body = [UInt8](repeating: 0x61, count: Self.bodyCount)
        for id in 0..<Self.entries {
            // Different lifetimes, so that the decision depends on the response.
            let response = HTTPResponse(headerFields: [
                "Cache-Control": "max-age=\(1_000 + id)", "ETag": "\"\(id)\"", "Content-Type": "image/jpeg",
            ])
            _ = body.withUnsafeBytes {
                store.store(
                    response, for: HTTPRequest(url: names.url(for: id)), body: $0, requestTime: Self.now - 1,
                    responseTime: Self.now - 1, storedAt: 0)
            }
        }
    }

    /// Performs `operations` lookups; returns the total length of the bodies.
    func bodyBytes(_ operations: Int) -> Int {
        let facts = RequestFacts()
        let bytes = urls.fold(operations) { url in
            let stored = engine.freshHit(
                url: url, facts: facts, now: Self.now, request: CacheRequest(HTTPRequest(url: "")))
            return Int64(stored?.entry.bodyCount ?? 0)
        }
        return Int(bytes)
    }
}

/// A hit needs no transport.
private struct NoTransport: Transport {
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        throw GaugeError("a hit went to the origin")
    }
}
