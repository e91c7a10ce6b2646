import Foundation
import Testing

@testable import GaugeMeasurement

/// The runner with a clock that advances only by the times that a body states.
@Suite("Slice runner") struct SliceRunnerTests {
    /// A clock that the test advances. Used only by the test's thread.
    private final class FakeTime {
        var now: UInt64 = 1_000
        /// How long reading the elapsed time takes.
        private let reading: UInt64

        init(reading: UInt64 = 0) { self.reading = reading }

        var clock: MeasurementClock {
            MeasurementClock(elapsed: elapsed, threadCPU: { self.now / 2 }, processCPU: { self.now })
        }

        private func elapsed() -> UInt64 {
            now += reading
            return now
        }
    }

    @Test("a body that takes a known time is measured as taking it", arguments: [1, 3, 40, 900, 2_500_000] as [UInt64])
    func aBodyThatTakesAKnownTimeIsMeasuredAsTakingIt(cost: UInt64) throws {
        let time = FakeTime()
        var runner = SliceRunner(PreparedBenchmark(.batched { time.now += UInt64($0) * cost }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        let slice = runner.run(budget: 20_000_000)
        #expect(slice.batches.allSatisfy { $0 == UInt64(slice.batchOperations) * cost })
        #expect(slice.operations == slice.batches.count * slice.batchOperations)
        #expect(slice.nanoseconds == UInt64(slice.operations) * cost)
        #expect(slice.cpuNanoseconds == slice.nanoseconds / 2)
    }

    @Test(
        "batches are sized to be long against the clock and short against the slice",
        arguments: [1, 3, 40, 900, 80_000] as [UInt64])
    func batchesAreSizedToBeLongAgainstTheClockAndShortAgainstTheSlice(cost: UInt64) {
        let time = FakeTime()
        var runner = SliceRunner(PreparedBenchmark(.batched { time.now += UInt64($0) * cost }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        let slice = runner.run(budget: 20_000_000)
        let batch = Double(slice.batchOperations) * Double(cost)
        #expect((200_000...2_000_000).contains(batch), "\(batch) ns")
        #expect((18_000_000...24_000_000).contains(slice.nanoseconds))
    }

    @Test("each batch has its processor time, and a slice that of other threads since the one before")
    func processorTime() {
        // Each reading of a clock takes a nanosecond, so that two readings of one clock never agree.
        var (thread, others, reads): (UInt64, UInt64, UInt64) = (0, 0, 0)
        let clock = MeasurementClock(
            elapsed: { thread + others },
            threadCPU: {
                reads += 1
                return thread + reads
            },
            processCPU: {
                reads += 1
                return thread + others + reads
            })
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched {
                    thread += UInt64($0) * 1_000
                    others += UInt64($0) * 100
                }), clock: clock)
        runner.calibrate(budget: 100_000_000)
        let first = runner.run(budget: 2_000_000)
        #expect(first.restNanoseconds == 0 && first.batchCPU?.count == first.batches.count)
        let each = UInt64(first.batchOperations) * 1_100
        #expect(first.batchCPU?.allSatisfy { (each...each + 10).contains($0) } == true)
        #expect((runner.run(budget: 2_000_000).restNanoseconds ?? .max) < 10)
        others += 5_000_000
        let third = runner.run(budget: 2_000_000)
        #expect((5_000_000...5_000_010).contains(third.restNanoseconds ?? 0) && third.restOperations == 0)
    }

    @Test("operations between two slices are told beside the work of other threads there, and a restart comes before")
    func between() {
        var (now, others, ran, restarts): (UInt64, UInt64, Int, [Int]) = (0, 0, 0, [])
        let clock = MeasurementClock(elapsed: { now }, threadCPU: { now }, processCPU: { now + others })
        var prepared = PreparedBenchmark(
            .batched {
                now += UInt64($0) * 1_000
                others += UInt64($0) * 100
                ran += $0
            })
        prepared.restart = { restarts.append(ran) }
        var runner = SliceRunner(prepared, clock: clock)
        runner.calibrate(budget: 100_000_000)
        #expect(restarts == [ran] && ran > 0)
        let first = runner.run(budget: 2_000_000)
        #expect(first.restOperations ?? 0 == 0)
        let before = ran
        runner.warmCaches(budget: 2_000_000)
        _ = runner.runEach(budget: 50_000)
        let between = ran - before
        let second = runner.run(budget: 2_000_000)
        #expect(between > 50 && second.restOperations == between)
        #expect(second.restNanoseconds == UInt64(between) * 100)
        let measured = MeasuredSlice(second)
        #expect(measured.otherNanoseconds == UInt64(second.operations + between) * 100)
        runner.calibrate(budget: 0)
        #expect(restarts.count == 2 && restarts.last == ran)
    }

    @Test("an empty body on a clock that stands still ends") func anEmptyBodyOnAClockThatStandsStillEnds() {
        let time = FakeTime()
        var runner = SliceRunner(PreparedBenchmark(.batched { _ in }), clock: time.clock)
        runner.calibrate(budget: 1_000_000)
        let slice = runner.run(budget: 1_000_000)
        #expect(slice.batches.count == SliceRunner.mostBatches)
        #expect(slice.nanoseconds == 0)
    }

    @Test("an operation longer than the slice is run once") func anOperationLongerThanTheSliceIsRunOnce() {
        let time = FakeTime()
        var calls = 0
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched {
                    calls += $0
                    time.now += UInt64($0) * 300_000_000
                }), clock: time.clock)
        let slice = runner.run(budget: 10_000_000)
        #expect((calls, slice.operations, slice.nanoseconds) == (1, 1, 300_000_000))
    }

