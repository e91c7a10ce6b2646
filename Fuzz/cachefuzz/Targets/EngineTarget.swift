import CacheTiers
import HTTPCache
import HTTPSemantics
import VirtualOrigin

extension FuzzTarget {
    /// The input is an `EngineScript`: requests, origin behaviours and clock steps.
    ///
    /// Oracle: the reference's reading of the RFC, over a log of all of the origin's replies. A response served without
    /// asking the origin was storable, matches the URL and the request fields, is fresh, allowed stale, or stands in
    /// for a failure, wasn't invalidated, and is the newest. A response reported as confirmed was confirmed. A request
    /// that forbids the origin doesn't reach it. Equal requests held back together make one fetch, unless an answer of
    /// the URL couldn't be shared. Every request gets an answer or an error.
    static let engine = FuzzTarget("engine", mutation: .structured(EngineMutation.self)) { buffer in
        let machine = EngineMachine()
        for step in EngineScript(buffer).steps { machine.run(step) }
        machine.finish()
    }
}

/// An engine over a virtual origin, driven step by step on this thread.
private final class EngineMachine {
    private static let capacity = 256 << 10
    private let clock = VirtualClock(seconds: ExchangeInput.received)
    private let executor = SteppedExecutor()
    private let origin: VirtualOrigin
    private let log = EngineLog()
    private let engine: CacheEngine
    /// Requests whose answers are held back.
    private var held: [Held] = []
    private var step = 0
    private var hold = HoldWindow()

    private struct Held {
        let asked: EngineLog.Asked
        let started: Started<EngineLog.Answered>
    }

    /// Events since the first request was held back.
    private struct HoldWindow {
        /// Ordinary requests by URL, which may all share one fetch.
        var ordinary: [String: Int] = [:]
        /// Whether a request that fetches separately, or another event, may have caused a second fetch.
        var isDisturbed = false
        var sentBefore = 0
    }

    init() {
        let memory = MemoryTier(clamping: Self.capacity, stripes: 1)
        let tiers = TwoTierCache(memory: memory, disk: nil, hasher: KeyHasher(seed: KeySeed(1, 2)))
        var options = EngineOptions()
        options.executor = executor
        origin = VirtualOrigin(clock: clock)
        engine = CacheEngine(
            responses: ResponseStore(tiers: tiers), transport: origin, clock: clock, options: options)
        origin.replyToReceived { _ in .none }
    }

    func run(_ step: EngineScript.Step) {
        self.step += 1
        log.step = self.step
        defer { log.noteSent(origin.requests.count) }
        switch step {
        case .origin(let reply):
            let (log, clock) = (log, clock)
            origin.replyToReceived { log.reply(reply, to: $0, clock: clock) }
        case .request(let request, let policy, let hold): ask(request, policy, hold)
        case .release: releaseAll()
        case .releaseOne:
            hold.isDisturbed = true
            origin.releaseLatest()
            executor.drain()
        case .wait(let seconds): clock.advance(by: seconds)
        case .cancel(let index):
            guard !held.isEmpty else { return }
            hold.isDisturbed = true
            held[index % held.count].started.cancel()
            executor.drain()
        case .remove(let url):
            hold.isDisturbed = true
            log.invalidate(url, step: self.step)
            if let url {
                engine.remove(CacheRequest(HTTPRequest(url: url)))
            } else {
                do { try engine.responses.removeAll() } catch { fuzzFailure("\(error)") }
            }
        }
    }

    func finish() {
        log.step += 1
        releaseAll()
        require(engine.responses.tiers.memory.usage <= Self.capacity, "memory is over its capacity")
    }

    private func ask(_ request: HTTPRequest, _ policy: RequestPolicy, _ holding: EngineScript.Hold) {
        if held.isEmpty { hold = HoldWindow(sentBefore: origin.requests.count) }
        let isHeld = holding != .nothing
        if isHeld { origin.hold(bodies: holding == .body) } else { releaseAll() }
        let sentBefore = origin.requests.count
        let asked = EngineLog.Asked(request: request, policy: policy, at: clock.now.seconds, step: step)
        let (engine, clock, step) = (engine, clock, step)
        let started = executor.start {
            let answer = try await engine.respond(
                to: CacheRequest(request, policy: policy, context: step))
            // A response served without waiting for the body is checked at the time of serving.
            let at = clock.now.seconds
            return EngineLog.Answered(answer: answer, body: try? await answer.body.collect(), at: at)
        }
        executor.drain()
        if asked.forbidsOrigin {
            require(
                origin.requests.count == sentBefore, "\(request) reached the origin although it may not")
            require(started.result != nil, "\(request) waits for an origin that it may not reach")
        }
        guard isHeld, started.result == nil else { return judge(asked, started) }
        held.append(Held(asked: asked, started: started))
        let isOrdinary =
            request.method == "GET" && request.headerFields.fields.isEmpty
            && policy == .useProtocolCachePolicy
        if isOrdinary { hold.ordinary[request.url, default: 0] += 1 } else { hold.isDisturbed = true }
        guard !hold.isDisturbed else { return }
        for (url, count) in hold.ordinary where !log.mayBeUnshared(url) {
            let sent = origin.requests[hold.sentBefore...].filter { $0.url == url }.count
            require(sent <= 1, "\(count) ordinary requests for \(url) made \(sent)")
        }
    }

    private func releaseAll() {
        origin.release()
        executor.drain()
        for one in held { judge(one.asked, one.started) }
        held = []
    }

    private func judge(_ asked: EngineLog.Asked, _ started: Started<EngineLog.Answered>) {
        switch started.result {
        case .success(let answered): log.judge(asked, answered)
        case .failure(let error): require(error is EngineError, "\(asked.request) failed by \(error)")
        case nil: fuzzFailure("\(asked.request) got neither an answer nor an error")
        }
    }
}

extension FuzzTarget {
    /// The input is a list of steps, three bytes each: requests of two accounts through three sessions over one cache,
    /// overlapping in any way, unsafe requests, changes at the origin, and the application's removals and stores.
    ///
    /// Oracle: the model of `ApplicationTrial`. Nobody gets another account's answer, or one older than what they or a
    /// removal have seen; nothing removed returns.
    static let application = FuzzTarget(
        "application", mutation: .records(width: ApplicationTrial.stepBytes, most: 64, phrases: ApplicationPhrases.all),
        describe: { ApplicationTrial.describe($0) }
    ) { bytes in
        if let broken = ApplicationTrial.run(bytes) { fuzzFailure(broken) }
    }
}
