/// What one slice of one benchmark has shown.
struct SliceReport: Codable, Sendable, Equatable {
    /// Operations that were run, on all threads together.
    var operations = 0
    /// Time that passed inside the body, nanoseconds.
    var nanoseconds: UInt64 = 0
    /// Processor time used inside the body: of the one thread, or of all when there are several.
    var cpuNanoseconds: UInt64 = 0
    /// Operations in each batch; 0 when operations were timed one by one.
    var batchOperations = 0
    /// Time of each batch, nanoseconds, in the order in which they ran.
    var batches: [UInt64] = []
    /// Time of the operations that were timed one by one, by outcome.
    var histograms: [Outcome: Histogram] = [:]
    /// What the system and the allocator counted meanwhile.
    var counters = CounterChange()
    /// Resident memory at the end of the slice, bytes.
    var residentBytes: UInt64?
    /// The most resident memory there has been in the process, bytes.
    var peakResidentBytes: UInt64 = 0
    /// Wrong answers since the worker started.
    var wrong = 0
    /// The first of them.
    var wrongAnswers: [WrongAnswer] = []
}

/// Outcomes are keys of JSON objects, by their names.
extension Outcome: CodingKeyRepresentable {}
