import GaugeSupport
import Testing

@testable import GaugeMeasurement

@Suite("Schedule of a run") struct RunScheduleTests {
    private func cases(_ benchmarks: [Int], headline: Int? = nil) -> [BenchmarkCase] {
        benchmarks.enumerated().map { number, count in
            let suites: Set<String> = number == headline ? [BenchmarkCase.headline] : []
            return BenchmarkCase(
                name: "a/\(number)",
                benchmarks: (0..<count).map { subject in
                    Benchmark(BenchmarkName("a", "\(number)", "\(subject)"), isPeer: subject > 0, suites: suites) { _ in
                        PreparedBenchmark(.batched { _ in })
                    }
                })
        }
    }

    /// Measures until the end, each set of a case taking its seconds; returns the cases in the order of their sets.
    private func run(_ schedule: inout RunSchedule, seconds: [Double], finishing: [Int: Int] = [:]) -> [Int] {
        var order: [Int] = []
        var now = 0.0
        while let next = schedule.next(now: UInt64(now * 1e9)) {
            order.append(next)
            now += seconds[next]
            let sets = order.count { $0 == next }
            schedule.measured(next, seconds: seconds[next], isFinished: sets == finishing[next])
        }
        return order
    }

    @Test("every case has a set before any has two, and the headline comes first") func everyCaseHasASetBeforeAny() {
        var schedule = RunSchedule(cases: cases([2, 2, 2], headline: 2), plan: RunPlan(seconds: 10), now: 0)
        #expect(run(&schedule, seconds: [1, 1, 1]).prefix(3) == [2, 0, 1])
    }

    @Test("the first sets are measured when the time is over, and no more") func theFirstSetsAreMeasuredWhenThe() {
        var schedule = RunSchedule(cases: cases([2, 2, 2]), plan: RunPlan(seconds: 1), now: 0)
        #expect(run(&schedule, seconds: [5, 5, 5]) == [0, 1, 2])
    }

    @Test("one case uses all of the time") func oneCaseUsesAllOfTheTime() {
        var schedule = RunSchedule(cases: cases([2]), plan: RunPlan(seconds: 60), now: 0)
        #expect(run(&schedule, seconds: [0.5]).count == 120)
    }

    @Test("sets of a case are spread over the whole run, and a cheap case has more of them")
    func setsOfACaseAreSpreadOver() throws {
        var schedule = RunSchedule(cases: cases([2, 2]), plan: RunPlan(seconds: 60), now: 0)
        let order = run(&schedule, seconds: [0.2, 3.2])
        let (cheap, dear) = (order.count { $0 == 0 }, order.count { $0 == 1 })
        #expect(cheap > dear * 3 && dear >= 8, "\(cheap) and \(dear)")
        #expect(try #require(order.lastIndex(of: 1)) > order.count * 3 / 4)
    }

    @Test("a headline, a case without a figure yet, and a control get more sets than another") func whoGetsMore() {
        var cases = cases([2, 2, 2, 2], headline: 0)
        cases[3].isControl = true
        var schedule = RunSchedule(cases: cases, plan: RunPlan(seconds: 60), now: 0)
        var sets = [0, 0, 0, 0]
        var now = 0.0
        while let next = schedule.next(now: UInt64(now * 1e9)) {
            sets[next] += 1
            now += 0.5
            schedule.measured(next, seconds: 0.5, isFinished: false, lacksFullSpeed: next == 1)
        }
        #expect([0, 1, 3].allSatisfy { sets[$0] > sets[2] * 3 / 2 }, "\(sets)")
    }

    @Test("a case whose slices scatter four times as much as usual gets twice as many sets") func scatter() {
        var schedule = RunSchedule(cases: cases([2, 2]), plan: RunPlan(seconds: 60), now: 0)
        var sets = [0, 0]
        while let next = schedule.next(now: UInt64(sets.reduce(0, +)) * 500_000_000) {
            sets[next] += 1
            let scatter = next == 0 ? 0 : 4 * RunSchedule.leastScatter
            schedule.measured(next, seconds: 0.5, isFinished: false, scatter: scatter)
        }
        #expect(sets[1] > sets[0] * 3 / 2 && sets[1] < sets[0] * 5 / 2, "\(sets)")
    }

    @Test("the time of a slow peer takes no sets from its case, and no set begins that would not end in time")
    func slowPeer() {
        var schedule = RunSchedule(cases: cases([2, 2]), plan: RunPlan(seconds: 40), now: 0)
        var (sets, now) = ([0, 0], 0.0)
        while let next = schedule.next(now: UInt64(now * 1e9)) {
            sets[next] += 1
            now += next == 0 ? 3 : 1
            schedule.measured(next, seconds: 1, next: next == 0 ? 3 : 1, isFinished: false)
        }
        #expect(sets == [10, 10] && now == 40)
    }

    @Test("what a finished case leaves goes to the others") func whatAFinishedCaseLeavesGoesTo() {
        var alone = RunSchedule(cases: cases([2, 2]), plan: RunPlan(seconds: 20), now: 0)
        #expect(run(&alone, seconds: [1, 1]).count { $0 == 1 } == 10)
        var shared = RunSchedule(cases: cases([2, 2]), plan: RunPlan(seconds: 20), now: 0)
        #expect(run(&shared, seconds: [1, 1], finishing: [0: 5]).count { $0 == 1 } == 15)
    }

