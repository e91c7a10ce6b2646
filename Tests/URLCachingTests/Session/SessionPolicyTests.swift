import LoopbackOrigin
import Testing
import URLCaching

/// The six policies by name, per request and per session (D).
@Suite(.timeLimit(.minutes(60))) struct SessionPolicyTests {
    /// The session's answer with a fresh stored response, with a stale one, and without one.
    @Test(
        "each policy by name, from the request and from the session alike",
        arguments: [
            Case("useProtocolCachePolicy", .useProtocolCachePolicy, fresh: "one/1", stale: "two/2?", none: "one/1"),
            Case(
                "reloadIgnoringLocalCacheData", .reloadIgnoringLocalCacheData, fresh: "two/2", stale: "two/2",
                none: "one/1"),
            Case(
                "reloadIgnoringLocalAndRemoteCacheData", .reloadIgnoringLocalAndRemoteCacheData, fresh: "two/2!",
                stale: "two/2!", none: "one/1!"),
            Case("returnCacheDataElseLoad", .returnCacheDataElseLoad, fresh: "one/1", stale: "one/1", none: "one/1"),
            Case("returnCacheDataDontLoad", .returnCacheDataDontLoad, fresh: "one/1", stale: "one/1", none: "-1008/0"),
            Case(
                "reloadRevalidatingCacheData", .reloadRevalidatingCacheData, fresh: "two/2?", stale: "two/2?",
                none: "one/1"),
        ], [true, false])
    func policies(_ policy: Case, isSessionWide: Bool) async throws {
        func answer(_ bench: SessionBench) async -> String {
            let before = bench.origin.count()
            let request = bench.request(policy: isSessionWide ? .useProtocolCachePolicy : policy.policy)
            var text = ""
            let error = await thrown { text = try await bench.get(request).body }
            if let error { text = "\(error.code.rawValue)" }
            text += "/\(bench.origin.count())"
            guard bench.origin.count() > before, let last = bench.origin.requests.last else { return text }
            if last["Cache-Control"] == "no-cache", last["Pragma"] == "no-cache" { text += "!" }
            return text + (last.isConditional ? "?" : "")
        }
        for (second, expected) in [(1, policy.fresh), (61, policy.stale)] as [(Int64, String)] {
            let bench = try bench(isSessionWide ? policy.policy : .useProtocolCachePolicy)
            _ = try await bench.get(policy: .returnCacheDataElseLoad)
            bench.at(second)
            bench.serve(OriginResource("two", [("Cache-Control", "max-age=60")], entityTag: "\"2\""))
            #expect(await answer(bench) == expected)
            // A new answer was stored, whatever the policy that brought it.
            let stored = bench.cache?.cachedResponse(for: bench.request()).map {
                String(decoding: $0.data, as: UTF8.self)
            }
            #expect(stored == String(expected.prefix(3)))
        }
        let empty = try bench(isSessionWide ? policy.policy : .useProtocolCachePolicy)
        #expect(await answer(empty) == policy.none)
    }

    @Test("a request's own policy beats the session's") func precedence() async throws {
        let bench = try bench(.returnCacheDataDontLoad)
        #expect(await thrown { _ = try await bench.get() }?.code == .resourceUnavailable)
        #expect(try await bench.get(policy: .reloadIgnoringCacheData).body == "one")
        #expect(try await bench.get().body == "one")
        #expect(bench.origin.count() == 1)
    }

    private func bench(_ policy: URLRequest.CachePolicy) throws -> SessionBench {
        let bench = try SessionBench { $0.requestCachePolicy = policy }
        bench.serve(OriginResource("one", [("Cache-Control", "max-age=60")], entityTag: "\"1\""))
        return bench
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: URLRequest.CachePolicy
        let fresh, stale, none: String

        init(_ name: String, _ policy: URLRequest.CachePolicy, fresh: String, stale: String, none: String) {
            testDescription = name
            self.policy = policy
            (self.fresh, self.stale, self.none) = (fresh, stale, none)
        }
    }
}
