import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeStatistics
@testable import GaugeSupport
@testable import GaugeVerdicts

@Suite("Judgement of times")
struct TimeJudgementTests {
    @Test("what the machine does to all variants of a row of slices cancels")
    func pairs() throws {
        let slices = (0..<24).map { index in [10.0, 10, 10.2, 10.5].map { $0 * Double(1 + index % 7) } }
        let set = try #require(Replicate(slices: slices))
        #expect(abs(set.change - log(1.05)) < 1e-12)
        #expect(abs(set.layout - log(1.02)) < 1e-12)
        #expect(abs(set.same) < 1e-12)
        #expect(Replicate(slices: []) == nil)
    }

    @Test("the base is what both of its processes say")
    func base() throws {
        let set = try #require(Replicate(slices: [[10, 12.1, 11, 11]]))
        #expect(abs(set.change) < 1e-12)
        #expect(abs(set.layout) < 1e-12)
        #expect(abs(set.same - log(1.21)) < 1e-12)
    }

    @Test("the probability of a false accusation is divided among looks, benchmarks and their figures")
    func accusations() {
        let tail = LookPlan(benchmarks: 4, figures: 2).accusationTail
        #expect(abs(tail * Double(4 * 2 * LookPlan.looks.count) - 0.05) < 1e-12)
    }

    private static let plan = LookPlan(benchmarks: 8)

    /// Sets whose ratios are spread evenly by plus and minus `spread` around `change`, and for the controls around
    /// `same` and `layout`.
    private static func sets(
        _ count: Int, change: Double = 0, same: Double = 0, layout: Double = 0, spread: Double = 0.004
    ) -> [Replicate] {
        (0..<count).map { index in
            let off = spread * (2 * Double(index) / Double(count - 1) - 1)
            return Replicate(change: change + off, same: same + off, layout: layout + off)
        }
    }

    private static func set(change: Double = 0, same: Double = 0) -> TimedSet {
        TimedSet(mean: Replicate(change: change, same: same, layout: 0), tail: .unknown(reason: "too few operations"))
    }

    @Test(
        "each verdict is given where its interval lies",
        arguments: [
            (0.0, 0.004, TimeJudgement.Verdict.equivalent, nil), (0.05, 0.004, .regressed, nil),
            (-0.05, 0.004, .improved, nil), (0.0105, 0.004, .inconclusive, .straddles),
            (-0.0105, 0.004, .inconclusive, .straddles), (0.02, 0.03, .inconclusive, .noise),
            (0, 0.03, .inconclusive, .noise), (0.2, 0.03, .regressed, nil), (-0.2, 0.03, .improved, nil),
        ] as [(Double, Double, TimeJudgement.Verdict, TimeJudgement.Doubt?)])
    func verdicts(change: Double, spread: Double, verdict: TimeJudgement.Verdict, doubt: TimeJudgement.Doubt?) {
        let judgement = TimeJudgement(
            Self.sets(18, change: change, spread: spread), delta: 0.01, plan: Self.plan)
        #expect(judgement.verdict == verdict)
        #expect(judgement.doubt == doubt)
    }

