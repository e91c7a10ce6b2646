import Platform
import Testing

@testable import GaugeMeasurement

/// The values that a slice records beside its times: probes, interruptions, processor time, threads.
@Suite("Surroundings of a slice") struct SliceSurroundingsTests {
    /// Clocks that the test advances. Used only by the test's thread.
    private final class Machine {
        var now: UInt64 = 1_000
        var used: UInt64 = 0
        var processUsed: UInt64 = 0
        var switches: UInt64 = 40
        var batches = 0
        var probes = 0

        /// A probe takes 1,000 ns and one more each time, and its chain 500.
        var clock: MeasurementClock {
            MeasurementClock(
                elapsed: { self.now }, threadCPU: { self.used }, processCPU: { self.processUsed },
                probe: {
                    self.probes += 1
                    self.now += 1_500 + UInt64(self.probes)
                    self.used += 1_500 + UInt64(self.probes)
                    return SpeedProbe.Times(parallel: 1_000 + UInt64(self.probes), chain: 500)
                }, switches: { self.switches })
        }

        /// A batch of 1 ms, of which it has the processor for 0.7 ms.
        func batch() {
            batches += 1
            now += 1_000_000
            used += 700_000
        }
    }

    @Test("a probe runs before each batch and after the last, and is no part of any time") func probes() {
        let machine = Machine()
        var runner = SliceRunner(PreparedBenchmark(.batched { _ in machine.batch() }), clock: machine.clock)
        let slice = runner.run(budget: 5_000_000)
        #expect(slice.batches == [1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000])
        #expect(slice.probes == [1_001, 1_002, 1_003, 1_004, 1_005, 1_006])
        #expect(slice.chains == [500, 500, 500, 500, 500, 500])
        #expect(slice.nanoseconds == 5_000_000 && slice.cpuNanoseconds == 5 * 700_000)
        #expect(slice.interruptions == [])
    }

    @Test("an interruption is noted at the batch during which it happened") func interruptions() {
        let machine = Machine()
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched { _ in
                    machine.batch()
                    if [1, 4].contains(machine.batches) { machine.switches += 3 }
                }), clock: machine.clock)
        #expect(runner.run(budget: 6_000_000).interruptions == [0, 3])
        #expect(runner.run(budget: 2_000_000).interruptions == [])
    }

    @Test("threads count their operations together, and need no probes") func threads() {
        let machine = Machine()
        nonisolated(unsafe) let processor = machine
        var runner = SliceRunner(
            PreparedBenchmark(
                .threaded(threads: 2) { thread, _ in
                    if thread == 0 { processor.batch() }
                }), clock: machine.clock)
        let slice = runner.run(budget: 3_000_000)
        #expect(slice.batches.count == 3 && slice.batchOperations == 2 && slice.operations == 6)
        #expect(slice.probes == nil && slice.chains == nil && machine.probes == 0)
    }

    @Test("each slice of single operations begins with empty counts") func empty() throws {
        let machine = Machine()
        var runner = SliceRunner(
            PreparedBenchmark(
                .timed { _, recorder in
                    machine.batch()
                    recorder.record(.memoryHit, nanoseconds: UInt64(100 * machine.batches))
                }), clock: machine.clock)
        let first = try #require(runner.run(budget: 2_000_000).histograms[.memoryHit])
        let second = try #require(runner.run(budget: 2_000_000).histograms[.memoryHit])
        #expect(first.count == 2 && first.sum == 300)
        #expect(second.count == 2 && second.sum == 700)
    }

    @Test("operations timed one by one leave out the pauses of the harness, and have no batches") func each() {
        let machine = Machine()
        var calls = 0
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched { _ in
                    calls += 1
                    machine.now += calls.isMultiple(of: 10) ? 5_000 : 1_000
                }, outcome: .memoryHit), clock: machine.clock)
        let slice = runner.runEach(budget: 100_000)
        #expect(slice.operations > 10 && slice.operations < calls && slice.batches.isEmpty)
        let histogram = slice.histograms[.memoryHit]
        #expect(histogram?.count == UInt64(slice.operations))
        #expect(histogram?.minimum == 1_000 && histogram?.maximum == 5_000)
        #expect(slice.nanoseconds == histogram?.sum)
    }

    @Test("work on every 64th lookup is seen though each call looks up once more, untimed", arguments: [0, 1])
    func turns(first: Int) throws {
        let machine = Machine()
        var lookups = first
        func lookUp() {
            lookups += 1
            machine.now += lookups.isMultiple(of: 64) ? 5_000 : 1_000
        }
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched { count in
                    for _ in 0..<count { lookUp() }
                    // The check, which the clock does not see.
                    let before = machine.now
                    lookUp()
                    machine.now = before
                }, outcome: .memoryHit), clock: machine.clock)
        let slice = runner.runEach(budget: 20_000_000)
        #expect(try #require(slice.histograms[.memoryHit]).quantile(0.99).map { $0 > 4_900 } == true)
    }

    @Test("the time of a pause is no part of an operation that is timed alone") func pauses() {
        var paused: UInt64 = 0
        var runner = SliceRunner(
            PreparedBenchmark(
                .batched { _ in
                    MeasuredRegion.pause()
                    let start = monotonicNanoseconds()
                    while monotonicNanoseconds() - start < 1_000_000 {}
                    paused += 1
                    MeasuredRegion.resume()
                }))
        let slice = runner.runEach(budget: 20_000_000)
        #expect(slice.operations > 0 && slice.operations < Int(paused))
        // The shortest operation was not interrupted outside its pause, which alone takes a million.
        #expect(slice.histograms[.computed].map { $0.minimum < 1_000_000 } == true)
    }
}
