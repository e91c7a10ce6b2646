import GaugeSupport

/// One slice of one benchmark, reduced to what results need.
package struct MeasuredSlice {
    package let operations: Int
    /// Elapsed and processor time inside the body, nanoseconds.
    package let nanoseconds: UInt64
    package let cpuNanoseconds: UInt64
    /// Processor time of other threads meanwhile and since the slice before, nanoseconds; `nil` if unknown. A cache may
    /// leave work to a thread that wakes up between slices.
    package let otherNanoseconds: UInt64?
    /// Operations since the slice before, whose work is in `otherNanoseconds`, too.
    package let restOperations: Int
    /// Time per operation in each batch, nanoseconds.
    package let batches: [Double]
    /// Times of operations timed one by one, by outcome.
    package let outcomes: [Outcome: Tally]
    /// The speed probes before each batch and after the last; empty if there are none.
    package let probes: [SpeedReading]
    /// The batches during which other work took the processor.
    package let interruptions: [Int]
    package let involuntarySwitches: UInt64

    package init(_ report: SliceReply) {
        operations = report.operations
        nanoseconds = report.nanoseconds
        cpuNanoseconds = report.cpuNanoseconds
        otherNanoseconds = report.otherNanoseconds.map { $0 + (report.restNanoseconds ?? 0) }
        restOperations = report.restOperations ?? 0
        batches = report.batches.map { Double($0) / Double(max(1, report.batchOperations)) }
        outcomes = report.histograms.mapValues(Tally.init)
        probes = report.readings
        interruptions = report.interruptions ?? []
        involuntarySwitches = report.counters.involuntarySwitches
    }

    /// The times of batches, or of operations with one outcome.
    package func tally(of outcome: Outcome?) -> Tally {
        outcome.map { outcomes[$0] ?? Tally([Tally.Entry]()) } ?? Tally(batches)
    }

    /// Whether the whole slice was at full speed and uninterrupted. If no probe ran, only interruptions count.
    package func isUndisturbed(_ speed: FullSpeed?) -> Bool {
        guard interruptions.isEmpty else { return false }
        guard let speed else { return true }
        return probes.allSatisfy(speed.holds)
    }

    /// The times that `UndisturbedTime` chooses from, converted to the reference clock rate: those of all batches, each
    /// with whether it was uninterrupted and the probes on both sides at full speed; or the median of the operations
    /// with one outcome.
    package func times(of outcome: Outcome?, _ speed: FullSpeed?) -> [(time: Double, isUndisturbed: Bool)] {
        let correction = speed.map { $0.correction(probes.filter($0.holds).compactMap(\.cycle)) } ?? 1
        if let outcome {
            return outcomes[outcome]?.quantile(0.5).map { [($0 * correction, isUndisturbed(speed))] } ?? []
        }
        return batches.enumerated().map { index, time in
            guard !interruptions.contains(index) else { return (time, false) }
            guard let speed, probes.count == batches.count + 1 else { return (time, true) }
            return (time * correction, speed.holds(probes[index]) && speed.holds(probes[index + 1]))
        }
    }

    /// Whether its times can be converted to the reference clock rate.
    package var hasClockRate: Bool { probes.contains { $0.cycle != nil } }

    /// An operation's median time; `nil` for several outcomes, whose median means nothing.
    package var typical: Double? {
        guard outcomes.isEmpty else { return outcomes.count == 1 ? outcomes.first?.value.quantile(0.5) : nil }
        return Samples(batches).median
    }

    /// An operation's median time, or its mean for a mixture of outcomes.
    package var typicalOrMean: Double? { typical ?? mean }

    /// The mean time of all operations, with the body's work between them.
    package var mean: Double? { operations > 0 ? Double(nanoseconds) / Double(operations) : nil }

    /// The mean time of all operations, without the body's work between those timed one by one.
    package var timedMean: Double? {
        guard !outcomes.isEmpty, operations > 0 else { return mean }
        let sum = outcomes.values.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.value * Double($1.count) } }
        return sum / Double(operations)
    }
}
