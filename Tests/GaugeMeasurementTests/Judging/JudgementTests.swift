import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Judgement of times") struct JudgementTests {
    @Test("what the machine does to all variants of a row of slices cancels") func pairs() throws {
        let slices = (0..<24).map { index in [10.0, 10, 10.2, 10.5].map { $0 * Double(1 + index % 7) } }
        let set = try #require(Contrast(slices))
        #expect(abs(set.change - log(1.05)) < 1e-12)
        #expect(abs((set.layout ?? 9) - log(1.02)) < 1e-12)
        #expect(abs(set.same ?? 9) < 1e-12)
        #expect(Contrast([]) == nil)
    }

    @Test("the base is what both of its processes say") func base() throws {
        let set = try #require(Contrast([[10, 12.1, 11, 11]]))
        #expect(abs(set.change) < 1e-12)
        #expect(abs(set.layout ?? 9) < 1e-12)
        #expect(abs((set.same ?? 9) - log(1.21)) < 1e-12)
    }

    @Test("two arms are compared by the middle half of their pairs, so that a change of the machine is left out")
    func two() throws {
        let speeds = (0..<20).map { Double(1 + $0 % 7) }
        let steady = speeds.map { [10 * $0, 10.1 * $0] }
        let change = try #require(Contrast(steady))
        #expect(abs(change.change - log(1.01)) < 1e-12 && change.same == nil && change.layout == nil)
        let disturbed = steady + [[100, 10.1], [10, 300], [900, 10], [10, 20]]
        #expect(abs(try #require(Contrast(disturbed)).change - log(1.01)) < 1e-12)
        #expect(Contrast([[0, 1], [1, .infinity], [.nan, 1], [-1, 1]]) == nil)
        #expect(abs(try #require(Contrast([[1, 2], [0, 1]])).change - log(2)) < 1e-12)
        #expect(Contrast([[1, 2, 3]]) == nil && Contrast([[1, 2], [1, 2, 3, 4]]) == nil)
    }

    @Test("the probability of a false accusation is divided among looks, benchmarks and their figures")
    func accusations() {
        let times = JudgingRule.gate(delta: 0.01, plan: LookPlan(benchmarks: 4))
        let rules = JudgedFigure.allCases.map { JudgingRule($0, times: times) }
        let all = rules.reduce(0) { $0 + $1.changeTail } * 4 * Double(LookPlan.looks.count)
        #expect(abs(all - LookPlan.falseAccusations) < 1e-12)
        #expect(rules.map(\.delta) == [0.01, 0.1, 0.2, 0.5])
        #expect(rules.allSatisfy { $0.claimsBeyondDelta && $0.leastSets == 8 })
        let comparison = JudgingRule.comparison(delta: 0.005, comparisons: 3)
        let both = JudgedFigure.allCases.reduce(0) { $0 + 2 * JudgingRule($1, times: comparison).changeTail }
        #expect(abs(both * 3 - JudgingRule.comparisonError) < 1e-12)
    }

    private static let plan = LookPlan(benchmarks: 8)
    private static let rule = JudgingRule.gate(delta: 0.01, plan: plan)

    /// Sets whose ratios are spread evenly by plus and minus `spread` around `change`, and for the controls around
    /// `same` and `layout`.
    private static func sets(
        _ count: Int, change: Double = 0, same: Double = 0, layout: Double = 0, spread: Double = 0.004
    ) -> [Contrast] {
        (0..<count).map { index in
            let off = spread * (2 * Double(index) / Double(count - 1) - 1)
            return Contrast(change: change + off, same: same + off, layout: layout + off)
        }
    }

    private static func set(change: Double = 0, same: Double = 0) -> SetRecord {
        SetRecord(change: change, same: same)
    }

    @Test(
        "each verdict is given where its interval lies",
        arguments: [
            (0.0, 0.004, Verdict.equivalent, nil), (0.05, 0.004, .worse, nil),
            (-0.05, 0.004, .better, nil), (0.0105, 0.004, .inconclusive, .straddles),
            (-0.0105, 0.004, .inconclusive, .straddles), (0.02, 0.03, .inconclusive, .noise),
            (0, 0.03, .inconclusive, .noise), (0.2, 0.03, .worse, nil), (-0.2, 0.03, .better, nil),
        ] as [(Double, Double, Verdict, Judgement.Doubt?)])
    func verdicts(change: Double, spread: Double, verdict: Verdict, doubt: Judgement.Doubt?) {
        let judgement = Judgement(Self.sets(18, change: change, spread: spread), Self.rule)
        #expect(judgement.verdict == verdict)
        #expect(judgement.doubt == doubt)
    }

    @Test("a build that takes another time in some processes is not equivalent, unless they hardly move the mean")
    func someProcesses() {
        for rule in [Self.rule, JudgingRule.comparison(delta: 0.01)] {
            for (odd, change) in [(2, 0.5), (4, -0.2), (6, 0.05), (1, 0.05)] {
                // The farthest are trimmed, so that the others decide what is called the change.
                var sets = Self.sets(32, spread: 0.002)
                for index in 0..<odd { sets[5 * index] = Contrast(change: change, same: 0, layout: 0) }
                let judgement = Judgement(sets, rule)
                let mean = sets.reduce(0) { $0 + $1.change } / 32
                #expect(abs((judgement.overall ?? 9) - mean) < 1e-12 && abs(judgement.change?.value ?? 9) < 0.002)
                let isMoved = abs(mean - (judgement.change?.value ?? 9)) > log1p(0.01) / 2
                #expect(judgement.verdict == (isMoved ? .inconclusive : .equivalent), "\(odd), \(change)")
                #expect(judgement.doubt == (isMoved ? .someProcesses : nil) && judgement.isOpen == isMoved)
            }
        }
        var row = ExperimentRow("a/b/c", plan: Self.plan, delta: 0.01)
        try? row.extend(until: .max) { Self.set(change: $0.count % 9 == 4 ? 0.3 : Double($0.count % 2) * 1e-3) }
        let reasons = TimeReport(rows: [row]).reasons
        #expect(reasons.contains { $0.contains("most processes are alike, and the mean of all, with those far") })
    }

    @Test("a difference within the interval of one control is not detected, though the control itself is at none")
    func wideControls() {
        for (same, layout) in [(0.12, 0.004), (0.004, 0.12)] {
            let sets = (0..<18).map { index in
                let off = 2 * Double(index) / 17 - 1
                return Contrast(change: 0.03 + 0.004 * off, same: same * off, layout: layout * off)
            }
            let judgement = Judgement(sets, Self.rule)
            #expect(abs(judgement.same?.value ?? 9) < 1e-12 && judgement.resolution > 0.035)
            #expect((judgement.verdict, judgement.doubt) == (.inconclusive, .noise))
        }
    }

    @Test("controls that differ by more than delta leave nothing to say of what differs by no more") func controls() {
        for change in [0, 0.015, 0.02] {
            let noisy = Judgement(Self.sets(18, change: change, same: 0.02), Self.rule)
            #expect((noisy.verdict, noisy.doubt) == (.inconclusive, .noise))
            #expect(noisy.resolution > 0.02)
        }
        // A difference larger than that of either control is detected.
        #expect(
            Judgement(Self.sets(18, change: 0.05, same: 0.02), Self.rule).verdict == .worse)
        for change in [0, 0.03] {
            let moved = Judgement(Self.sets(18, change: change, layout: 0.03), Self.rule)
            #expect((moved.verdict, moved.doubt) == (.inconclusive, .layout))
            #expect(!moved.isOpen)
        }
        #expect(
            Judgement(Self.sets(18, change: 0.08, layout: 0.03), Self.rule).verdict
                == .worse)
        let quiet = Judgement(Self.sets(18, change: 0.05, layout: 0.005), Self.rule)
        #expect(quiet.verdict == .worse)
    }

    @Test("equivalence and layout are each judged by the interval of their own error, whatever the spread")
    func ownErrors() throws {
        let bound = log1p(0.01)
        var verdicts: Set<Verdict> = []
        var doubts: Set<Judgement.Doubt?> = []
        for step in 1...200 {
            let spread = Double(step) * 1e-4
            let calm = Judgement(Self.sets(18, spread: spread), Self.rule)
            let changes = try #require(TrimmedMean(Self.sets(18, spread: spread).map(\.change)))
            let control = changes.interval(tail: JudgingRule.controlTail).upperBound
            let isEquivalent = control <= bound && changes.interval(tail: Self.rule.equivalenceTail).upperBound <= bound
            #expect((calm.verdict == .equivalent) == isEquivalent, "spread \(spread)")
            verdicts.insert(calm.verdict)

            let moved = Self.sets(18, layout: 0.02, spread: spread)
            let layouts = try #require(TrimmedMean(moved.compactMap(\.layout)))
            let isMoved = layouts.interval(tail: Self.rule.changeTail).lowerBound > bound
            let judgement = Judgement(moved, Self.rule)
            #expect((judgement.doubt == .layout) == isMoved, "spread \(spread)")
            doubts.insert(judgement.doubt)
        }
        #expect(verdicts == [.equivalent, .inconclusive] && doubts == [.layout, .noise])
    }

    @Test("fewer sets than the first look needs say nothing") func fewSets() {
        let judgement = Judgement(Self.sets(7, change: 0.5), Self.rule)
        #expect((judgement.verdict, judgement.doubt) == (.inconclusive, .fewSets))
        #expect(judgement.resolution == .infinity)
        #expect(judgement.isOpen)
    }

    @Test("error is shared among all looks and benchmarks, and looks come in order") func plan() {
        #expect(abs(Self.plan.accusationTail * 8 * Double(LookPlan.looks.count) - 0.05) < 1e-15)
        #expect(LookPlan.looks == LookPlan.looks.sorted())
        #expect(LookPlan.next(after: 0) == LookPlan.least)
        #expect(LookPlan.next(after: 8) == 12)
        #expect(LookPlan.next(after: 90) == nil)
    }

    @Test("the shortest batch is judged where batches are timed, and all recorded time where operations are")
    func metric() {
        var batched = SliceReply()
        (batched.operations, batched.batchOperations, batched.batches) = (200, 50, [1_200, 1_000, 90_000, 1_100])
        #expect(batched.time == 20)
        var timed = SliceReply()
        timed.operations = 100
        var histogram = Histogram()
        for _ in 0..<30 { histogram.add(nanoseconds: 100) }
        timed.histograms = [.store: histogram, .storeEvict: histogram]
        #expect(timed.time == 60)
    }

    @Test("what stands in the way of a verdict is told with a remedy") func report() throws {
        var row = ExperimentRow("a/b/c", plan: Self.plan, delta: 0.01)
        try row.extend(until: .max) { before in
            let set = before.count
            return Self.set(change: set.isMultiple(of: 2) ? 0.1 : -0.1, same: set.isMultiple(of: 3) ? 0.1 : -0.1)
        }
        #expect(row.sets.count == LookPlan.least)
        let report = TimeReport(rows: [row])
        #expect(report.reasons.count == 1)
        #expect(report.reasons[0].hasPrefix("a/b/c: inconclusive: equal builds may differ by up to "))
        #expect(report.text().contains("inconclusive"))
        #expect(report.markdown.hasPrefix("| time | verdict |"))
    }

    @Test("a failure is told instead of a verdict") func failures() throws {
        var row = ExperimentRow("a/b/c", plan: Self.plan, delta: 0.01)
        try row.extend(until: .max) { before in Self.set(change: 0.03 + Double(before.count) * 1e-4) }
        #expect(row.judgement.time.verdict == .worse)
        var broken = ExperimentRow("a/b/c", plan: Self.plan, delta: 0.01)
        try broken.extend(until: .max) { _ in throw GaugeError("the base crashed (SIGSEGV)") }
        #expect(broken.failure == "the base crashed (SIGSEGV)")
        #expect(!broken.isOpen)
        #expect(TimeReport(rows: [broken]).reasons == ["a/b/c: the base crashed (SIGSEGV)"])
    }

    @Test("no set is begun when the time is over") func deadline() throws {
        var row = ExperimentRow("a/b/c", plan: Self.plan, delta: 0.01)
        try row.extend(until: 0) { _ in Self.set() }
        #expect(row.sets.isEmpty)
        #expect(row.judgement.time.doubt == .fewSets)
    }
}
