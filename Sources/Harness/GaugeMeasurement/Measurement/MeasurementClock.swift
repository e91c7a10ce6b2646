import Platform

/// The clocks of a measurement. Tests supply their own, on which a body takes an exact time.
package struct MeasurementClock {
    /// Elapsed time, nanoseconds.
    package let elapsed: () -> UInt64
    /// Processor time of the calling thread, nanoseconds.
    package let threadCPU: () -> UInt64
    /// Processor time of all threads, nanoseconds.
    package let processCPU: () -> UInt64
    /// Runs a speed probe.
    package let probe: () -> SpeedProbe.Times
    /// How often other work took the processor from this process.
    package let switches: () -> UInt64

    package init(
        elapsed: @escaping () -> UInt64, threadCPU: @escaping () -> UInt64, processCPU: @escaping () -> UInt64,
        probe: @escaping () -> SpeedProbe.Times = { .init() }, switches: @escaping () -> UInt64 = { 0 }
    ) {
        self.elapsed = elapsed
        self.threadCPU = threadCPU
        self.processCPU = processCPU
        self.probe = probe
        self.switches = switches
    }

    package static var system: MeasurementClock {
        MeasurementClock(
            elapsed: monotonicNanoseconds, threadCPU: threadCPUNanoseconds, processCPU: processCPUNanoseconds,
            probe: SpeedProbe.run, switches: { UInt64(resourceUsage().ru_nivcsw) })
    }
}