    @Test("a batch that turns out much too long is shortened for the next slice")
    func aBatchThatTurnsOutMuchTooLongIsShortenedForTheNextSlice() {
        let time = FakeTime()
        var cost: UInt64 = 1
        var runner = SliceRunner(PreparedBenchmark(.batched { time.now += UInt64($0) * cost }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        cost = 1_000
        _ = runner.run(budget: 10_000_000)
        let slice = runner.run(budget: 10_000_000)
        #expect(slice.batches.allSatisfy { $0 < 2_000_000 })
    }

    @Test("the size of a batch stays from slice to slice, however many batches a slice has") func sizes() {
        let time = FakeTime()
        var runner = SliceRunner(PreparedBenchmark(.batched { time.now += UInt64($0) * 1_000 }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        let slices = [2_000_000, 40_000_000, 5_000_000, 1_000_000].map { runner.run(budget: $0) }
        #expect(Set(slices.map(\.batchOperations)).count == 1 && slices[1].batches.count > 50)
    }

    @Test("a batch is to take half a millisecond, and a call that times its own operations two") func targets() {
        func asked(_ body: (FakeTime, @escaping (Int) -> Void) -> PreparedBenchmark.Body) -> Int {
            let time = FakeTime()
            var last = 0
            var runner = SliceRunner(
                PreparedBenchmark(
                    body(time) {
                        last = $0
                        time.now += UInt64($0) * 1_000
                    }), clock: time.clock)
            runner.calibrate(budget: 1_000_000_000)
            _ = runner.run(budget: 1)
            return last
        }
        // Operations of 1 µs: 1, 16, 256, which is near enough to 500; and on to 2,000.
        #expect(asked { _, run in .batched(run) } == 256)
        #expect(asked { _, run in .timed { count, _ in run(count) } } == 2_000)
    }

    @Test("before operations are timed alone, two batches warm the caches, and a call of two shifts the turns")
    func warming() {
        let time = FakeTime()
        var asked: [Int] = []
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched {
                    asked.append($0)
                    time.now += UInt64($0) * 1_000
                }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        asked = []
        let slice = runner.runEach(budget: 1_000_000)
        #expect(asked.prefix(2) == [256, 256])
        let later = asked.dropFirst(2)
        #expect(later.count { $0 == 1 } == slice.operations && Set(later) == [1, 2])
    }

    @Test("the time of an operation that does nothing is told beside those that are timed alone") func costOfClock() {
        let time = FakeTime(reading: 7)
        var runner = SliceRunner(
            PreparedBenchmark(.batched { time.now += UInt64($0) * 1_000 }, outcome: .memoryHit), clock: time.clock)
        let slice = runner.runEach(budget: 100_000)
        #expect(slice.clockNanoseconds == 7)
        #expect(slice.histograms[.memoryHit]?.maximum == 1_007)
    }

    /// Each four batches of a millisecond are quicker than the four before by this part, as long as this many batches.
    /// One of the four is disturbed.
    @Test(
        "caches are warmed until batches become no quicker, or the time is over",
        arguments: [(0, 1_000, 8), (0.019, 1_000, 8), (0.021, 14, 20), (0.05, 6, 12), (0.1, 1_000, 32)]
            as [(Double, Int, Int)])
    func warmCaches(gain: Double, gainingBatches: Int, batches: Int) {
        let time = FakeTime()
        var asked = -1
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched { count in
                    let steps = asked < 0 ? 0 : min(asked, gainingBatches) / 4
                    let disturbance = asked % 4 == 1 ? 1.5 : 1
                    if asked >= 0 { asked += 1 }
                    time.now += UInt64(Double(count) * 1_000_000 * disturbance * pow(1 - gain, Double(steps)))
                }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        asked = 0
        runner.warmCaches(budget: 24_000_000)
        #expect(asked == batches)
    }

    @Test("operations while caches are warmed are not reported") func warmingIsNotReported() {
        let time = FakeTime()
        var cost: UInt64 = 9_000
        var runner = SliceRunner(
            PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        recorder.record(.miss, nanoseconds: cost)
                        time.now += cost
                    }
                }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        runner.warmCaches(budget: 24_000_000)
        cost = 7_000
        let slice = runner.run(budget: 4_000_000)
        #expect(slice.histograms[.miss]?.maximum == 7_000 && slice.operations == Int(slice.nanoseconds / 7_000))
    }

    @Test("operations timed one by one arrive by outcome, and only those of the slice")
    func operationsTimedOneByOneArriveByOutcomeAndOnlyThoseOfTheSlice() throws {
        let time = FakeTime()
        var runner = SliceRunner(
            PreparedBenchmark(
                .timed { operations, recorder in
                    for index in 0..<operations {
                        let cost: UInt64 = index.isMultiple(of: 2) ? 2_000 : 30_000
                        recorder.record(cost == 2_000 ? .memoryHit : .miss, nanoseconds: cost)
                        time.now += cost
                    }
                }), clock: time.clock)
        runner.calibrate(budget: 100_000_000)
        let slice = runner.run(budget: 20_000_000)
        let hits = try #require(slice.histograms[.memoryHit])
        let misses = try #require(slice.histograms[.miss])
        #expect(Int(hits.count + misses.count) == slice.operations)
        #expect((hits.minimum, hits.maximum, misses.minimum, misses.maximum) == (2_000, 2_000, 30_000, 30_000))
        #expect(slice.batches.isEmpty && slice.batchOperations == 0)
    }

    @Test("a team runs every operation on every thread") func aTeamRunsEveryOperationOnEveryThread() {
        let counts = (0..<3).map { _ in UnsafeMutablePointer<Int>.allocate(capacity: 1) }
        for count in counts { count.initialize(to: 0) }
        defer { for count in counts { count.deallocate() } }
        nonisolated(unsafe) let perThread = counts
        let team = ThreadTeam(threads: 3) { thread, operations in perThread[thread].pointee += operations }
        for _ in 0..<5 { _ = team.run(operations: 7) }
        #expect(counts.map(\.pointee) == [35, 35, 35])
    }

    @Test("a thread that is woken late makes a batch longer and not the next one smaller")
    func aThreadThatIsWokenLateMakesABatchLongerAndNotTheNextOneSmaller() {
        let time = BatchTime([1_000, 3_000_000], [201_000, 3_200_500])
        #expect(time.whole == 3_199_500)
        #expect(time.quickest == 200_000)
        var batch = BatchSize(target: 2_000_000)
        batch.adjust(nanoseconds: time.quickest)
        #expect(batch.operations == 10)
    }

    @Test("operations of several threads are neither timed nor counted one by one") func threadsOneByOne() {
        var runner = SliceRunner(PreparedBenchmark(.threaded(threads: 2) { _, _ in }))
        let slice = runner.runEach(budget: 1_000_000)
        #expect(slice.operations == 0 && slice.histograms.isEmpty && slice.batches.isEmpty)
        let sequence = runner.countEach(operations: 3)
        #expect(sequence.allocations.isEmpty && sequence.allocatedBytes.isEmpty)
        #expect(runner.count(operations: 3).outcomes.isEmpty)
    }

    @Test("each operation of a sequence has its own allocations, in their order") func allocationsOfEach() {
        nonisolated(unsafe) var totals = AllocationTotals(count: 100, bytes: 1_000)
        nonisolated(unsafe) var operation: UInt64 = 0
        let body = PreparedBenchmark.Body.batched { _ in
            operation += 1
            totals = AllocationTotals(count: totals.count + operation, bytes: totals.bytes + 10 * operation)
        }
        var runner = SliceRunner(PreparedBenchmark(body), allocations: { totals })
        let sequence = runner.countEach(operations: 3)
        #expect(sequence.allocations == [1, 2, 3] && sequence.allocatedBytes == [10, 20, 30])
        var silent = SliceRunner(PreparedBenchmark(body))
        #expect(silent.countEach(operations: 2).allocations.isEmpty && operation == 5)
    }

    @Test("the time of several threads is from the first start to the last end, and that of the quickest")
    func batchTimes() {
        let time = BatchTime([30, 10, 20], [100, 95, 60])
        #expect(time.whole == 90 && time.quickest == 40)
        #expect(BatchTime(7) == BatchTime([3], [10]) && BatchTime(7).whole == 7 && BatchTime(7).quickest == 7)
    }

    @Test(
        "allocations of the body are counted, the reading of the counters is not, whatever other threads do when the runner begins",
        arguments: 1...9)
    func allocationsOfTheBodyAreCountedAndTheReadingOfTheCountersIsNot(disturbed: Int) {
        let time = FakeTime()
        let totals = Counted(disturbed: disturbed)
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched { operations in
                    totals.add(count: operations, bytes: operations * 64)
                    time.now += UInt64(operations) * 1_000
                }), clock: time.clock, allocations: { totals.read() })
        let slice = runner.run(budget: 5_000_000)
        #expect(slice.counters.allocations == UInt64(slice.operations))
        #expect(slice.counters.allocatedBytes == UInt64(slice.operations * 64))
    }

    /// An allocation counter in which each reading itself is one allocation, as in a counter that allocates its result,
    /// and one of the first readings comes after an allocation of another thread.
    ///
    /// `@unchecked Sendable`: used only by the test's thread.
    private final class Counted: @unchecked Sendable {
        private var totals = AllocationTotals()
        private var readings = 0
        private let disturbed: Int

        init(disturbed: Int) { self.disturbed = disturbed }

        func add(count: Int, bytes: Int) {
            totals.count += UInt64(count)
            totals.bytes += UInt64(bytes)
        }

        func read() -> AllocationTotals {
            readings += 1
            add(count: 1, bytes: 100)
            if readings == disturbed { add(count: 1, bytes: 32) }
            return totals
        }
    }
}
