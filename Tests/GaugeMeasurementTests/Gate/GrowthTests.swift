import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Growth in the gate of counts") struct GrowthTests {
    private static func listed(_ names: [(String, Int?)]) -> [ListedBenchmark] {
        names.map { ListedBenchmark(name: $0, entries: $1) }
    }

    private static let series = GrowthSeries(
        name: "memory/hit/*/mine",
        members: [1_000, 10_000, 100_000].map {
            GrowthSeries.Member(benchmark: "memory/hit/\($0 / 1_000)k/mine", entries: $0)
        })

    private static func growth(_ costs: [Double], scanning: Double = 0) -> Growth? {
        let counts = zip(series.members, costs).map { member, cost in
            (
                member.benchmark,
                InstructionCount(
                    perOperation: cost, operations: 512,
                    functions: [.init(name: "scan", perOperation: scanning), .init(name: "find", perOperation: 300)])
            )
        }
        return Growth(of: series, counts: Dictionary(uniqueKeysWithValues: counts))
    }

    @Test("benchmarks whose names differ only in the number of entries are a series, by increasing number")
    func names() {
        let listed = Self.listed([
            ("memory/hit/100k/mine", 100_000), ("memory/hit/1k/mine", 1_000), ("memory/miss/mine", 1_000),
            ("memory/miss/10k/mine", 10_000), ("memory/hit/10k/mine", 10_000), ("memory/miss/100k/mine", 100_000),
            ("memory/store/1k/mine", 1_000), ("memory/store/10k/mine", 10_000), ("memory/store/10000/mine", 10_000),
            ("disk/hit/4k/mine", nil),
        ])
        let all = GrowthSeries.all(in: listed)
        #expect(all.map(\.name) == ["memory/hit/*/mine", "memory/miss/*/mine"])
        #expect(all.first?.members.map(\.entries) == [1_000, 10_000, 100_000])
        #expect(all.last?.members.first?.benchmark == "memory/miss/mine")
    }

    @Test("the star stands for the number, or before the last part, or at the beginning") func stars() {
        for (names, series) in [
            (["a/1000/b/c", "a/10k/b/c", "a/100k/b/c"], "a/*/b/c"), (["1k", "10k", "100k"], "*"),
            (["a/b/c", "a/b/c", "a/b/c"], "a/b/*/c"), (["a/c", "a/c", "a/c"], "a/*/c"), (["c", "c", "c"], "*/c"),
            (["", "", ""], "*"),
        ] {
            let listed = Self.listed(Array(zip(names, [1_000, 10_000, 100_000])))
            #expect(GrowthSeries.all(in: listed).map(\.name) == [series], "\(names)")
        }
    }

    @Test("a change from O(1) to O(n) is a regression, which names the function and the costs") func grew() throws {
        let comparison = CountComparison(
            Self.series, base: Self.growth([310, 312, 320]), head: Self.growth([330, 480, 1_990], scanning: 1_670))
        #expect(comparison.verdict(on: .growth) == .worse)
        #expect(comparison.causes.first?.name == "scan")
        let text = GateTable().text([comparison])
        #expect(text.contains("memory/hit/*/mine  growth  O(1)     O(n)          WORSE"), "\(text)")
        let note = "instructions at 1000, 10000, 100000 entries: 310, 312, 320 → 330, 480, 1990"
        #expect(text.contains(note), "\(text)")
        #expect(GateDecision(comparisons: [comparison]).exitCode == .regression)
    }

    @Test("the way back is an improvement, and the same growth is none") func shrank() {
        let (slow, quick) = (Self.growth([330, 480, 1_990]), Self.growth([310, 312, 320]))
        #expect(CountComparison(Self.series, base: slow, head: quick).verdict(on: .growth) == .better)
        #expect(CountComparison(Self.series, base: slow, head: slow).verdict(on: .growth) == .equivalent)
    }

    @Test("the causes are the functions at the largest number of entries") func causes() throws {
        func growth(_ scan: [Double]) -> Growth? {
            let counts = zip(Self.series.members, scan).map { member, cost in
                (
                    member.benchmark,
                    InstructionCount(
                        perOperation: 300 + cost, operations: 512,
                        functions: [
                            .init(name: "scan", perOperation: cost),
                            .init(name: "find \(member.entries)", perOperation: 300),
                        ])
                )
            }
            return Growth(of: Self.series, counts: Dictionary(uniqueKeysWithValues: counts))
        }
        #expect(growth([0, 160, 1_670])?.functions.map(\.name) == ["scan", "find 100000"])
        let causes = CountComparison(Self.series, base: growth([0, 2, 10]), head: growth([0, 160, 1_670])).causes
        #expect(causes.first == FunctionChange(name: "scan", base: 10, head: 1_670))
    }

    @Test("a cost beside the border of two orders is not accused of crossing it") func border() {
        let (below, above) = (Self.growth([300, 335, 374]), Self.growth([300, 336, 376]))
        #expect(below?.order == .constant && above?.order == .logarithmic)
        #expect(CountComparison(Self.series, base: below, head: above).verdict(on: .growth) == .equivalent)
        #expect(CountComparison(Self.series, base: above, head: below).verdict(on: .growth) == .equivalent)
    }

    @Test("a size that was not counted makes the growth not comparable, and is no requirement of other counts")
    func missing() {
        let comparison = CountComparison(Self.series, base: nil, head: Self.growth([310, 312, 320]))
        #expect(comparison.verdict(on: .growth) == .notComparable("the base does not count all sizes"))
        let lost = CountComparison(Self.series, base: Self.growth([310, 312, 320]), head: nil)
        #expect(lost.verdict(on: .growth) == .notComparable("not all sizes were counted"))
        #expect(Self.growth([310, 312]) == nil)
        let decision = GateDecision(comparisons: [comparison], conditions: .init(required: [.instructions]))
        #expect(decision.missing == [])
        #expect(GateDecision(comparisons: [comparison], conditions: .init(required: [.growth])).missing.count == 1)
        let counts = CountComparison("a/b/c", base: nil, head: nil)
        let unjudged = GateDecision(comparisons: [counts], conditions: .init(required: [.growth]))
        #expect(unjudged.missing == ["growth is required and was not judged"] && unjudged.exitCode == .missingBaseline)
    }

    @Test("a series is of the sizes in either build, and compared by those in both where they are three")
    func sizes() throws {
        func listed(_ thousands: Int...) -> [ListedBenchmark] {
            Self.listed(thousands.map { ("memory/hit/\($0)k/mine", $0 * 1_000) })
        }
        let (three, four) = (listed(1, 10, 100), listed(1, 10, 50, 100))
        for (base, head) in [(three, four), (four, three)] {
            let all = GrowthSeries.all(in: base, or: head)
            #expect(all.map { $0.members.map(\.entries) } == [[1_000, 10_000, 50_000, 100_000]])
            #expect(all.first?.shared(base, head) == Self.series)
            #expect(all.first?.shared(base, listed(1, 10)) == nil)
        }
        #expect(GrowthSeries.all(in: three, or: []) == [Self.series])
        #expect(GrowthSeries.all(in: listed(1), or: listed(10, 100)).isEmpty)
        // The same name with another number of entries is another size.
        let other = Self.listed([("memory/hit/100k/mine", 100_001)]) + listed(1, 10)
        #expect(Self.series.shared(three, other) == nil)
    }

    @Test("a number that is no whole thousand stands for itself alone in a name") func odd() {
        let listed = Self.listed([("a/1500/c", 1_500), ("a/1k/c", 1_000), ("a/2/c", 2), ("a/1/c", 1)])
        #expect(
            GrowthSeries.all(in: listed) == [
                GrowthSeries(
                    name: "a/*/c",
                    members: [
                        .init(benchmark: "a/2/c", entries: 2), .init(benchmark: "a/1k/c", entries: 1_000),
                        .init(benchmark: "a/1500/c", entries: 1_500),
                    ])
            ])
        // A thousandth of such a number is not its name.
        #expect(GrowthSeries.all(in: Self.listed([("a/1k/c", 1_500), ("a/1k/c", 1_000), ("a/2k/c", 2_000)])).isEmpty)
    }

    @Test("the factor is the cost at the most entries over that at the fewest, and has to change by a fifth")
    func factor() throws {
        #expect(try #require(Self.growth([10, 40, 35])).factor == 3.5)
        let (flat, steep) = (try #require(Self.growth([100, 101, 102])), try #require(Self.growth([100, 110, 130])))
        #expect(flat.order < steep.order && Growth.leastChange == 1.2)
        #expect(Growth.verdict(base: flat, head: steep) == .worse)
        #expect(Growth.verdict(base: steep, head: flat) == .better)
        let near = try #require(Self.growth([100, 113, 127]))
        let nearer = try #require(Self.growth([100, 107, 113]))
        #expect(near.order > nearer.order)
        #expect(Growth.verdict(base: nearer, head: near) == .equivalent)
        #expect(Growth.verdict(base: near, head: nearer) == .equivalent)
    }
}