    @Test("controls that differ by more than delta leave nothing to say of what differs by no more")
    func controls() {
        for change in [0, 0.015, 0.02] {
            let noisy = TimeJudgement(Self.sets(18, change: change, same: 0.02), delta: 0.01, plan: Self.plan)
            #expect((noisy.verdict, noisy.doubt) == (.inconclusive, .noise))
            #expect(noisy.resolution > 0.02)
        }
        // A difference larger than that of either control is detected.
        #expect(
            TimeJudgement(Self.sets(18, change: 0.05, same: 0.02), delta: 0.01, plan: Self.plan).verdict == .regressed)
        for change in [0, 0.03] {
            let moved = TimeJudgement(Self.sets(18, change: change, layout: 0.03), delta: 0.01, plan: Self.plan)
            #expect((moved.verdict, moved.doubt) == (.inconclusive, .layout))
            #expect(!moved.isOpen)
        }
        #expect(
            TimeJudgement(Self.sets(18, change: 0.08, layout: 0.03), delta: 0.01, plan: Self.plan).verdict
                == .regressed)
        let quiet = TimeJudgement(Self.sets(18, change: 0.05, layout: 0.005), delta: 0.01, plan: Self.plan)
        #expect(quiet.verdict == .regressed)
    }

    @Test("equivalence and layout are each judged by the interval of their own error, whatever the spread")
    func ownErrors() throws {
        let bound = log1p(0.01)
        var verdicts: Set<TimeJudgement.Verdict> = []
        var doubts: Set<TimeJudgement.Doubt?> = []
        for step in 1...200 {
            let spread = Double(step) * 1e-4
            let calm = TimeJudgement(Self.sets(18, spread: spread), delta: 0.01, plan: Self.plan)
            let changes = try #require(TrimmedMean(Self.sets(18, spread: spread).map(\.change)))
            let control = changes.interval(tail: LookPlan.controlTail).upperBound
            let isEquivalent = control <= bound && changes.interval(tail: Self.plan.equivalenceTail).upperBound <= bound
            #expect((calm.verdict == .equivalent) == isEquivalent, "spread \(spread)")
            verdicts.insert(calm.verdict)

            let moved = Self.sets(18, layout: 0.02, spread: spread)
            let layouts = try #require(TrimmedMean(moved.map(\.layout)))
            let isMoved = layouts.interval(tail: Self.plan.accusationTail).lowerBound > bound
            let judgement = TimeJudgement(moved, delta: 0.01, plan: Self.plan)
            #expect((judgement.doubt == .layout) == isMoved, "spread \(spread)")
            doubts.insert(judgement.doubt)
        }
        #expect(verdicts == [.equivalent, .inconclusive] && doubts == [.layout, .noise])
    }

    @Test("fewer sets than the first look needs say nothing")
    func fewSets() {
        let judgement = TimeJudgement(Self.sets(7, change: 0.5), delta: 0.01, plan: Self.plan)
        #expect((judgement.verdict, judgement.doubt) == (.inconclusive, .fewSets))
        #expect(judgement.resolution == .infinity)
        #expect(judgement.isOpen)
    }

    @Test("error is shared among all looks and benchmarks, and looks come in order")
    func plan() {
        #expect(abs(Self.plan.accusationTail * 8 * Double(LookPlan.looks.count) - 0.05) < 1e-15)
        #expect(LookPlan.looks == LookPlan.looks.sorted())
        #expect(LookPlan.next(after: 0) == LookPlan.least)
        #expect(LookPlan.next(after: 8) == 12)
        #expect(LookPlan.next(after: 90) == nil)
    }

    @Test("the shortest batch is judged where batches are timed, and all recorded time where operations are")
    func metric() {
        var batched = SliceReport()
        (batched.operations, batched.batchOperations, batched.batches) = (200, 50, [1_200, 1_000, 90_000, 1_100])
        #expect(VariantWorker.time(of: batched) == 20)
        var timed = SliceReport()
        timed.operations = 100
        var histogram = Histogram()
        for _ in 0..<30 { histogram.add(nanoseconds: 100) }
        timed.histograms = [.store: histogram, .storeEvict: histogram]
        #expect(VariantWorker.time(of: timed) == 60)
    }

    @Test("what stands in the way of a verdict is told with a remedy")
    func report() throws {
        var row = TimeRow("a/b/c", plan: Self.plan, delta: 0.01)
        try row.extend(until: .max) { set, _ in
            Self.set(change: set.isMultiple(of: 2) ? 0.1 : -0.1, same: set.isMultiple(of: 3) ? 0.1 : -0.1)
        }
        #expect(row.replicates.count == LookPlan.least)
        let report = TimeReport(rows: [row], delta: 0.01)
        #expect(report.reasons.count == 1)
        #expect(report.reasons[0].hasPrefix("a/b/c: inconclusive: equal builds may differ by up to "))
        #expect(report.text.contains("inconclusive"))
        #expect(report.markdown.hasPrefix("| time | verdict |"))
    }

    @Test("a benchmark with threads is measured on all processors, and a failure is told instead of a verdict")
    func failures() throws {
        var row = TimeRow("a/b/c", plan: Self.plan, delta: 0.01)
        try row.extend(until: .max) { set, isBound in
            if isBound { throw NeedsAllProcessors() }
            return Self.set(change: 0.03 + Double(set) * 1e-4)
        }
        #expect(row.judgement.verdict == .regressed)
        var broken = TimeRow("a/b/c", plan: Self.plan, delta: 0.01)
        try broken.extend(until: .max) { _, _ in throw GaugeError("the base crashed (SIGSEGV)") }
        #expect(broken.failure == "the base crashed (SIGSEGV)")
        #expect(!broken.isOpen)
        #expect(TimeReport(rows: [broken], delta: 0.01).reasons == ["a/b/c: the base crashed (SIGSEGV)"])
    }

    @Test("no set is begun when the time is over")
    func deadline() throws {
        var row = TimeRow("a/b/c", plan: Self.plan, delta: 0.01)
        try row.extend(until: 0) { _, _ in Self.set() }
        #expect(row.replicates.isEmpty)
        #expect(row.judgement.doubt == .fewSets)
    }
}
