import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

@testable import URLCaching

/// A subclass of `ResponseCache` under a session: what it hands out is the answer, and it hears of removals (E2, E7).
@Suite(.timeLimit(.minutes(60))) struct SubclassedStorageTests {
    private let cache = Adding(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    private let bench: SessionBench

    init() throws {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [Array("hello".utf8)])
        }
        bench = try SessionBench(cache: cache, clock: clock, transport: origin)
    }

    @Test("a field that a subclass adds to a response is in the answer, whose age still counts from its receipt")
    func addedField() async throws {
        _ = try await bench.get()
        bench.at(30)
        let got = try await bench.get()
        #expect(got["X-Added"] == "yes" && got["Age"] == "30" && got.body == "hello")
    }

    @Test("a subclass is told of a removal with the request that the application gave")
    func removalOfOwnRequest() throws {
        let cache = RemovalNoting(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let bench = try SessionBench(cache: cache)
        var request = bench.request()
        request.mainDocumentURL = bench.origin.url("/page")
        bench.session.removeCachedResponse(for: request)
        #expect(cache.last.withLock { $0?.mainDocumentURL } == request.mainDocumentURL)
    }

    @Test("a HEAD brings the response up to date that a subclass stores (RFC 9111, section 4.3.5)")
    func headUpdate() async throws {
        let bench = try Self.confirming(cache)
        _ = try await bench.get()
        bench.at(61)
        _ = try await bench.get(method: "HEAD")
        #expect(try await bench.get()["Age"] == "0")
    }

    @Test("a 304 leaves policy and userInfo of a response that a subclass changes (A5, E2)")
    func confirmation() async throws {
        let bench = try Self.confirming(
            cache,
            Editing { proposed in
                // The second time it is the confirmation, which has to bring them along.
                guard (proposed.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-New") == nil else {
                    return proposed
                }
                return CachedURLResponse(
                    response: proposed.response, data: proposed.data, userInfo: ["n": 1],
                    storagePolicy: .allowedInMemoryOnly)
            })
        _ = try await bench.get()
        bench.at(61)
        _ = try await bench.get()
        let kept = try #require(bench.cache?.cachedResponse(for: bench.request()))
        #expect((kept.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-New") == "1")
        #expect(kept.userInfo?["n"] as? Int == 1 && kept.storagePolicy == .allowedInMemoryOnly)
    }

    /// A session whose origin confirms every response that is asked for by its entity tag.
    private static func confirming(
        _ cache: ResponseCache, _ delegate: (any CachingSessionDelegate)? = nil
    ) throws -> SessionBench {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { request in
            let isKnown = request.headerFields["If-None-Match"] != nil
            var fields: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
            if isKnown { fields["X-New"] = "1" }
            return .init(
                HTTPResponse(status: isKnown ? 304 : 200, headerFields: fields),
                chunks: isKnown || request.method == "HEAD" ? [] : [Array("hello".utf8)])
        }
        return try SessionBench(cache: cache, clock: clock, delegate: delegate, transport: origin)
    }

    @Test("what a subclass stores in another form is confirmed as well, and fresh again (C7)")
    func confirmationOfAnotherForm() async throws {
        let cache = Inverting(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let bench = try Self.confirming(cache)
        for (seconds, age) in [(0, nil), (61, nil), (100, "39"), (122, nil), (130, "8")] as [(Int64, String?)] {
            bench.at(seconds)
            let got = try await bench.get()
            #expect(got.body == "hello" && (age == nil || got["Age"] == age), "\(seconds)")
        }
        let request = HTTPRequest(url: bench.request().url?.absoluteString ?? "")
        #expect(cache.store.lookup(request)?.withBody { Array($0) } == Array("hello".utf8).map { ~$0 })
    }

    @Test("a subclass hears when everything is removed, or what came since a date") func removals() {
        let date = Date(timeIntervalSince1970: 7)
        bench.session.removeCachedResponses(since: date)
        bench.session.removeAllCachedResponses()
        #expect(cache.removals.withLock { $0 } == [date, nil])
    }
}

/// Adds a field to each response that it hands out, and notes the dates of removals, `nil` for all.
///
/// `@unchecked Sendable`: its own variable locks itself.
private final class Adding: ResponseCache, @unchecked Sendable {
    let removals = Locked<[Date?]>([])

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        super.cachedResponse(for: request)?.withField("X-Added", "yes")
    }

    override func removeAllCachedResponses() {
        removals.withLock { $0.append(nil) }
        super.removeAllCachedResponses()
    }

    override func removeCachedResponses(since date: Date) {
        removals.withLock { $0.append(date) }
        super.removeCachedResponses(since: date)
    }
}

/// Stores every byte inverted, as one that encrypts would.
///
/// `@unchecked Sendable`: it has no variable of its own.
private final class Inverting: ResponseCache, @unchecked Sendable {
    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        super.cachedResponse(for: request).map(inverted)
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        super.storeCachedResponse(inverted(cachedResponse), for: request)
    }

    private func inverted(_ cached: CachedURLResponse) -> CachedURLResponse {
        CachedURLResponse(
            response: cached.response, data: Data(cached.data.map { ~$0 }), userInfo: cached.userInfo,
            storagePolicy: cached.storagePolicy)
    }
}

/// A subclass that notes the request of the last removal.
///
/// `@unchecked Sendable`: its own variable locks itself.
private final class RemovalNoting: ResponseCache, @unchecked Sendable {
    let last = Locked<URLRequest?>(nil)

    override func removeCachedResponse(for request: URLRequest) {
        last.withLock { $0 = request }
        super.removeCachedResponse(for: request)
    }
}
