import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

/// A cache that keeps entries for their stated lifetimes, and deliberately misbehaves in one way.
private final class ToyCache<Way: ToyWay>: SimulatedCache {
    static var name: String { "toy" }
    private let origin: SimulatedOrigin
    private var stored: [String: (response: SimulatedResponse, at: Int64)] = [:]

    init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) { self.origin = origin }

    func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>] {
        Way.answered(answers(requests, at: moment))
    }

    private func answers(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>] {
        requests.map { request in
            if request.method == "PUT" {
                if Way.invalidates { stored[request.url] = nil }
                return .success(SimulatedAnswer(origin.answer(request, at: moment), source: .bypass))
            }
            if let hit = stored[request.url], moment - hit.at < Way.lifetime {
                return .success(SimulatedAnswer(Way.served(hit.response), source: Way.source))
            }
            var asked = request
            if let old = stored[request.url], Way.revalidates,
                let tag = old.response.fields.first(where: { $0.name == "ETag" })
            {
                asked.fields.append(HeaderField("If-None-Match", tag.value))
            }
            let response = origin.answer(asked, at: moment)
            if response.status == 304, let old = stored[request.url] {
                stored[request.url]?.at = moment
                return .success(SimulatedAnswer(old.response, source: .revalidated))
            }
            stored[request.url] = (response, moment)
            return .success(SimulatedAnswer(response, source: .fetched))
        }
    }

    func remove(_ url: String, at moment: Int64) { if Way.removes { stored[url] = nil } }
}

private protocol ToyWay {
    static var lifetime: Int64 { get }
    static var invalidates: Bool { get }
    static var removes: Bool { get }
    static var revalidates: Bool { get }
    static var source: SimulatedAnswer.Source { get }
    static func served(_ response: SimulatedResponse) -> SimulatedResponse
    static func answered(_ answers: [Result<SimulatedAnswer, any Error>]) -> [Result<SimulatedAnswer, any Error>]
}

extension ToyWay {
    static var lifetime: Int64 { 60 }
    static var invalidates: Bool { true }
    static var removes: Bool { true }
    static var revalidates: Bool { false }
    static var source: SimulatedAnswer.Source { .memory }
    static func served(_ response: SimulatedResponse) -> SimulatedResponse { response }
    static func answered(_ answers: [Result<SimulatedAnswer, any Error>]) -> [Result<SimulatedAnswer, any Error>] {
        answers
    }
}

private enum Right: ToyWay {}
private enum TooLong: ToyWay { static var lifetime: Int64 { 61 } }
private enum NoRemoval: ToyWay { static var removes: Bool { false } }
private enum Stale: ToyWay { static var source: SimulatedAnswer.Source { .stale } }
private enum Revalidating: ToyWay { static var revalidates: Bool { true } }
private enum NoInvalidation: ToyWay { static var invalidates: Bool { false } }
private enum Silent: ToyWay {
    static func answered(_ answers: [Result<SimulatedAnswer, any Error>]) -> [Result<SimulatedAnswer, any Error>] { [] }
}
private enum Joining: ToyWay {
    static func answered(_ answers: [Result<SimulatedAnswer, any Error>]) -> [Result<SimulatedAnswer, any Error>] {
        Array(answers.prefix(1))
    }
}
private enum Damaging: ToyWay {
    static func served(_ response: SimulatedResponse) -> SimulatedResponse {
        var response = response
        response.body[response.body.count / 2] ^= 1
        return response
    }
}

/// A cache that stores nothing, and fetches once for equal requests that come together.
private final class SharingCache: SimulatedCache {
    static var name: String { "sharing" }
    private let origin: SimulatedOrigin

    init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) { self.origin = origin }

    func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>] {
        var fetched: [String: SimulatedResponse] = [:]
        return requests.map { request in
            let response = fetched[request.url] ?? origin.answer(request, at: moment)
            fetched[request.url] = response
            return .success(SimulatedAnswer(response, source: .fetched))
        }
    }

    func remove(_ url: String, at moment: Int64) {}
}

/// Rules with a max-age of 60 seconds only.
private struct SixtySeconds: ReuseRules {
    func mayStore(_ response: ReceivedResponse, for request: SimulatedRequest) -> Bool { true }
    func use(of response: ReceivedResponse, for request: SimulatedRequest, at moment: Int64) -> AllowedUse {
        moment - response.moment < 60 ? .fresh : .no
    }
}

@Suite("Simulation of caches") struct SimulationTests {
    private var plan: WorkloadPlan {
        var plan = WorkloadPlan()
        plan.objects = 20
        plan.sizes = .constant(200)
        plan.headers = [HeaderClass(maxAge: 60, etag: true, changesEvery: 300)]
        plan.operations = OperationMix(read: 0.9, store: 0.05, remove: 0.05)
        plan.revisit = .constant(seconds: 1)
        return plan
    }

