import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// "Why is this not cached?" has one reason for each answer, told by `Cache-Status`, a closure and counts.
@Suite(.timeLimit(.minutes(60))) struct NotStoredTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let word: String
        var method = "GET"
        var requestFields: [String: String] = [:]
        var status = 200
        var fields: [String: String] = ["Cache-Control": "max-age=60"]
        var body = 5
        var breaksOff = false

        var testDescription: String { "\(word) \(fields)" }
    }

    private static let limit = (1 << 20) / 20

    static let cases = [
        Case(word: "method", method: "POST"),
        Case(word: "request-no-store", requestFields: ["Cache-Control": "no-store"]),
        Case(word: "no-store", fields: ["Cache-Control": "no-store"]),
        Case(word: "partial", fields: ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-4/10"]),
        Case(word: "status", status: 416),
        Case(word: "vary", fields: ["Cache-Control": "max-age=60", "Vary": "*"]),
        Case(word: "no-lifetime", status: 403, fields: [:]),
        Case(word: "too-large", fields: ["Cache-Control": "max-age=60", "Content-Length": "60000"], body: 60_000),
        Case(word: "too-large", body: 60_000),
        Case(word: "incomplete", breaksOff: true),
    ]

    @Test("each answer that is not stored has its reason", arguments: cases)
    func reason(case wanted: Case) async throws {
        let told = Told()
        let bench = try Self.bench(wanted, told)
        let request = bench.request(method: wanted.method, wanted.requestFields)
        let got = try? await bench.get(request)
        #expect(told.reasons.withLock { $0.map(\.word) } == [wanted.word])
        #expect(bench.cache?.notStoredCounts == [wanted.word: 1] && !bench.isStored())
        let reason = try #require(told.reasons.withLock { $0.first })
        #expect(reason.description.count > 20)
        if case .tooLarge(let byteCount, let limit) = reason {
            #expect(limit == Self.limit && byteCount == (wanted.fields["Content-Length"] == nil ? nil : 60_000))
        }
        // Of a body that turned out too long or broke off, the header could not tell.
        let isKnownAtOnce = !wanted.breaksOff && (wanted.word != "too-large" || wanted.fields["Content-Length"] != nil)
        if wanted.method == "GET", isKnownAtOnce {
            #expect(got?["Cache-Status"]?.hasSuffix("; detail=\(wanted.word)") == true)
        }
    }

    @Test("an answer that is stored has none, nor has a hit or one without a cache") func stored() async throws {
        let told = Told()
        let bench = try Self.bench(Case(word: ""), told)
        _ = try await bench.get()
        #expect(try await bench.get()["Cache-Status"]?.contains("detail") == false)
        #expect(
            told.reasons.withLock { $0.isEmpty } && bench.cache?.notStoredCounts.isEmpty == true && bench.isStored())
    }

    @Test("what the application refuses, by nil or by its policy, has its reason", arguments: [true, false])
    func application(isNil: Bool) async throws {
        let told = Told()
        let bench = try Self.bench(Case(word: ""), told, delegate: Refusing(isNil: isNil))
        _ = try await bench.get()
        #expect(told.reasons.withLock { $0 } == [.application] && !bench.isStored())
    }

    @Test("what is removed while it is under way says so, also by the cache's own class")
    func superseded() async throws {
        let told = Told()
        let bench = try SessionBench { configuration in
            configuration.onNotStored = { _, reason in told.reasons.withLock { $0.append(reason) } }
        }
        defer { bench.origin.stop() }
        let hold = Hold()
        bench.origin.reply { _ in
            var reply = OriginReply([("Cache-Control", "max-age=600")], text: "page")
            reply.holdHead = hold
            return reply
        }
        async let got = bench.get()
        await hold.reached()
        bench.session.removeAllCachedResponses()
        hold.release()
        #expect(try await got.body == "page" && !bench.isStored())
        #expect(told.reasons.withLock { $0 } == [.superseded])
    }

    @Test("a body that is just short enough, but not with its header, says that it is too large")
    func cost() async throws {
        let told = Told()
        let bench = try Self.bench(Case(word: "", body: Self.limit - 10), told)
        _ = try await bench.get()
        let expected = NotStoredReason.tooLarge(byteCount: Int64(Self.limit - 10), limit: Self.limit)
        #expect(told.reasons.withLock { $0 } == [expected] && !bench.isStored())
    }

    @Test("a cache without capacity says so") func noCapacity() async throws {
        let told = Told()
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
        let bench = try Self.bench(
            Case(word: "", fields: ["Cache-Control": "max-age=60", "Content-Length": "5"]), told, cache: cache)
        _ = try await bench.get()
        #expect(told.reasons.withLock { $0 } == [.noCapacity] && cache.notStoredCounts == ["no-capacity": 1])
    }

    private static func bench(
        _ wanted: Case, _ told: Told, cache: ResponseCache? = SessionBench.memoryCache(),
        delegate: (any CachingSessionDelegate)? = nil
    ) throws -> SessionBench {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { _ in
            let fields = HTTPFields(
                wanted.fields.sorted { $0.key < $1.key }.map { .init(name: .init($0.key), value: $0.value) })
            return .init(
                HTTPResponse(status: wanted.status, headerFields: fields),
                chunks: [Array(repeating: 65, count: wanted.body)], breaksOff: wanted.breaksOff)
        }
        return try SessionBench(cache: cache, clock: clock, delegate: delegate, transport: origin) { configuration in
            configuration.cacheStatusName = "C"
            configuration.onNotStored = { _, reason in told.reasons.withLock { $0.append(reason) } }
        }
    }
}

/// The reasons that a session has told.
private final class Told: Sendable {
    let reasons = Locked<[NotStoredReason]>([])
}

/// Refuses every response.
private final class Refusing: CachingSessionDelegate {
    let isNil: Bool

    init(isNil: Bool) { self.isNil = isNil }

    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? {
        isNil
            ? nil
            : CachedURLResponse(
                response: proposed.response, data: proposed.data, userInfo: nil, storagePolicy: .notAllowed)
    }
}
