import Platform

/// The clocks of a measurement. Tests supply their own, on which a body takes an exact time.
package struct MeasurementClock {
    /// Elapsed time, nanoseconds.
    package let elapsed: () -> UInt64
    /// Processor time of the calling thread, nanoseconds.
    package let threadCPU: () -> UInt64
    /// Processor time of all threads, nanoseconds.
    package let processCPU: () -> UInt64

    package init(elapsed: @escaping () -> UInt64, threadCPU: @escaping () -> UInt64, processCPU: @escaping () -> UInt64)
    {
        self.elapsed = elapsed
        self.threadCPU = threadCPU
        self.processCPU = processCPU
    }

    package static var system: MeasurementClock {
        MeasurementClock(
            elapsed: monotonicNanoseconds, threadCPU: threadCPUNanoseconds, processCPU: processCPUNanoseconds)
    }
}
