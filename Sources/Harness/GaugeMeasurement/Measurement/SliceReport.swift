import GaugeSupport

/// The results of one slice of one benchmark.
package struct SliceReport: Codable, Sendable, Equatable {
    /// Operations that ran, on all threads together.
    package var operations = 0
    /// Elapsed time inside the body, nanoseconds.
    package var nanoseconds: UInt64 = 0
    /// Processor time inside the body, nanoseconds: of the one thread, or of all threads.
    package var cpuNanoseconds: UInt64 = 0
    /// Operations in each batch; 0 when operations were timed one by one.
    package var batchOperations = 0
    /// Time of each batch, nanoseconds, in order.
    package var batches: [UInt64] = []
    /// Processor time of each batch or call, nanoseconds, of all threads together; `nil` from an older build.
    package var batchCPU: [UInt64]?
    /// Processor time of other threads between the slice before and this one, nanoseconds; `nil` from an older build.
    package var restNanoseconds: UInt64?
    /// Times of a speed probe before each batch or call and after the last, nanoseconds (see `FullSpeed`); `nil` for
    /// several threads, and from an older build.
    package var probes: [UInt64]?
    /// Times of the probe's chain, in the same order, nanoseconds; `nil` also from a build without it.
    package var chains: [UInt64]?
    /// The positions of the batches or calls during which other work took the processor; `nil` from an older build.
    package var interruptions: [Int]?
    /// Times of the operations that were timed one by one, by outcome.
    package var histograms: [Outcome: Histogram] = [:]
    /// The part of each of these times that reading the clock took, nanoseconds; `nil` where it is not known.
    package var clockNanoseconds: UInt64?
    /// Changes of the system's and the allocator's counters during the slice.
    package var counters = CounterChange()
    /// Resident memory at the end of the slice, bytes.
    package var residentBytes: UInt64?
    /// The largest resident memory of the process so far, bytes.
    package var peakResidentBytes: UInt64 = 0
    /// Wrong answers since the worker started.
    package var wrong = 0
    /// The first of these wrong answers.
    package var wrongAnswers: [WrongAnswer] = []
}

/// Outcomes are keys of JSON objects, by name.
extension Outcome: CodingKeyRepresentable {}

/// The work of a fixed number of operations, apart from their time.
package struct WorkReport: Codable, Equatable, Sendable {
    /// Changes of the system's and the allocator's counters during the work.
    package var counters = CounterChange()
    /// The number of operations by outcome, where the body records it.
    package var outcomes: [Outcome: UInt64] = [:]
}

/// The work of each operation of a sequence. An array is empty where the executable does not count.
package struct SequenceReport: Codable, Equatable, Sendable {
    /// Allocating calls, by operation.
    package var allocations: [UInt64] = []
    /// Bytes that these calls requested.
    package var allocatedBytes: [UInt64] = []

    package init() {}
}
