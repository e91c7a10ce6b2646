import GaugeSupport

/// The results of one slice of one benchmark.
package struct SliceReply: Codable, Sendable, Equatable {
    /// Operations run, on all threads together.
    package var operations = 0
    /// Elapsed time inside the body, nanoseconds.
    package var nanoseconds: UInt64 = 0
    /// Processor time inside the body, nanoseconds, of all measured threads.
    package var cpuNanoseconds: UInt64 = 0
    /// Processor time of all other threads during the slice, nanoseconds; `nil` after `sliceEach`, and from an older
    /// worker.
    package var otherNanoseconds: UInt64?
    /// Operations in each batch; 0 if operations were timed one by one.
    package var batchOperations = 0
    /// Time of each batch, in order, nanoseconds.
    package var batches: [UInt64] = []
    /// Processor time of each batch or call, nanoseconds, of all threads together; `nil` after `sliceEach`.
    package var batchCPU: [UInt64]?
    /// Processor time of other threads since the slice before, nanoseconds; `nil` likewise.
    package var restNanoseconds: UInt64?
    /// Operations since the slice before that belong to no slice (see `warmCaches`); `nil` likewise.
    package var restOperations: Int?
    /// Times of a speed probe before each batch or call and after the last, nanoseconds (see `FullSpeed`); `nil`
    /// likewise, and for several threads.
    package var probes: [UInt64]?
    /// Times of the probe's chain, likewise, nanoseconds.
    package var chains: [UInt64]?
    /// The batches or calls during which other work took the processor; `nil` after `sliceEach`.
    package var interruptions: [Int]?
    /// Times of operations timed one by one, by outcome.
    package var histograms: [Outcome: Histogram] = [:]
    /// The share of each of these times that reading the clock took, nanoseconds; `nil` if unknown.
    package var clockNanoseconds: UInt64?
    /// Changes of the counters during the slice.
    package var counters = Counters()
    /// The largest resident memory of the process so far, bytes.
    package var peakResidentBytes: UInt64 = 0
    /// Wrong answers since the worker started.
    package var wrong = 0
    /// The first of these wrong answers.
    package var wrongAnswers: [WrongAnswer] = []
}

extension SliceReply {
    /// The times of all single operations, whatever their outcome.
    var singleOperations: Histogram { histograms.values.reduce(into: Histogram()) { $0.merge($1) } }

    /// The time of one operation, nanoseconds, by which arms are compared.
    ///
    /// If the harness times batches, it's the time of the shortest batch, which had the processor to itself throughout.
    /// Its elapsed time is processor time without that of interrupts and of the host, which the thread's clock would
    /// include. Sets of processes with equal code differ by 0.4 to 0.5 % in this measure, and by 0.7 to 0.9 % by the
    /// thread's clock. If operations are timed one by one, as when they wait for a disk, it's the mean of their elapsed
    /// times.
    package var time: Double {
        if let shortest = batches.min(), batchOperations > 0 { return Double(shortest) / Double(batchOperations) }
        return Double(histograms.values.reduce(0) { $0 &+ $1.sum }) / Double(operations)
    }
}

/// Outcomes are keys of JSON objects, by name.
extension Outcome: CodingKeyRepresentable {}

/// What a fixed number of operations did, apart from the time.
package struct WorkReply: Codable, Equatable, Sendable {
    /// Changes of the counters during the work.
    package var counters = Counters()
    /// Operations by outcome, if the body records it.
    package var outcomes: [Outcome: UInt64] = [:]
}

/// What each operation of a sequence did. An array is empty if the executable doesn't count.
package struct SequenceReply: Codable, Equatable, Sendable {
    /// Allocating calls, by operation.
    package var allocations: [UInt64] = []
    /// Bytes that these calls requested.
    package var allocatedBytes: [UInt64] = []

    package init() {}
}
