import CacheTiers
import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// The engine on the ordinary executor, from several threads at once.
@Suite struct EngineConcurrencyTests {
    @Test("concurrency: clients that ask, change, remove and give up get the URL's own body or an error")
    func clients() async throws {
        // A few entries at a time, so that eviction takes part.
        let tiers = TwoTierCache(memory: try MemoryTier(capacity: 20_000), disk: nil, hasher: KeyHasher())
        let origin = VirtualOrigin { request in
            let path = request.url.split(separator: "/").last.map(String.init) ?? ""
            let number = Int(path) ?? 0
            let lifetime = number % 3 == 0 ? "no-store" : "max-age=\(number % 2), stale-while-revalidate=60"
            return .init(
                HTTPResponse(headerFields: ["Cache-Control": lifetime, "ETag": "\"\(number)\"", "Vary": "X-Client"]),
                chunks: [Array("\(number) ".utf8), Array(repeating: 0x2E, count: 500)], breaksOff: number == 7)
        }
        let engine = CacheEngine(responses: ResponseStore(tiers: tiers), transport: origin)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for client in 0..<8 {
                group.addTask { await Self.ask(engine, client) }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(tiers.memory.usage <= 20_000)
    }

    /// Asks 100 times, and counts the wrong bodies.
    private static func ask(_ engine: CacheEngine, _ client: Int) async -> Int {
        var wrong = 0
        for round in 0..<100 {
            let number = (round * 7 + client * 3) % 10
            var request = HTTPRequest(url: "https://example.org/\(number)", headerFields: ["X-Client": "\(client % 2)"])
            switch (round + client) % 10 {
            case 0: request.method = "POST"
            case 1: engine.remove(CacheRequest(request))
            default: break
            }
            let policy: RequestPolicy = round % 11 == 0 ? .reloadIgnoringLocalCacheData : .useProtocolCachePolicy
            let asking = Task { [request] in
                try await engine.respond(to: CacheRequest(request, policy: policy)).body.collect()
            }
            if round % 13 == 0 { asking.cancel() }
            guard case .success(let body) = await asking.result else { continue }
            if !body.starts(with: "\(number) ".utf8) || body.count != 502 { wrong += 1 }
        }
        return wrong
    }
}
