import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Judge of a simulation") struct SimulationJudgeTests {
    /// The same rule for every response.
    private struct Rule: ReuseRules {
        var maySave = true
        var allowed = AllowedUse.fresh
        func mayStore(_ response: ReceivedResponse, for request: SimulatedRequest) -> Bool { maySave }
        func use(of response: ReceivedResponse, for request: SimulatedRequest, at moment: Int64) -> AllowedUse {
            allowed
        }
    }

    private struct Refused: Error, CustomStringConvertible { let description = "no route" }

    private static let workload = workload(bodies: 200)

    private static func workload(bodies byteCount: Int) -> Workload {
        var plan = WorkloadPlan()
        plan.objects = 20
        plan.sizes = .constant(byteCount)
        plan.headers = [HeaderClass(maxAge: 60, changesEvery: 300)]
        return Workload(plan, seed: 1)
    }
    private static let key = SimulatedOrigin.key(of: 5, variant: 0)

    private static func body(_ key: UInt64 = key, version: UInt64, count: Int = 200) -> [UInt8] {
        Array(PayloadBuffer(capacity: count).body(key: key, version: version, count: count))
    }

    /// What a judge says of an answer to a request for object 5, whose first version was fetched before; `later` is
    /// when the origin has the second.
    private func judged(
        _ source: SimulatedAnswer.Source, rules: (any ReuseRules)? = Rule(), version: UInt64 = 1, later: Bool = false,
        isFetched: Bool = true, bodies byteCount: Int = 200, _ change: (inout SimulatedResponse) -> Void = { _ in }
    ) -> (verdict: SimulationJudge.Verdict?, wrong: [String]) {
        let workload = byteCount == 200 ? Self.workload : Self.workload(bodies: byteCount)
        let origin = SimulatedOrigin(workload, start: Simulation.start)
        let answers = Answers()
        var judge = SimulationJudge(workload: workload, origin: origin, rules: rules, answers: answers)
        let request = SimulatedRequest(url: origin.url(of: 5))
        if isFetched { _ = judge.observing { origin.answer(request, at: Simulation.start) } }
        var response = SimulatedResponse(status: 200, body: Self.body(version: version, count: byteCount))
        change(&response)
        let moment = Simulation.start + (later ? 300 : 0)
        let verdict = judge.judge(5, request, .success(SimulatedAnswer(response, source: source)), at: moment)
        #expect(answers.first.allSatisfy { $0.key == request.url })
        return (verdict, answers.first.flatMap { [$0.expected, $0.got] })
    }

    @Test("a wrong answer is told with what it should have been") func wrong() {
        let cases: [(found: (verdict: SimulationJudge.Verdict?, wrong: [String]), wrong: [String])] = [
            (judged(.fetched) { $0.status = 500 }, ["status 200", "status 500"]),
            (
                judged(.memory) { $0.body = Self.body(version: 1, count: 199) },
                ["a body of its own", "199 bytes, not 200"]
            ),
            (
                judged(.memory) { $0.body = Self.body(7, version: 2) },
                ["a body of its own", "an intact body of another key: key 7 version 2"]
            ),
            (
                judged(.memory) { $0.body[150] ^= 1 },
                ["a body of its own", "damaged bytes: not what their header says"]
            ),
            (judged(.memory, version: 7), ["version 1", "version 7"]),
            // Nothing was fetched, so that no version is possible but that of the origin.
            (judged(.memory, isFetched: false), ["version 1", "version 1"]),
            (judged(.memory, later: true, isFetched: false), ["version 2", "version 1"]),
            (judged(.fetched, later: true), ["version 2, which the origin has", "version 1 as fetched"]),
            (judged(.bypass, later: true), ["version 2, which the origin has", "version 1 as bypass"]),
            (judged(.revalidated, later: true), ["version 2, which the origin has", "version 1 as revalidated"]),
            (judged(.memory, rules: Rule(maySave: false)), ["nothing stored, by its header", "version 1 as memory"]),
            (
                judged(.stale, rules: Rule(allowed: .no)),
                ["the origin asked first, by its header", "version 1 as stale"]
            ),
            (judged(.disk, rules: Rule(allowed: .stale)), ["a stale answer to be called stale", "version 1 as disk"]),
        ]
        for (found, wrong) in cases { #expect(found.verdict == nil && found.wrong == wrong) }
    }

    @Test("a right answer has its source and its bytes, and is outdated where only the origin has changed")
    func right() throws {
        for (source, allowed, later, isOutdated) in [
            (.memory, .fresh, false, false), (.memory, .fresh, true, true), (.disk, .fresh, true, true),
            (.stale, .stale, true, false), (.stale, .fresh, false, false), (.fetched, .no, false, false),
            (.revalidated, .no, false, false), (.bypass, .no, false, false),
        ] as [(SimulatedAnswer.Source, AllowedUse, Bool, Bool)] {
            let found = judged(source, rules: Rule(allowed: allowed), later: later)
            let verdict = try #require(found.verdict)
            #expect(verdict.source == source && verdict.bytes == 200 && verdict.isOutdated == isOutdated)
            #expect(found.wrong == [])
        }
        // Without rules nothing but the version matters.
        #expect(judged(.memory, rules: nil).wrong == [] && judged(.disk, rules: nil, later: true).verdict != nil)
    }

    @Test("a body too short to state its version is one of those that were fetched") func shortBody() {
        let found = judged(.memory, later: true, bodies: 6)
        #expect(found.verdict?.isOutdated == true && found.wrong == [])
        #expect(judged(.memory, version: 9, bodies: 6).verdict == nil)
    }

    @Test("an error is no answer, and a stored response that was removed is not used any more") func removal() {
        let origin = SimulatedOrigin(Self.workload, start: Simulation.start)
        let answers = Answers()
        var judge = SimulationJudge(workload: Self.workload, origin: origin, rules: nil, answers: answers)
        let request = SimulatedRequest(url: origin.url(of: 5))
        #expect(judge.judge(5, request, .failure(Refused()), at: Simulation.start) == nil)
        #expect(answers.first.map(\.got) == ["the error: no route"] && answers.first[0].expected == "an answer")
        let fetched = judge.observing { origin.answer(request, at: Simulation.start) }
        judge.noteRemoval(of: 5)
        _ = judge.observing {}
        let kept = SimulatedAnswer(fetched, source: .memory)
        #expect(judge.judge(5, request, .success(kept), at: Simulation.start) == nil)
        #expect(answers.first.last?.got == "version 1" && answers.count == 2)
    }

    @Test("the variant is the number at the end of a field, and 0 without one") func variants() {
        for (value, variant) in [("variant-12", 12), ("7", 7), ("none", 0), ("", 0), (nil, 0), ("1x", 0)]
            as [(String?, UInt64)]
        {
            #expect(SimulatedOrigin.variant(value) == variant)
        }
    }

    @Test("a simulation stops before the visit at which it is told to") func stopped() throws {
        final class Nothing: SimulatedCache {
            static let name = "nothing"
            let origin: SimulatedOrigin
            init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) { self.origin = origin }
            func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>] {
                requests.map { .success(SimulatedAnswer(origin.answer($0, at: moment), source: .fetched)) }
            }
            func remove(_ url: String, at moment: Int64) {}
        }
        var plan = Self.workload.plan
        plan.revisit = .constant(seconds: 1)
        var simulation = try Simulation(
            Nothing.self, Workload(plan, seed: 1),
            configuration: SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "/"),
            network: Simulation.Network(), rules: nil, answers: Answers())
        var asked = 0
        let result = simulation.run(seconds: 100) {
            asked += 1
            return asked > 4
        }
        #expect(result.isStopped && result.visits == 4 && result.requests == 4)
        #expect(result.origin.requests == 4 && result.waits.count == 4)
    }
}
