import Testing

@testable import GaugeMeasurement

@Suite("Noise of the machine") struct NoiseTests {
    @Test("steal is read from the line of all processors") func steal() throws {
        let text = "cpu  100 0 50 800 10 0 0 40 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n"
        let before = try #require(ProcessorTimes(stat: text))
        #expect((before.total, before.stolen) == (1_000, 40))
        let after = try #require(ProcessorTimes(stat: "cpu 150 0 75 810 10 0 0 55 7 0\n"))
        #expect(after.stolenPart(since: before) == 0.15)
        #expect(before.stolenPart(since: before) == nil)
    }

    @Test(
        "a line that is cut short says nothing",
        arguments: ["", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 x 5 6 7 8"])
    func malformed(text: String) { #expect(ProcessorTimes(stat: text) == nil) }

    private func row(_ subject: String, ratio: Double?) -> ResultRow {
        var row = ResultRow(name: BenchmarkName("url-cache", "store", subject), isPeer: subject != "tiered")
        row.ratio = ratio
        return row
    }

    @Test("a ratio is a claim when its interval excludes one, and it is farther from one than equal code is apart")
    func claims() {
        let noise = NoiseReport(pairs: [0.01, 0.5, 0.12])
        #expect(noise.floor == 0.12)
        for ratio in [1.1, 0.9, 1] { #expect(!noise.isClaim(row("files", ratio: ratio)), "\(ratio)") }
        for ratio in [1.2, 0.8] { #expect(noise.isClaim(row("files", ratio: ratio)), "\(ratio)") }
        var unsure = row("files", ratio: 1.2)
        unsure.ratioInterval = 0.99...1.5
        #expect(!noise.isClaim(unsure))
        unsure.ratioInterval = 1.01...1.5
        #expect(noise.isClaim(unsure))
        #expect(NoiseReport().isClaim(row("files", ratio: 1)))
    }

    @Test("what is too loud is told with the claim that it spoils") func warnings() {
        let rows = [row("tiered", ratio: 1), row("foundation", ratio: 1.08), row("files", ratio: 4)]
        var noise = NoiseReport(stolen: 0.002, loadBefore: 0.1, loadAfter: 1, processors: 2, pairs: [0.004])
        #expect(noise.warnings(rows).isEmpty)
        for (difference, count) in [(0.05, 1), (0.0499, 0)] {
            noise.pairs = [difference]
            #expect(noise.warnings(rows).count == count)
        }
        noise.pairs = [0.09]
        #expect(
            noise.warnings(rows) == [
                "differences below 9.0 % mean nothing in this run: benchmarks differed as much from themselves",
                "too close to their reference to call in this run: url-cache/store/foundation 1.08×",
            ])
        noise.stolen = 0.04
        noise.loadBefore = 5
        #expect(noise.warnings(rows).count == 4)
        // From a hundredth of the time, and from three quarters of two processors.
        for (stolen, load, count) in [(0.01, 1.5, 2), (0.0099, 1.5, 1), (0.01, 1.49, 1), (0.0099, 1.49, 0)] {
            let loud = NoiseReport(stolen: stolen, loadBefore: load, processors: 2)
            #expect(loud.warnings(rows).count == count)
        }
    }

    @Test("the text names each figure, and shows an unknown one as a dash") func text() {
        let noise = NoiseReport(
            stolen: nil, loadBefore: 0.5, loadAfter: 1.25, processors: 2, switchesPerSecond: 12, pairs: [0.004, 0.01],
            fullSpeed: 0.713)
        #expect(
            noise.text == """
                noise: steal –, load 0.50 before and 1.25 after on 2 processors, 12.0 involuntary switches a second, at full speed 71.3 % of the time
                A/A: two workers of one benchmark differ by 0.4 %, 1.0 %

                """)
    }

    @Test("a run measures three of its cases twice, from the beginning, the middle and the end, and no peer alone")
    func chosen() {
        func benchmark(_ number: Int, isPeer: Bool, suites: Set<String> = []) -> Benchmark {
            let name = BenchmarkName("a", "\(number)", isPeer ? "peer" : "tiered")
            return Benchmark(name, isPeer: isPeer, suites: suites) { _ in PreparedBenchmark(.batched { _ in }) }
        }
        let cases = BenchmarkCase.grouping((0..<12).map { benchmark($0, isPeer: $0.isMultiple(of: 4)) })
        #expect(AACheck(cases: cases).positions == [2, 6, 10])
        #expect(AACheck(cases: Array(cases[1...1])).positions == [0])
        #expect(AACheck(cases: Array(cases[0...0])).positions.isEmpty)
        #expect(AACheck.twice(cases[1])?.benchmarks.map(\.name.case) == ["1", "1"])
        // A disk may have space for one large tier alone.
        let large = BenchmarkCase.grouping([benchmark(0, isPeer: false, suites: ["large"])])
        #expect(AACheck(cases: large).positions.isEmpty && AACheck.twice(large[0]) == nil)
    }

    @Test("two measurements of one benchmark differ by the same part, whichever is the slower") func difference() throws
    {
        let benchmark = Benchmark(BenchmarkName("a", "b", "tiered"), isPeer: false) { _ in
            PreparedBenchmark(.batched { _ in })
        }
        func measured(_ time: UInt64) -> BenchmarkMeasurements {
            var slice = SliceReply()
            (slice.batchOperations, slice.batches, slice.operations) = (10, [10 * time], 10)
            slice.nanoseconds = 10 * time
            var result = BenchmarkMeasurements(benchmark)
            result.prepared = PreparedReply(kind: .batched, threads: 1, outcome: .memoryHit)
            result.add(slice)
            return result
        }
        for pair in [[measured(100), measured(125)], [measured(125), measured(100)]] {
            #expect(abs(try #require(AACheck.difference(pair)) - 0.25) < 1e-9)
        }
        #expect(AACheck.difference([measured(100)]) == nil)
        #expect(AACheck.difference([measured(100), BenchmarkMeasurements(benchmark)]) == nil)
    }
}
