import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Decision of the gate") struct GateDecisionTests {
    private static func decision(
        _ base: BenchmarkCounts?, _ head: BenchmarkCounts?, _ conditions: GateDecision.Conditions = .init()
    ) -> GateDecision {
        GateDecision(comparisons: [CountComparison("a/b/c", base: base, head: head)], conditions: conditions)
    }

    private static let one = BenchmarkCounts.exact([.allocations: 1])
    private static let two = BenchmarkCounts.exact([.allocations: 2])

    @Test("the exit code is 0, 2 for worse, 4 for better where that fails") func codes() {
        #expect(Self.decision(Self.one, Self.one).exitCode == .ok)
        #expect(Self.decision(Self.one, Self.two).exitCode == .regression)
        #expect(Self.decision(Self.two, Self.one).exitCode == .ok)
        #expect(Self.decision(Self.two, Self.one, .init(failsOnImprovement: true)).exitCode == .improvement)
        #expect(Self.decision(Self.one, Self.two, .init(failsOnImprovement: true)).exitCode == .regression)
        #expect(ExitCode.regression.rawValue == 2)
        #expect(ExitCode.improvement.rawValue == 4)
        #expect(ExitCode.missingBaseline.rawValue == 5)
        #expect(ExitCode.inconclusive.rawValue == 7)
    }

    @Test("what cannot be compared is said, fails where it is strict, and fails with 5 where it is required")
    func incomparable() throws {
        let decision = Self.decision(nil, Self.one)
        #expect(decision.incomparable.count == 1)
        #expect(decision.exitCode == .ok)
        #expect(decision.summary == "1 benchmark, 1 count: 0 worse, 0 better, 0 unstable, 1 not comparable")
        #expect(Self.decision(nil, Self.one, .init(isStrict: true)).exitCode == .inconclusive)
        let required = Self.decision(nil, Self.one, .init(required: [.allocations]))
        #expect(required.exitCode == .missingBaseline)
        #expect(
            required.missing == ["a/b/c: allocations is required and not comparable: the base has no such benchmark"])
    }

    @Test("a required metric without counts is missing, one that does not repeat is not") func missing() {
        let never = Self.decision(Self.one, Self.one, .init(required: [.instructions]))
        #expect(never.exitCode == .missingBaseline)
        #expect(never.missing == ["a/b/c: instructions is required and was not counted"])
        var loose = Self.one
        loose.values["allocations"] = RepeatedCount(1, 2)
        #expect(Self.decision(loose, Self.one, .init(required: [.allocations])).exitCode == .ok)
        #expect(Self.decision(loose, Self.one).exitCode == .ok)
        #expect(Self.decision(loose, Self.one, .init(isStrict: true)).exitCode == .inconclusive)
    }

    @Test("a benchmark that is gone, and one that failed in the base, are not comparable, with the reason")
    func reasons() {
        func title(_ base: BenchmarkCounts?, _ head: BenchmarkCounts?) -> String? {
            CountComparison("a/b/c", base: base, head: head).verdict(on: .allocations)?.title
        }
        #expect(title(Self.one, nil) == "not comparable: the benchmark is gone")
        #expect(title(nil, Self.one) == "not comparable: the base has no such benchmark")
        #expect(title(BenchmarkCounts(failure: "crashed (SIGSEGV)"), Self.one) == "not comparable: crashed (SIGSEGV)")
        #expect(title(BenchmarkCounts(), Self.one) == "not comparable: the base does not count it")
        #expect(title(Self.one, BenchmarkCounts()) == "not comparable: no longer counted")
        var without = Self.one
        without.addNoInstructions(because: "no valgrind")
        let comparison = CountComparison("a/b/c", base: without, head: without)
        #expect(comparison.verdict(on: .instructions) == .notComparable("no valgrind"))
        #expect(comparison.verdict(on: .allocations) == .equivalent)
        #expect(comparison.verdict(on: .systemCalls) == .notComparable("no valgrind"))
        var (base, head) = (Self.one, Self.one)
        base.addNoInstructions(because: "of the base")
        head.addNoInstructions(because: "of this build")
        let both = CountComparison("a/b/c", base: base, head: head)
        #expect(both.verdict(on: .instructions) == .notComparable("of this build"))
        var failed = BenchmarkCounts(failure: "this build crashed")
        failed.values["misses"] = RepeatedCount(1, 1)
        let crashed = CountComparison("a/b/c", base: BenchmarkCounts(failure: "the base crashed"), head: failed)
        #expect(crashed.verdict(on: .misses) == .notComparable("this build crashed"))
    }

    @Test(
        "of the functions the five that changed most are named as the source has them, from a fiftieth of the largest")
    func functions() {
        func functions(_ changes: [Double]) -> [InstructionCount.Function] {
            changes.enumerated().map { .init(name: "$s4main5hello\($0)xyyF", perOperation: $1) }
        }
        let none = functions(Array(repeating: 0, count: 7))
        let all = FunctionChange.changes(from: none, to: functions([1_000, -900, 20, 19, 800, 21, 700]))
        #expect(all.map(\.change) == [1_000, -900, 800, 700, 21])
        let few = FunctionChange.changes(from: none, to: functions([1_000, 20, 19, 0, 0, 0, 0]))
        #expect(few.map(\.change) == [1_000, 20])
        let named = FunctionChange.changes(from: [], to: [.init(name: "$s4main5helloyyF", perOperation: 5)])
        #expect(named == [FunctionChange(name: "main.hello() -> ()", base: 0, head: 5)])
    }

    @Test("a regression names the functions whose instructions changed most, and nothing else does") func causes() {
        let base = BenchmarkCounts.exact([.instructions: 100], functions: ["parse": 60, "hash": 30, "loop": 10])
        let head = BenchmarkCounts.exact(
            [.instructions: 120], functions: ["parse": 79, "hash": 30, "loop": 10.001, "new": 1])
        let causes = CountComparison("a/b/c", base: base, head: head).causes
        #expect(causes.map(\.name) == ["parse", "new"])
        #expect(causes.first == FunctionChange(name: "parse", base: 60, head: 79))
        #expect(CountComparison("a/b/c", base: base, head: base).causes.isEmpty)
        let same = BenchmarkCounts.exact([.instructions: 100], functions: ["parse": 90, "loop": 10])
        #expect(CountComparison("a/b/c", base: base, head: same).causes.isEmpty)
    }

    @Test("names of functions are shown as the source has them") func demangling() {
        #expect(Demangling.name("$s4main5helloyyF") == "main.hello() -> ()")
        #expect(Demangling.name("memcpy") == "memcpy")
        #expect(Demangling.name("$sNonsense") == "$sNonsense")
        #expect(Demangling.name(String(repeating: "x", count: 5_000)).count == Demangling.longest)
    }
}