    @Test("the number of sets can be given") func theNumberOfSetsCanBeGiven() {
        var schedule = RunSchedule(cases: cases([2, 3]), plan: RunPlan(seconds: 1_000, sets: 4), now: 0)
        #expect(run(&schedule, seconds: [1, 1]).count == 8)
    }

    @Test("a peer may take half of what is left to get ready, unless it belongs to the headline")
    func aPeerMayTakeHalfOfWhat() {
        let schedule = RunSchedule(cases: cases([2, 2], headline: 1), plan: RunPlan(seconds: 60), now: 0)
        #expect(schedule.peerTimeOut(of: 0, now: 30_000_000_000) == 15)
        #expect(schedule.peerTimeOut(of: 0, now: 59_000_000_000) == RunSchedule.leastTimeOut)
        #expect(schedule.peerTimeOut(of: 0, now: 60_000_000_000) == 0)
        #expect(schedule.peerTimeOut(of: 1, now: 60_000_000_000) == .infinity)
    }

    @Test(
        "a set measures about half as long as it prepared, within bounds",
        arguments: [(0.02, 2, 6), (0.5, 2, 31), (10, 2, 48), (0.5, 0, 48)])
    func aSetMeasuresAboutHalfAsLong(seconds: Double, benchmarks: Int, slices: Int) {
        #expect(SetPlan.run(preparing: seconds, arms: benchmarks).length == .shares(slices))
    }

    /// A case as the definition sees it.
    private struct Measured {
        var benchmarks: Int
        var seconds: [Double] = []
        var isFinished = false
        var isHurried = false
        var cost: Double {
            seconds.reduce(0, +) / Double(benchmarks) * Double(seconds.count) * (isHurried ? 0.25 : 1)
        }
    }

    @Test(
        "the next case has the least product of time and sets, first among those with few sets, and its last set would end in time"
    ) func definition() {
        var random = Xoshiro256(seed: 31)
        for _ in 0..<200 {
            var expected = (0..<1 + random.next(below: 4)).map { _ in
                Measured(benchmarks: 1 + Int(random.next(below: 5)))
            }
            var schedule = RunSchedule(
                cases: cases(expected.map(\.benchmarks)), plan: RunPlan(seconds: 64, sets: 12), now: 0)
            var now = 0.0
            while true {
                let open = expected.indices.filter {
                    !expected[$0].isFinished && expected[$0].seconds.count < 12
                        && (expected[$0].seconds.last ?? 0) <= max(0, 64 - now)
                }
                let few = open.filter { expected[$0].seconds.count < RunPlan.leastSets }
                let next =
                    expected.indices.first { expected[$0].seconds.isEmpty }
                    ?? (few.isEmpty ? open : few).min { expected[$0].cost < expected[$1].cost }
                #expect(schedule.next(now: UInt64(now * 1e9)) == next)
                guard let next else { break }
                // Parts of a second that are exact.
                let seconds = Double(1 + random.next(below: 64)) / 16
                let (isFinished, isHurried) = (random.next(below: 20) == 0, random.next(below: 3) == 0)
                now += seconds
                expected[next].seconds.append(seconds)
                (expected[next].isFinished, expected[next].isHurried) = (isFinished, isHurried)
                schedule.measured(next, seconds: seconds, isFinished: isFinished, lacksFullSpeed: isHurried)
                #expect(schedule.sets(of: next) == expected[next].seconds.count)
            }
        }
    }

    @Test("a worker has three times the time-out to prepare, and a peer no more than is left for it") func preparing() {
        for (isPeer, left, seconds) in [(false, 5, 30), (true, 5, 5), (true, 100, 30), (true, 0, 0)]
            as [(Bool, Double, Double)]
        {
            #expect(SuiteRun.preparingTimeOut(10, isPeer: isPeer, peerTimeOut: left) == seconds)
        }
    }

    private func row(spread: Double, ratio: ClosedRange<Double>?, sets: Int = 5) -> ResultRow {
        var row = ResultRow(name: BenchmarkName("a", "b", "c"), isPeer: true)
        (row.ratio, row.ratioInterval) = (10, ratio)
        row.sets = (0..<sets).map { SetTimes(undisturbed: 100 + Double($0 % 2) * spread, slices: [100]) }
        return row
    }

    @Test("a row is precise enough when both of its intervals are, over five sets") func aRowIsPreciseEnoughWhenBoth() {
        let plan = RunPlan(precision: 0.01)
        #expect(plan.isPrecise([row(spread: 0.5, ratio: 9.95...10.05)]))
        #expect(plan.isPrecise([row(spread: 0.5, ratio: nil)]))
        #expect(!plan.isPrecise([row(spread: 0.5, ratio: 9.8...10.05)]))
        #expect(!plan.isPrecise([row(spread: 5, ratio: 9.95...10.05)]))
        #expect(!plan.isPrecise([row(spread: 0.5, ratio: nil, sets: 4)]))
        #expect(!RunPlan().isPrecise([row(spread: 0, ratio: nil)]))
    }
}
