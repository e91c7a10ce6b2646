import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Rows of a run") struct ResultRowTests {
    private func result(
        _ subject: String, case name: String = "hit", kind: PreparedReply.Kind = .batched, threads: Int = 1,
        comparesMeans: Bool = false, slices: [SliceReply]
    ) -> BenchmarkMeasurements {
        var benchmark = Benchmark(BenchmarkName("memory", name, subject), isPeer: subject != "tiered") { _ in
            PreparedBenchmark(.batched { _ in })
        }
        benchmark.comparesMeans = comparesMeans
        var result = BenchmarkMeasurements(benchmark)
        result.prepared = PreparedReply(kind: kind, threads: threads, outcome: .memoryHit)
        for slice in slices { result.add(slice) }
        return result
    }

    /// A slice of batches of 100 operations.
    private func batched(_ batches: UInt64..., allocations: UInt64? = nil) -> SliceReply {
        var slice = SliceReply()
        slice.batchOperations = 100
        slice.batches = batches
        slice.operations = 100 * batches.count
        slice.nanoseconds = batches.reduce(0, +)
        slice.counters.allocations = allocations
        return slice
    }

    private func timed(_ times: [Outcome: [UInt64]]) -> SliceReply {
        var slice = SliceReply()
        for (outcome, values) in times {
            var histogram = Histogram()
            for value in values { histogram.add(nanoseconds: value) }
            slice.histograms[outcome] = histogram
            slice.operations += values.count
            slice.nanoseconds += values.reduce(0, +)
        }
        return slice
    }

    @Test("a batched row has the shortest and the middle batch, per operation")
    func aBatchedRowHasTheShortestAndTheMiddleBatchPerOperation() throws {
        let slices = [batched(1_000, 1_200, 5_000), batched(1_100, 1_300), batched(1_200, 1_200)]
        let row = try #require(ResultRow.rows(of: [result("tiered", slices: slices)], seed: 1).first)
        #expect((row.minimum, row.median, row.maximum, row.percentiles) == (10, 12, 50, []))
        #expect(row.operationsPerSecond == 1e9 / 12)
        #expect(row.operations == 700)
        #expect(row.ratio == 1)
    }

    @Test("operations that take no time have no rate, and stores without one no tail") func noTime() throws {
        let batch = try #require(ResultRow.rows(of: [result("tiered", slices: [batched(0, 0)])], seed: 1).first)
        #expect(batch.median == 0 && batch.operationsPerSecond == 0)
        let stores = try #require(
            ResultRow.rows(of: [result("tiered", kind: .timed, slices: [timed([.store: [0, 0]])])], seed: 1).first)
        #expect(stores.mean == 0 && stores.operationsPerSecond == 0 && stores.figures.isEmpty)
        let rows = ResultRow.rows(
            of: [result("tiered", kind: .timed, slices: [timed([.memoryHit: [0], .miss: [0, 0]])])], seed: 1)
        #expect(rows.map(\.operations) == [3, 1, 2] && rows.map(\.operationsPerSecond) == [nil, 0, 0])
    }

    @Test("the ratio is to the reference subject of the same case")
    func theRatioIsToTheReferenceSubjectOfTheSameCase() {
        let rows = ResultRow.rows(
            of: [result("tiered", slices: [batched(1_000)]), result("foundation", slices: [batched(7_500)])], seed: 1)
        #expect(rows.map(\.ratio) == [1, 7.5])
    }

    @Test("the reference itself has the ratio 1 and no interval of it, whatever its figures") func ownRatio() throws {
        var (own, peer) = (result("tiered", slices: []), result("foundation", slices: []))
        for set in 0..<6 as Range<UInt64> {
            own.beginSet()
            peer.beginSet()
            for slice in 0..<3 as Range<UInt64> {
                own.add(batched(1_000 + 100 * set + slice))
                peer.add(batched(3_000 + 200 * set + slice))
            }
        }
        let rows = ResultRow.rows(of: [own, peer], seed: 1)
        #expect(rows.map(\.ratio)[0] == 1 && rows[0].ratioInterval == nil && !rows[0].isRatioPaired)
        #expect((rows[1].ratio ?? 0) > 2 && rows[1].ratioInterval != nil)
    }

    @Test("the spread of a row of several outcomes is that of the whole time of its slices")
    func spreadOfSeveralOutcomes() throws {
        let slices = [100, 200, 400, 800].map { timed([.miss: [$0 as UInt64, 3 * $0], .hit: [50]]) }
        // Per operation (4 x + 50) / 3: 150, 283.3, 550 and 1,083.3. Of slices of one outcome it is the mean, too.
        let means = [450, 850, 1_650, 3_250].map { $0 / 3.0 }
        let rows = ResultRow.rows(of: [result("tiered", kind: .timed, slices: slices)])
        #expect(rows.first?.spread == Samples(means).spread)
    }

    @Test("the interval of the middle is drawn from whole sets where there are six, and from slices before")
    func poolOfInterval() throws {
        for count in [5, 6, 9] {
            var result = result("tiered", slices: [])
            for set in 0..<count {
                result.beginSet()
                for slice in 0..<3 { result.add(batched(UInt64(1_000 + 100 * set + slice), UInt64(1_050 + 100 * set))) }
            }
            let slices = result.sets.map { $0.map { $0.tally(of: nil) } }
            let pool = count < MedianInterval.leastSlices ? slices.flatMap(\.self) : slices.map { Tally(merging: $0) }
            let row = try #require(ResultRow.rows(of: [result], seed: 7).first)
            #expect(row.interval != nil && row.interval == MedianInterval.of(pool, seed: 7))
            #expect(
                MedianInterval.of(slices.flatMap(\.self), seed: 7)
                    != MedianInterval.of(slices.map { Tally(merging: $0) }, seed: 7))
        }
    }

    @Test("an undisturbed time is as uncertain as the clock rate at which it is told") func clockError() throws {
        let readings = [SpeedReading(parallel: 1_000, cycle: 1.25): 1 as UInt64]
        var result = result("tiered", slices: [])
        for set in 0..<6 {
            result.beginSet()
            for batch in 0..<8 {
                var slice = batched(UInt64(1_000 + 10 * set + batch))
                slice.probes = [1_000, 1_000]
                slice.chains = [UInt64](repeating: UInt64(SpeedProbe.steps * 5 / 4), count: 2)
                result.add(slice)
            }
        }
        for (reference, error) in [(1.25, 0.0), (1, 0.25 / 3)] {
            let row = try #require(ResultRow.rows(of: [result], speed: FullSpeed(readings, reference: reference)).first)
            #expect(abs(row.clockError - error) < 1e-12)
            let bare = try #require(SetFigure.undisturbed.values(row).estimate(nil))
            let widened = bare.widened(by: row.clockError).widened(by: row.moodError)
            #expect(row.undisturbed == widened && (bare.error ?? 1) < 0.05)
            #expect((row.undisturbed?.error ?? 0) >= error)
        }
    }

    @Test("stores are compared by the mean, which rare slow stores change")
    func storesAreComparedByTheMeanWhichRareSlowStoresChange() {
        // With fewer than 3,688 operations there would be no p99.9.
        let quick = [UInt64](repeating: 10, count: 3_000)
        let rows = ResultRow.rows(
            of: [
                result("tiered", case: "store", kind: .timed, slices: [timed([.store: quick + [10]])]),
                result(
                    "foundation", case: "store", kind: .timed, slices: [timed([.store: quick + quick.map { $0 * 9 }])]),
            ], seed: 1)
        #expect(rows.map(\.median) == [10, 10])
        #expect(rows.map(\.ratio) == [1, 5])
        #expect(rows.map(\.comparedTime) == [10, 50])
        #expect(
            rows.map(\.figures) == [
                [Figure("mean", 10, .nanoseconds)],
                [Figure("mean", 50, .nanoseconds), Figure("p99.9", 90, .nanoseconds), Figure("p99.9 over median", 9)],
            ])
    }

    @Test("a hit on pages that were dropped is compared by the mean, which has the work of faults that read ahead")
    func coldHits() {
        func row(comparesMeans: Bool) -> ResultRow {
            let slices = [timed([.diskHit: [10, 10, 10, 10, 4_000]])]
            let measured = result("tiered", kind: .timed, comparesMeans: comparesMeans, slices: slices)
            return ResultRow.rows(of: [measured], seed: 1)[0]
        }
        #expect(row(comparesMeans: true).comparedTime == 808 && row(comparesMeans: true).comparison == .mean)
        #expect(row(comparesMeans: false).comparison == .undisturbed)
    }

    @Test("the time told is that of its error: the mean over sets, not over all operations") func oneTime() {
        var row = ResultRow(name: BenchmarkName("url-cache", "store", "tiered"), isPeer: false)
        (row.comparison, row.mean, row.overSets) = (.mean, 3_990, Estimate(4_000, in: 3_900...4_100))
        #expect(row.comparedTime == 4_000)
        row.overSets = nil
        #expect(row.comparedTime == 3_990)
    }

    @Test("a mean is compared where either row is compared by it") func meanOnEitherSide() {
        let times = [UInt64](repeating: 10, count: 9)
        let rows = ResultRow.rows(
            of: [
                result("tiered", kind: .timed, slices: [timed([.store: times + [110]])]),
                result("foundation", slices: [batched(6_000)]),
            ], seed: 1)
        #expect(rows.map(\.comparison) == [.mean, .undisturbed] && rows.map(\.ratio) == [1, 3])
    }

    @Test("the curve of times has a value at each of its quantiles") func curve() {
        let row = ResultRow.rows(
            of: [result("tiered", kind: .timed, slices: [timed([.memoryHit: Array(1...100)])])], seed: 1)[0]
        #expect(row.quantiles.count == ResultRow.curve.count)
        #expect(zip(ResultRow.curve, row.quantiles).allSatisfy { max(1, ($0 * 100).rounded(.up)) == $1 })
    }

    @Test("the rows of several outcomes share what belongs to the whole in the first row alone")
    func outcomes() throws {
        var measured = result("tiered", kind: .timed, slices: [timed([.memoryHit: [10, 20], .diskHit: [50]])])
        measured.add([Figure("evictions", 4)])
        measured.note(isSteady: true)
        let rows = ResultRow.rows(of: [measured])
        #expect(rows.map { $0.figures.count } == [1, 0, 0] && rows.map { $0.counters == nil } == [false, true, true])
        #expect(rows.map { $0.cpu == nil } == [false, true, true] && rows.map(\.isSteady) == [true, true, true])
    }

    @Test("without its reference a row has no ratio") func withoutItsReferenceARowHasNoRatio() {
        #expect(ResultRow.rows(of: [result("foundation", slices: [batched(1_000)])], seed: 1).map(\.ratio) == [nil])
    }

    @Test("an operation timed alone has percentiles under the benchmark's own name")
    func anOperationTimedAloneHasPercentilesUnderTheBenchmarksOwnName() throws {
        let slices = [timed([.memoryHit: Array(1...100)]), timed([.memoryHit: Array(101...200)])]
        let row = try #require(ResultRow.rows(of: [result("tiered", kind: .timed, slices: slices)], seed: 1).first)
        #expect(row.name.description == "memory/hit/tiered")
        #expect((row.minimum, row.median, row.maximum) == (1, 100, 200))
        #expect(row.percentile(0.9)?.value == 180)
        // p99 would need 368 operations.
        #expect(row.percentile(0.99) == nil)
        #expect(row.operationsPerSecond == 200 / 20_100e-9)
    }

    @Test("each of several outcomes has a row, compared with the same outcome")
    func eachOfSeveralOutcomesHasARowComparedWithTheSameOutcome() {
        let rows = ResultRow.rows(
            of: [
                result("tiered", case: "zipf", kind: .timed, slices: [timed([.memoryHit: [10, 10], .miss: [50]])]),
                result(
                    "foundation", case: "zipf", kind: .timed, slices: [timed([.memoryHit: [30], .miss: [200, 200]])]),
            ], seed: 1)
        #expect(
            rows.map(\.name.description) == [
                "memory/zipf/tiered", "memory/zipf-memory-hit/tiered", "memory/zipf-miss/tiered",
                "memory/zipf/foundation", "memory/zipf-memory-hit/foundation", "memory/zipf-miss/foundation",
            ])
        #expect(rows.map(\.median) == [nil, 10, 50, nil, 30, 200])
        #expect(rows[4].ratio == 3 && rows[5].ratio == 4)
        // The whole: 3 operations in 70 ns against 3 in 430.
        #expect(abs((rows[3].ratio ?? 0) - 430.0 / 70) < 1e-9)
    }

    @Test("counters are of one operation, and missing where they were not counted")
    func countersAreOfOneOperationAndMissingWhereTheyWereNotCounted() {
        let rows = ResultRow.rows(
            of: [
                result("tiered", slices: [batched(1_000, allocations: 50), batched(1_000, allocations: 150)]),
                result("foundation", slices: [batched(1_000)]),
            ], seed: 1)
        #expect(rows.map(\.allocations) == [1, nil])
    }

    @Test(
        "spread is half the distance of the quartiles over the median",
        arguments: [
            ([], nil), ([1], nil), ([1, 2], nil), ([2, 2, 2], 0), ([1, 2, 3], 0.25), ([4, 1, 3, 2, 5], 1.0 / 3),
        ] as [([Double], Double?)])
    func spreadIsHalfTheDistanceOfTheQuartilesOverTheMedian(values: [Double], spread: Double?) {
        #expect(Samples(values).spread == spread)
    }
}
