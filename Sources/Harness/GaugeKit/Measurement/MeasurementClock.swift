import Platform

/// The clocks of a measurement. Tests bring their own, on which a body takes exactly as long as they say.
struct MeasurementClock {
    /// Time that passes, nanoseconds.
    let elapsed: () -> UInt64
    /// Processor time of the calling thread, nanoseconds.
    let threadCPU: () -> UInt64
    /// Processor time of all threads, nanoseconds.
    let processCPU: () -> UInt64

    static var system: MeasurementClock {
        MeasurementClock(
            elapsed: monotonicNanoseconds, threadCPU: threadCPUNanoseconds, processCPU: processCPUNanoseconds)
    }
}
