import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

/// What all threads of the process use while a benchmark runs, without those of the harness.
@Suite("Processor time and wake-ups of the process") struct ProcessUseTests {
    /// A machine with the measuring thread, on which an operation takes 1 µs, and another. Used only by the test's
    /// thread.
    private final class Machine {
        var (now, other, wakeUps): (UInt64, UInt64, UInt64) = (0, 0, 40)
        private var probes: UInt64 = 0

        /// A probe takes 9 µs, and reading the counters wakes the process once.
        func runner(_ meanwhile: @escaping (Machine) -> Void) -> SliceRunner {
            SliceRunner(
                PreparedBenchmark(
                    .batched { operations in
                        for _ in 0..<operations {
                            self.now += 1_000
                            meanwhile(self)
                        }
                    }),
                clock: MeasurementClock(
                    elapsed: { self.now + self.probes }, threadCPU: { self.now + self.probes },
                    processCPU: { self.now + self.probes + self.other },
                    probe: {
                        self.probes += 9_000
                        return SpeedProbe.Times(parallel: 6_000, chain: 3_000)
                    }),
                counters: {
                    self.wakeUps += 1
                    var totals = Counters()
                    totals.wakeUps = self.wakeUps
                    return totals
                })
        }

        func slice(_ meanwhile: @escaping (Machine) -> Void) -> SliceReply {
            var runner = runner(meanwhile)
            runner.calibrate(budget: 100_000_000)
            return runner.run(budget: 20_000_000)
        }
    }

    @Test("a thread that spins beside the body is counted apart, and nothing is where there is none") func spinning() {
        let alone = Machine().slice { _ in }
        #expect(alone.otherNanoseconds == 0 && alone.cpuNanoseconds == UInt64(alone.operations) * 1_000)
        let beside = Machine().slice { $0.other += 1_000 }
        #expect(beside.otherNanoseconds == UInt64(beside.operations) * 1_000)
        #expect(beside.cpuNanoseconds == UInt64(beside.operations) * 1_000)
    }

    @Test("a thread that wakes 1,000 times a second is counted, and the reading of the counters is not") func waking() {
        #expect(Machine().slice { _ in }.counters.wakeUps == 0)
        let slice = Machine().slice { if $0.now.isMultiple(of: 1_000_000) { $0.wakeUps += 1 } }
        let expected = slice.nanoseconds / 1_000_000
        #expect(expected >= 15 && (expected...expected + 1).contains(slice.counters.wakeUps ?? 0))
    }

    /// The uses of threads, by thread; a member's is read before each of its batches and after.
    private struct Uses: Sendable {
        var threads: [UInt: ThreadUse] = [:]
        var readings: [UInt: Int] = [:]
        let main = pthread_self()

        var sum: ThreadUse { threads.values.reduce(ThreadUse(), +) }
        static var own: UInt { UInt(pthread_self()) }

        mutating func add(_ nanoseconds: UInt64, _ wakeUps: UInt64, to thread: UInt = own) {
            threads[thread] =
                threads[thread, default: ThreadUse()] + ThreadUse(nanoseconds: nanoseconds, wakeUps: wakeUps)
        }

        /// Before each batch a member wakes up and waits for the others.
        mutating func read() -> ThreadUse {
            let own = Self.own
            if own != UInt(main), readings[own, default: 0].isMultiple(of: 2) { add(5_000, 2) }
            readings[own, default: 0] += 1
            return threads[own, default: ThreadUse()]
        }
    }

    @Test("of several threads the bodies count, and not that they and the harness wait for each other") func threads() {
        let uses = Locked(Uses())
        let main = uses.withLock { UInt($0.main) }
        let clock = MeasurementClock(
            elapsed: { uses.withLock { $0.sum.nanoseconds } },
            threadCPU: { uses.withLock { $0.threads[main, default: ThreadUse()].nanoseconds } },
            processCPU: { uses.withLock { $0.sum.nanoseconds } }, threadUse: { uses.withLock { $0.read() } })
        var runner = SliceRunner(
            PreparedBenchmark(
                .threaded(threads: 2) { thread, _ in
                    uses.withLock {
                        $0.add(700_000, 3)
                        guard thread == 0 else { return }
                        $0.add(20_000, 2, to: main)
                        // A thread of the subject's own.
                        $0.add(100_000, 1, to: 0)
                    }
                }), clock: clock,
            counters: {
                var totals = Counters()
                totals.wakeUps = uses.withLock { $0.sum.wakeUps }
                return totals
            })
        for _ in 0..<2 {
            let slice = runner.run(budget: 5_000_000)
            let batches = UInt64(slice.batches.count)
            #expect(batches > 2 && slice.cpuNanoseconds == batches * 1_400_000)
            #expect(slice.otherNanoseconds == batches * 100_000)
            #if os(Linux)
            #expect(slice.counters.wakeUps == batches * 7)
            #endif
        }
    }

    /// The numbers don't depend on the machine's speed: the helper works and answers at each operation.
    @Test("in a process, a helper's work and the waiting for it are seen, and neither is without one")
    func helper() throws {
        func slice(_ subject: String) throws -> SliceReply {
            let scratch = try ScratchDirectory()
            let worker = try WorkerProcess(
                executable: RunningChild.path(of: "PlantedGauge"),
                arguments: WorkerArguments.make(
                    benchmark: "planted/helped/\(subject)", settings: RunSettings(), directory: scratch.path))
            try worker.beginPreparing(within: 600)
            _ = try worker.finishPreparing(within: 600)
            try worker.calibrate(milliseconds: 20, within: 600)
            return try worker.slice(milliseconds: 20, within: 600)
        }
        func each(_ value: UInt64?, _ slice: SliceReply) -> Double {
            value.map { Double($0) / Double(slice.operations) } ?? -1
        }
        let (alone, halved) = (try slice("alone"), try slice("halved"))
        let (own, other) = (each(halved.cpuNanoseconds, halved), each(halved.otherNanoseconds, halved))
        #expect(other > own / 4 && own > other / 4)
        #expect((0..<own / 20).contains(each(alone.otherNanoseconds, alone)))
        #if os(Linux)
        #expect(each(halved.counters.wakeUps, halved) > 0.5)
        #expect((0..<0.1).contains(each(alone.counters.wakeUps, alone)))
        #endif
    }
}
