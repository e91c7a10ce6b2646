import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// The six request policies (D).
@Suite struct PolicyTests {
    /// Stored at 0, fresh for 60 s; the origin has something else now.
    private static func stored(fields: HTTPFields = ["ETag": "\"a\""]) throws -> Bench {
        let bench = try Bench()
        var fields = fields
        fields["Cache-Control"] = "max-age=60"
        bench.reply(fields, body: "stored")
        _ = try bench.get(policy: .useProtocolCachePolicy)
        bench.reply(["Cache-Control": "max-age=60"], body: "new")
        return bench
    }

    @Test("useProtocolCachePolicy: fresh from the store, stale from the origin") func protocolPolicy() throws {
        let bench = try Self.stored()
        #expect(try bench.get(policy: .useProtocolCachePolicy).body == "stored")
        bench.at(60)
        #expect(try bench.get(policy: .useProtocolCachePolicy).body == "new")
    }

    @Test("reloadIgnoringLocalCacheData: from the origin without validators, and stored") func reload() throws {
        let bench = try Self.stored()
        let seen = try bench.get(policy: .reloadIgnoringLocalCacheData)
        #expect(seen.body == "new" && seen.source == .fetched)
        #expect(bench.origin.requests.last?.headerFields == [:])
        let hit = try bench.get()
        #expect(hit.body == "new" && hit.source == .memoryHit)
        #expect(RequestPolicy.reloadIgnoringCacheData == .reloadIgnoringLocalCacheData)
    }

    @Test("reloadIgnoringLocalAndRemoteCacheData: the same, and tells the caches on the way")
    func reloadPastAll() throws {
        let bench = try Self.stored()
        #expect(try bench.get(policy: .reloadIgnoringLocalAndRemoteCacheData).body == "new")
        #expect(bench.origin.requests.last?.headerFields == ["Cache-Control": "no-cache", "Pragma": "no-cache"])
        #expect(try bench.get().body == "new")
    }

    @Test("returnCacheDataElseLoad: what is stored, whatever its age, else the origin") func elseLoad() throws {
        let bench = try Self.stored()
        bench.at(1_000_000)
        let seen = try bench.get(policy: .returnCacheDataElseLoad)
        #expect(seen.body == "stored" && seen.source == .stale)
        #expect(try bench.get(url: "https://example.org/b", policy: .returnCacheDataElseLoad).body == "new")
    }

    @Test("returnCacheDataDontLoad: what is stored, whatever its age, else failure; never a connection")
    func dontLoad() throws {
        let bench = try Self.stored()
        #expect(try bench.get(policy: .returnCacheDataDontLoad).source == .memoryHit)
        bench.at(1_000_000)
        let seen = try bench.get(policy: .returnCacheDataDontLoad)
        #expect(seen.body == "stored" && seen.source == .offline)
        let missing = bench.start(url: "https://example.org/b", policy: .returnCacheDataDontLoad)
        guard case .notStored("https://example.org/b") = missing.error as? EngineError else {
            Issue.record("\(String(describing: missing.result))")
            return
        }
        #expect(bench.requestCount == 1)
    }

    @Test("reloadRevalidatingCacheData: what is stored, once the origin has confirmed it") func revalidating() throws {
        let bench = try Self.stored()
        bench.reply(status: 304, body: "")
        let seen = try bench.get(policy: .reloadRevalidatingCacheData)
        #expect(seen.body == "stored" && seen.source == .revalidated)
        let request = try #require(bench.origin.requests.last)
        #expect(
            request.headerFields["If-None-Match"] == "\"a\"" && request.headerFields["Cache-Control"] == "max-age=0")
        bench.origin.reply { _ in .none }
        #expect(throws: EngineError.self) { try bench.get(policy: .reloadRevalidatingCacheData) }
    }
}
