import CacheTiers
import HTTPCache
import HTTPSemantics

/// An application as a list of steps: three sessions over one cache, accounts, and the cache's own methods, overlapping
/// in any way.
///
/// It checks these promises: no answer of another account, unless its lifetime allows its reuse; none older than what
/// the account, or a removal of the URL, has seen; none by a fetch sent before an unsafe request to the origin was
/// answered; none meant only for another request; usage within the capacity; an end for each request.
package struct ApplicationTrial {
    package static let stepBytes = 3
    private static let longest = 64
    private static let capacity = 64 << 10
    private static let start: Int64 = 1_800_000_000

    private struct Asked {
        let url: String
        let account: String
        let policy: RequestPolicy
        let step: Int
        let answer: Started<Answered>
    }

    private struct Answered: Sendable {
        let body: String
        let source: Answer.Source
        let step: Int
    }

    private let clock = VirtualClock(seconds: Self.start)
    private let executor = SteppedExecutor()
    private let origin: AccountOrigin
    private let store: ResponseStore
    private let engines: [CacheEngine]
    private var asked: [Asked] = []
    private var step = 0
    /// The steps that removed everything of a URL, and those that removed everything.
    private var removals: [(url: String?, step: Int)] = []
    private var unsafeAnswers: [Int] = []
    private var broken: String?

    private init() {
        origin = AccountOrigin(clock: clock)
        let memory = MemoryTier(clamping: Self.capacity, stripes: 1)
        let store = ResponseStore(
            tiers: TwoTierCache(memory: memory, disk: nil, hasher: KeyHasher(seed: KeySeed(1, 2))))
        var options = EngineOptions()
        options.executor = executor
        self.store = store
        engines = (0..<3).map { [origin, clock, options] _ in
            CacheEngine(responses: store, transport: origin, clock: clock, options: options)
        }
    }

    /// Runs the steps encoded in the bytes, three bytes each, and returns the broken promise; `nil` if none was.
    package static func run(_ bytes: some Collection<UInt8>) -> String? {
        var trial = ApplicationTrial()
        var rest = bytes[...]
        while rest.count >= stepBytes, trial.step < longest, trial.broken == nil {
            let step = Array(rest.prefix(stepBytes))
            rest = rest.dropFirst(stepBytes)
            trial.run(step[0], Int(step[1]), Int(step[2]))
        }
        trial.finish()
        return trial.broken
    }

    package static func describe(_ bytes: some Collection<UInt8>) -> String {
        let all = Array(bytes)
        return stride(from: 0, to: min(all.count / stepBytes, longest) * stepBytes, by: stepBytes).map { place in
            "\(place / stepBytes + 1)  \(Step(all[place], Int(all[place + 1]), Int(all[place + 2])))"
        }.joined(separator: "\n")
    }

    private enum Step {
        case ask(engine: Int, url: String, account: String, page: Int, policy: RequestPolicy)
        case unsafe(engine: Int, url: String)
        case deliver(Int)
        case change(String)
        case reply(AccountOrigin.Kind, hasDate: Bool)
        case wait(Int64)
        case cancel(Int)
        case remove(String, byEngine: Int?)
        case removeAll(since: Bool)
        case ownStore(String)

        init(_ kind: UInt8, _ first: Int, _ second: Int) {
            let url = "https://example.org/\(first % 2)"
            let engine = first / 2 % 3
            switch kind % 16 {
            case 0...4:
                let policies: [RequestPolicy] = [
                    .useProtocolCachePolicy, .useProtocolCachePolicy, .useProtocolCachePolicy,
                    .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad, .reloadRevalidatingCacheData,
                ]
                self = .ask(
                    engine: engine, url: url, account: ["anna", "bert"][second % 2], page: second / 2 % 2,
                    policy: policies[second / 4 % policies.count])
            case 5: self = .unsafe(engine: engine, url: url)
            case 6...9: self = .deliver(first)
            case 10: self = .change(url)
            case 11:
                let kinds = AccountOrigin.Kind.allCases
                self = .reply(kinds[first % kinds.count], hasDate: second % 2 == 0)
            case 12: self = .wait(Int64([1, 4, 10, 61][first % 4]))
            case 13: self = .cancel(first)
            case 14:
                switch second % 4 {
                case 0: self = .removeAll(since: first % 2 == 0)
                case 1: self = .remove(url, byEngine: engine)
                default: self = .remove(url, byEngine: nil)
                }
            default: self = .ownStore(url)
            }
        }
    }

    private mutating func run(_ kind: UInt8, _ first: Int, _ second: Int) {
        step += 1
        origin.step = step
        switch Step(kind, first, second) {
        case .ask(let engine, let url, let account, let page, let policy):
            var fields: HTTPFields = ["Authorization": .init(account)]
            if page == 1 { fields["X-Page"] = "1" }
            ask(engine, HTTPRequest(url: url, headerFields: fields), account, policy)
        case .unsafe(let engine, let url):
            let request = CacheRequest(HTTPRequest(method: "POST", url: url))
            _ = executor.start { [engine = engines[engine]] in try await engine.respond(to: request).body.collect() }
        case .deliver(let index): deliver(index)
        case .change(let url): origin.change(url)
        case .reply(let kind, let hasDate): origin.reply(kind, hasDate: hasDate)
        case .wait(let seconds): clock.advance(by: seconds)
        case .cancel(let index): if !asked.isEmpty { asked[index % asked.count].answer.cancel() }
        case .remove(let url, let engine):
            let request = HTTPRequest(url: url)
            if let engine { engines[engine].remove(CacheRequest(request)) } else { _ = try? store.remove(request) }
            removals.append((url, step))
        case .removeAll(let isByDate):
            if isByDate { try? store.removeAll(since: .min) } else { try? store.removeAll() }
            removals.append((nil, step))
        case .ownStore(let url):
            let (response, body) = origin.own(url)
            let now = clock.now
            _ = body.withUnsafeBytes { body in
                store.store(
                    response, for: HTTPRequest(url: url), body: body, requestTime: now.seconds,
                    responseTime: now.seconds, storedAt: now.microseconds)
            }
        }
        executor.drain()
        require(store.tiers.memory.usage <= Self.capacity, "the memory tier is over its capacity")
        judgeAll()
    }

    private mutating func ask(_ engine: Int, _ request: HTTPRequest, _ account: String, _ policy: RequestPolicy) {
        let answer = executor.start { [engine = engines[engine], origin] in
            let answer = try await engine.respond(to: CacheRequest(request, policy: policy))
            let body = String(decoding: try await answer.body.collect(), as: UTF8.self)
            return Answered(body: body, source: answer.source, step: origin.step)
        }
        asked.append(Asked(url: request.url, account: account, policy: policy, step: step, answer: answer))
    }

    private mutating func deliver(_ index: Int) {
        let answered = origin.deliver(index)
        executor.drain()
        guard let answered else { return }
        unsafeAnswers.append(step)
        if !answered.isError { removals.append((answered.url, step)) }
    }

    private mutating func finish() {
        while origin.heldCount > 0, broken == nil {
            step += 1
            origin.step = step
            deliver(0)
            judgeAll()
        }
        for one in asked where one.answer.result == nil {
            require(false, "the request of step \(one.step) got neither an answer nor an error")
        }
    }

    // MARK: Judging

    /// What each account has seen of each URL: the version, and the step in which it had all of it.
    private var seen: [String: [(version: Int, step: Int)]] = [:]
    private var judged: Set<Int> = []

    private mutating func judgeAll() {
        for (place, one) in asked.enumerated() where !judged.contains(place) {
            guard let result = one.answer.result else { continue }
            judged.insert(place)
            if case .success(let answered) = result { judge(one, answered) }
        }
    }

    private mutating func judge(_ one: Asked, _ answered: Answered) {
        let name = "the answer to step \(one.step), in step \(answered.step), \(answered.body) \(answered.source),"
        guard let number = Int(answered.body.dropLast()), let reply = origin.reply(number: number) else {
            return require(false, "\(name) is no reply of the origin")
        }
        require(reply.url == one.url, "\(name) is of another URL")
        let isOwn = reply.account == one.account || reply.account == nil
        let takesAny = one.policy == .returnCacheDataElseLoad && reply.kind != .varying
        require(isOwn || takesAny || origin.isReusable(reply), "\(name) is another account's")
        if reply.kind == .noStore || reply.kind == .unauthorized {
            require(reply.sentStep >= one.step, "\(name) is for another request alone")
        }
        // Earlier steps happened before it was requested.
        let isOfURL = { (url: String?) in url == nil || url == one.url }
        let removal = removals.last { $0.step < one.step && isOfURL($0.url) }?.step ?? 0
        require(reply.sentStep > removal, "\(name) is from before the removal in step \(removal)")
        if answered.source == .fetched, let last = unsafeAnswers.last(where: { $0 < one.step }) {
            require(reply.sentStep > last, "\(name) was sent before the unsafe request of step \(last) was answered")
        }
        guard reply.kind.status == 200 else { return }
        let who = "\(one.account) \(one.url)"
        if let newest = seen[who]?.filter({ $0.step < one.step }).map(\.version).max() {
            require(reply.version >= newest, "\(name) is version \(reply.version), \(newest) was seen before")
        }
        seen[who, default: []].append((reply.version, answered.step))
    }

    private mutating func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
        if !condition, broken == nil { broken = promise() }
    }
}
