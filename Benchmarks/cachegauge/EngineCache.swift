import CacheTiers
import GaugeKit
import HTTPCache
import HTTPSemantics
import VirtualOrigin

/// The engine over both tiers, between a simulated workload and its origin: the code that applications run, with
/// another transport, clock and executor.
final class EngineCache: SimulatedCache {
    static let name = "tiered"

    private let clock: VirtualClock
    private let executor = SteppedExecutor()
    private let engine: CacheEngine

    init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) throws {
        // Hashes decide each entry's stripe in the memory tier, and so the evictions. A fixed seed makes every run the
        // same.
        let seed = KeySeed(0x6361_6368_6567_6175, 0x6765_2D73_696D_756C)
        let policy = EvictionPolicy(configuration.policy)
        var disk: DiskTier?
        if configuration.diskCapacity > 0 {
            disk = try DiskTier(
                directory: configuration.directory, capacity: configuration.diskCapacity, seed: seed, startsEmpty: true,
                policy: policy)
        }
        let tiers = TwoTierCache(
            memory: try MemoryTier(capacity: configuration.memoryCapacity, policy: policy), disk: disk,
            hasher: KeyHasher(seed: seed))
        let clock = VirtualClock(seconds: start)
        self.clock = clock
        let network = VirtualOrigin(clock: clock, remembers: false) { request in
            VirtualOrigin.Reply(origin.answer(SimulatedRequest(request), at: clock.now.seconds))
        }
        var options = EngineOptions()
        options.executor = executor
        engine = CacheEngine(responses: ResponseStore(tiers: tiers), transport: network, clock: clock, options: options)
    }

    func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>] {
        clock.advance(by: moment - clock.now.seconds)
        let engine = engine
        let started = requests.map { request in
            executor.start {
                let answer = try await engine.respond(to: CacheRequest(HTTPRequest(request)))
                return SimulatedAnswer(answer, body: try await answer.body.collect())
            }
        }
        executor.drain()
        return started.map { $0.result ?? .failure(GaugeError("no answer, and no pending work")) }
    }

    func remove(_ url: String, at moment: Int64) {
        clock.advance(by: moment - clock.now.seconds)
        engine.remove(CacheRequest(HTTPRequest(url: url)))
    }
}

extension VirtualOrigin.Reply {
    fileprivate init(_ response: SimulatedResponse) {
        let fields = response.fields.map { HTTPFields.Field(name: HTTPFields.Name($0.name), value: $0.value) }
        self.init(
            HTTPResponse(status: response.status, headerFields: HTTPFields(fields)),
            chunks: response.body.isEmpty ? [] : [response.body])
    }
}

extension SimulatedRequest {
    fileprivate init(_ request: HTTPRequest) {
        self.init(
            method: request.method, url: request.url,
            fields: request.headerFields.fields.map { HeaderField($0.name.rawName, $0.value) })
    }
}

extension HTTPRequest {
    fileprivate init(_ request: SimulatedRequest) {
        let fields = request.fields.map { HTTPFields.Field(name: HTTPFields.Name($0.name), value: $0.value) }
        self.init(method: request.method, url: request.url, headerFields: HTTPFields(fields))
    }
}

extension SimulatedAnswer {
    fileprivate init(_ answer: Answer, body: [UInt8]) {
        let source: Source =
            switch answer.source {
            case .memoryHit: .memory
            case .diskHit: .disk
            case .revalidated: .revalidated
            case .fetched: .fetched
            case .stale, .offline: .stale
            case .bypass: .bypass
            }
        let fields = answer.response.headerFields.fields.map { HeaderField($0.name.rawName, $0.value) }
        self.init(SimulatedResponse(status: answer.response.status, fields: fields, body: body), source: source)
    }
}