    private func simulate(
        _ type: any SimulatedCache.Type, _ plan: WorkloadPlan, seed: UInt64 = 1,
        rules: (any ReuseRules)? = SixtySeconds()
    ) throws -> (result: SimulationResult, answers: Answers) {
        let answers = Answers()
        let configuration = SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "/")
        var simulation = try Simulation(
            type, Workload(plan, seed: seed), configuration: configuration, network: Simulation.Network(), rules: rules,
            answers: answers)
        return (simulation.run(seconds: 3_000), answers)
    }

    @Test("a right cache has no wrong answer, and its figures add up") func right() throws {
        let (result, answers) = try simulate(ToyCache<Right>.self, plan)
        #expect(answers.count == 0, "\(answers.first)")
        #expect(result.visits == 3_000)
        #expect(result.count(of: .memory) + result.count(of: .fetched) == result.requests)
        #expect(result.count(of: .memory) > 500)
        #expect(result.origin.requests == result.count(of: .fetched) + result.puts)
        #expect(result.origin.bodyBytes == result.count(of: .fetched) * 200)
        #expect(result.answeredBytes == result.requests * 200)
        #expect(result.savedBytes == result.count(of: .memory) * 200)
        #expect(result.outdated > 0)
        // A fetch takes a round trip and 200 bytes at 1.25 MB/s; a hit takes no time.
        let fetched = Double(result.count(of: .fetched)) * (0.05 + 200 / 1_250_000)
        #expect(abs(result.waits.reduce(0, +) - fetched) < 1e-6)
        let all = Double(result.waits.count) * 0.05 + Double(result.answeredBytes) / 1_250_000
        #expect(result.waits.count == result.requests && abs(result.waitWithoutCache - all) < 1e-6)
    }

    @Test("an answer that the cache calls stale is no outdated one") func stale() throws {
        let (result, answers) = try simulate(ToyCache<Stale>.self, plan, rules: nil)
        #expect(answers.count == 0 && result.count(of: .stale) > 500 && result.outdated == 0)
    }

    @Test("answers that share a fetch wait for one body") func sharing() throws {
        var plan = plan
        (plan.operations, plan.duplicates) = (OperationMix(), 1)
        let (result, answers) = try simulate(SharingCache.self, plan)
        #expect(answers.count == 0 && result.requests == 2 * result.visits)
        #expect(result.origin.bodyBytes == result.visits * 200 && result.answeredBytes == result.requests * 200)
        let waits = Double(result.visits) * (0.05 + 200 / 1_250_000)
        #expect(abs(result.waits.reduce(0, +) - waits) < 1e-6)
    }

    @Test("an answer that the origin confirms takes a round trip and no bytes") func revalidated() throws {
        var plan = plan
        plan.operations = OperationMix()
        let (result, answers) = try simulate(ToyCache<Revalidating>.self, plan)
        let (fetched, confirmed) = (result.count(of: .fetched), result.count(of: .revalidated))
        #expect(answers.count == 0 && confirmed > 100 && result.origin.notModified == confirmed)
        #expect(result.origin.bodyBytes == fetched * 200 && result.origin.requests == fetched + confirmed)
        let waits = Double(fetched + confirmed) * 0.05 + Double(fetched) * 200 / 1_250_000
        #expect(abs(result.waits.reduce(0, +) - waits) < 1e-6)
    }

    /// The origin of a class, and the answer to a request for object 3 at so many seconds.
    private func origin(_ headers: HeaderClass) -> (SimulatedOrigin, (Int64, [HeaderField]) -> SimulatedResponse) {
        var plan = plan
        plan.headers = [headers]
        let origin = SimulatedOrigin(Workload(plan, seed: 1), start: Simulation.start)
        let url = origin.url(of: 3)
        return (
            origin,
            { origin.answer(SimulatedRequest(url: url, fields: $1), at: Simulation.start + $0) }
        )
    }

    @Test("an object changes once in its interval, and was last modified when it did, or by a PUT") func changes() {
        let (origin, ask) = origin(HeaderClass(lastModified: 1_000, changesEvery: 50))
        func modified(_ response: SimulatedResponse) -> String? {
            response.fields.first { $0.name == "Last-Modified" }?.value
        }
        var changes: [Int64] = []
        for second in 1..<200 as Range<Int64> {
            let moment = Simulation.start + second
            guard origin.version(of: 3, at: moment) != origin.version(of: 3, at: moment - 1) else { continue }
            changes.append(second)
            #expect(modified(ask(second, [])) == HTTPDateText.at(moment))
        }
        #expect(changes.count >= 3 && zip(changes, changes.dropFirst()).allSatisfy { $1 - $0 == 50 })
        let phases = (0..<20).map { id in
            (0..<50).filter {
                origin.version(of: id, at: Simulation.start + $0) > origin.version(of: id, at: Simulation.start)
            }.count
        }
        #expect(Set(phases).count > 8)
        let url = origin.url(of: 3)
        let last = (changes.last ?? 0) + 7
        _ = origin.answer(SimulatedRequest(method: "PUT", url: url), at: Simulation.start + last)
        #expect(modified(ask(last + 2, [])) == HTTPDateText.at(Simulation.start + last))
    }

    @Test("a validator that the origin does not send confirms nothing") func validators() {
        let (_, untagged) = origin(HeaderClass(maxAge: 1, lastModified: 1_000))
        #expect(untagged(0, [HeaderField("If-None-Match", "\"1-0\"")]).status == 200)
        let (_, undated) = origin(HeaderClass(maxAge: 1, etag: true))
        #expect(undated(0, [HeaderField("If-None-Match", "\"1-0\"")]).status == 304)
        let dates = (-2_000...10).map { HeaderField("If-Modified-Since", HTTPDateText.at(Simulation.start + $0)) }
        #expect(dates.allSatisfy { undated(0, [$0]).status == 200 })
        #expect(dates.count { untagged(0, [$0]).status == 304 } == 1)
    }

    @Test("a second too long, a body changed, and an entry kept past a PUT or a removal are each found")
    func wrong() throws {
        let late = try simulate(ToyCache<TooLong>.self, plan).answers
        #expect(late.first.first?.expected == "the origin asked first, by its header")
        #expect(try simulate(ToyCache<TooLong>.self, plan, rules: nil).answers.count == 0)
        let damaged = try simulate(ToyCache<Damaging>.self, plan).answers
        #expect(damaged.first.first?.got.contains("damaged") == true)
        let kept = try simulate(ToyCache<NoInvalidation>.self, plan).answers
        #expect(kept.first.first?.got.hasPrefix("version") == true, "\(kept.first)")
        let removed = try simulate(ToyCache<NoRemoval>.self, plan).answers
        #expect(removed.first.first?.got.hasPrefix("version") == true, "\(removed.first)")
    }

    @Test("a visit without an answer for each of its requests is wrong, and all of its requests count")
    func missing() throws {
        var plan = plan
        plan.operations = OperationMix()
        plan.keys = .pages(PagePattern(pages: 3, fewest: 5, most: 5))
        plan.revisit = .constant(seconds: 1_000)
        for (type, got) in [(ToyCache<Silent>.self, "0"), (ToyCache<Joining>.self, "1")]
            as [(any SimulatedCache.Type, String)]
        {
            let (result, answers) = try simulate(type, plan)
            #expect(result.requests == 15 && answers.count == 3)
            #expect(answers.first.first?.expected == "5 answers" && answers.first.first?.got == got)
        }
    }

    @Test("a page is asked for at one moment and is one visit; a duplicate is one more request") func visits() throws {
        var plan = plan
        plan.operations = OperationMix()
        plan.keys = .pages(PagePattern(pages: 3, fewest: 5, most: 5))
        plan.revisit = .constant(seconds: 1_000)
        plan.duplicates = 1
        let result = try simulate(ToyCache<Right>.self, plan).result
        #expect(result.visits == 3)
        #expect(result.requests == 30)
        #expect(result.waits.count == 3)
    }

    @Test("the origin answers 304 to its own validators alone, and a PUT makes a new version") func origin() {
        var plan = plan
        plan.headers = [HeaderClass(maxAge: 1, etag: true, lastModified: 1_000)]
        let origin = SimulatedOrigin(Workload(plan, seed: 1), start: Simulation.start)
        let url = origin.url(of: 3)
        let first = origin.answer(SimulatedRequest(url: url), at: Simulation.start)
        func value(_ name: String) -> String { first.fields.first { $0.name == name }?.value ?? "" }
        func status(_ name: String, _ value: String) -> Int {
            origin.answer(SimulatedRequest(url: url, fields: [HeaderField(name, value)]), at: Simulation.start + 5)
                .status
        }
        #expect(first.status == 200 && first.body.count == 200)
        #expect(value("Date") == "Fri, 15 Jan 2027 08:00:00 GMT")
        #expect(status("If-None-Match", value("ETag")) == 304)
        #expect(status("if-modified-since", value("Last-Modified")) == 304)
        #expect(status("If-None-Match", "\"other\"") == 200)
        #expect(origin.version(of: 3, at: Simulation.start) == 1)
        #expect(origin.answer(SimulatedRequest(method: "PUT", url: url), at: Simulation.start + 6).status == 204)
        #expect(origin.version(of: 3, at: Simulation.start + 7) == 2)
        #expect(status("If-None-Match", value("ETag")) == 200)
        #expect(origin.answer(SimulatedRequest(url: "https://nowhere.example/"), at: 0).status == 404)
    }
}
