import CacheTiers
import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// An engine over a virtual origin, on a clock and an executor that only go on when a test says so.
struct Bench {
    static let start: Int64 = 1_800_000_000
    static let url = "https://example.org/a"

    let clock: VirtualClock
    let origin: VirtualOrigin
    let executor: SteppedExecutor
    let store: ResponseStore
    let engine: CacheEngine

    init(
        disk: DiskTier? = nil, memoryCapacity: Int = 1 << 20, _ edit: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        let hasher = KeyHasher(seed: disk.map { KeySeed($0.hashSeed.first, $0.hashSeed.second) } ?? KeySeed(1, 2))
        let tiers = TwoTierCache(memory: try MemoryTier(capacity: memoryCapacity), disk: disk, hasher: hasher)
        let clock = VirtualClock(seconds: Self.start)
        let executor = SteppedExecutor()
        var options = EngineOptions()
        options.executor = executor
        edit(&options)
        self.clock = clock
        self.executor = executor
        origin = VirtualOrigin(clock: clock)
        store = ResponseStore(tiers: tiers)
        engine = CacheEngine(responses: store, transport: origin, clock: clock, options: options)
    }

    /// The origin answers everything so from now on.
    func reply(_ fields: HTTPFields = [:], status: Int = 200, body: String = "body", delay: Int64 = 0) {
        origin.reply { _ in
            .init(
                HTTPResponse(status: status, headerFields: fields), chunks: body.isEmpty ? [] : [Array(body.utf8)],
                delay: delay)
        }
    }

    /// The origin answers by validators: 304 where the request has the current entity tag, else the body.
    func replyByEntityTag(_ tag: String, _ fields: HTTPFields = [:], body: String = "body") {
        origin.reply { request in
            var fields = fields
            fields["ETag"] = tag
            if request.headerFields["If-None-Match"] == tag {
                return .init(HTTPResponse(status: 304, headerFields: fields))
            }
            return .init(HTTPResponse(headerFields: fields), chunks: [Array(body.utf8)])
        }
    }

    /// Begins a request, and goes on until everybody waits for the origin.
    func start(_ request: CacheRequest) -> Started<Seen> {
        let engine = engine
        let started = executor.start { try await Seen(engine.respond(to: request)) }
        executor.drain()
        return started
    }

    func start(
        _ fields: HTTPFields = [:], method: String = "GET", url: String = Bench.url,
        policy: RequestPolicy = .useProtocolCachePolicy
    ) -> Started<Seen> {
        start(CacheRequest(HTTPRequest(method: method, url: url, headerFields: fields), policy: policy))
    }

    /// Asks, and reads the answer to its end.
    func get(
        _ fields: HTTPFields = [:], method: String = "GET", url: String = Bench.url,
        policy: RequestPolicy = .useProtocolCachePolicy
    ) throws -> Seen {
        try #require(start(fields, method: method, url: url, policy: policy).result).get()
    }

    /// It is that many seconds after the start now.
    func at(_ seconds: Int64) { clock.advance(by: Self.start + seconds - clock.now.seconds) }

    /// How many requests the origin has seen.
    var requestCount: Int { origin.requests.count }

    func isStored(_ url: String = Bench.url) -> Bool { store.lookup(HTTPRequest(url: url)) != nil }
}

/// An answer with its body read to the end.
struct Seen: Sendable, CustomStringConvertible {
    let status: Int
    let fields: HTTPFields
    let body: String
    let source: Answer.Source

    init(_ answer: Answer) async throws {
        status = answer.response.status
        fields = answer.response.headerFields
        source = answer.source
        body = String(decoding: try await answer.body.collect(), as: UTF8.self)
    }

    var description: String { "\(status) \(source) \(body)" }
}
