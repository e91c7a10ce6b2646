import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Meter of the noise") struct NoiseMeterTests {
    /// A slice of 1.5 s with three switches, one batch, and probes whose chain takes 0.25 ns a step.
    private func slice(switches: UInt64 = 3, parallel: UInt64 = 1_000) -> SliceReply {
        var report = SliceReply()
        (report.operations, report.batchOperations, report.batches) = (1, 1, [1_500_000_000])
        report.nanoseconds = 1_500_000_000
        report.counters.involuntarySwitches = switches
        report.probes = [parallel, 0]
        report.chains = Array(repeating: UInt64(SpeedProbe.steps / 4), count: 2)
        return report
    }

    @Test("switches are told for each second of measuring, and not at all when nothing was measured")
    func switches() throws {
        var meter = NoiseMeter()
        #expect(meter.report().switchesPerSecond == nil && meter.speed == nil && meter.report().clock == nil)
        meter.add([slice(), slice(switches: 6)].map { MeasuredSlice($0) })
        #expect(abs(try #require(meter.report().switchesPerSecond) - 3) < 1e-9)
    }

    @Test("of a case only the last set is added, since the others were before") func lastSet() throws {
        var result = BenchmarkMeasurements(
            Benchmark(BenchmarkName("a", "b", "c")) { _ in PreparedBenchmark(.batched { _ in }) })
        var meter = NoiseMeter()
        for switches in [3, 30, 300] as [UInt64] {
            result.beginSet()
            result.add(slice(switches: switches))
            meter.addSet([result, result])
        }
        #expect(abs(try #require(meter.report().switchesPerSecond) - 111 / 1.5) < 1e-9)
        result.beginSet()
        meter.addSet([result])
        #expect(abs(try #require(meter.report().switchesPerSecond) - 111 / 1.5) < 1e-9)
    }

    @Test("the clock rate is that of the probes, beside the rate for which times are told") func clock() throws {
        for (reference, told) in [(nil, 4.0), (3.2, 3.2)] as [(Double?, Double)] {
            var meter = NoiseMeter(reference: reference)
            meter.add([MeasuredSlice(slice())])
            let report = meter.report()
            #expect(abs(try #require(report.clock) - 4) < 0.01)
            #expect(abs(try #require(report.referenceClock) - told) < 0.01)
            #expect(report.clockText == (reference == nil ? "4.00 GHz" : "4.00 GHz, times at 3.20"))
        }
    }

    @Test("a probe that took no time did not run, and says nothing about the speed") func probes() throws {
        var meter = NoiseMeter()
        // Three probes at full speed, one at half of it; the second of each slice took no time.
        meter.add([slice(), slice(), slice(), slice(parallel: 2_000)].map { MeasuredSlice($0) })
        #expect(meter.report().fullSpeed == 0.75)
    }

    @Test("pairs of one benchmark are compared at the run's full speed") func pairs() {
        let result = BenchmarkMeasurements(
            Benchmark(BenchmarkName("a", "b", "c")) { _ in PreparedBenchmark(.batched { _ in }) })
        #expect(NoiseMeter().report(pairs: [[result, result]]).pairs.isEmpty)
    }
}
