import GaugeSupport

/// What all operations of one process cost, including those with much work.
///
/// The undisturbed time comes from quick batches, and a cache that sorts everything at every thousandth store doesn't
/// do it in those. This is the sum of processor time over the sum of operations, from the first slice to the last:
/// nothing runs between them, so no work is left out, while disturbances of the machine are. Processor time leaves out
/// other processes. Only batches whose probe *before* them was at full speed count: that choice doesn't depend on the
/// batch, so a long one is as likely to be chosen as a short one. Between slices other processes use the processor's
/// caches, so a slice's first batch usually takes longer; the usual difference is subtracted.
package struct ArmCourse: Equatable, Sendable {
    /// The mean processor time of an operation, nanoseconds, background threads included. With several threads, which
    /// wait for each other, it is wall time. `nil` if operations are timed one by one: their time is already a mean.
    package let mean: Double?
    /// How much longer than usual the longest batch took, nanoseconds of processor time; the longest operation, if they
    /// are timed one by one.
    package let pause: Double
    /// How many batches paused for at least `leastPause` and half of the longest pause.
    package let bursts: Int
    /// The operations among which these were seen.
    package let operations: Int

    /// Shorter pauses can't be told from disturbances of the machine, nanoseconds.
    package static let leastPause = 1e6
    /// The share of batches that must have been at full speed; otherwise all count.
    package static let leastFast = 0.25
    /// So many bursts are enough to know their rate and cost.
    package static let enoughBursts = 20

    private struct Batch {
        /// Processor time, nanoseconds.
        var cost: Double
        let operations: Double
        let isFirst: Bool
        let isFast: Bool

        var each: Double { cost / operations }
    }
}

extension ArmCourse {
    /// - Parameters:
    ///   - slices: all slices of one process, in order.
    ///   - speed: which probes were at full speed; `nil` if none ran.
    /// - Returns: `nil` without slices, and if one has batches without their processor time.
    package init?(_ slices: [SliceReply], speed: FullSpeed?) {
        guard !slices.isEmpty else { return nil }
        let operations = slices.reduce(0) { $0 + $1.operations }
        if slices.allSatisfy({ $0.batchOperations == 0 }) {
            // An interruption looks like a pause of a single operation.
            let quiet = slices.filter { ($0.interruptions ?? []).isEmpty }
            let longest = quiet.flatMap(\.histograms.values).map(\.maximum).max() ?? 0
            let pause = Double(longest)
            self.init(mean: nil, pause: pause, bursts: pause < Self.leastPause ? 0 : 1, operations: operations)
            return
        }
        var batches: [Batch] = []
        for slice in slices {
            guard let more = Self.batches(of: slice, speed) else { return nil }
            batches += more
        }
        let fast = batches.filter(\.isFast)
        let counted = Double(fast.count) >= Self.leastFast * Double(batches.count) ? fast : batches
        let later = Samples(counted.filter { !$0.isFirst }.map(\.each)).median
        guard let usual = later ?? Samples(counted.map(\.each)).median else { return nil }
        let cold = max(0, (Samples(counted.filter(\.isFirst).map(\.each)).median ?? usual) - usual)
        func cost(_ batch: Batch) -> Double { batch.cost - (batch.isFirst ? cold * batch.operations : 0) }

        let rest = slices.reduce(0) { $0 + Double($1.restNanoseconds ?? 0) }
        let mean =
            counted.reduce(0) { $0 + cost($1) } / counted.reduce(0) { $0 + $1.operations }
            + rest / batches.reduce(0) { $0 + $1.operations }
        let pauses = batches.map { cost($0) - usual * $0.operations }
        let pause = max(0, pauses.max() ?? 0)
        self.init(
            mean: mean, pause: pause, bursts: pauses.count { $0 >= max(Self.leastPause, pause / 2) },
            operations: operations)
    }

    private static func batches(of slice: SliceReply, _ speed: FullSpeed?) -> [Batch]? {
        guard let costs = slice.batchCPU, costs.count == slice.batches.count, slice.batchOperations > 0 else {
            return nil
        }
        let isThreaded = slice.probes == nil
        let readings = slice.readings
        return costs.indices.map { index in
            Batch(
                cost: Double(isThreaded ? slice.batches[index] : costs[index]),
                operations: Double(slice.batchOperations), isFirst: index == 0,
                isFast: index < readings.count ? speed?.holds(readings[index]) ?? true : true)
        }
    }
}

extension SliceReply {
    /// The speed probes, in order; empty if there are none.
    package var readings: [SpeedReading] {
        let chains = chains ?? []
        return (probes ?? []).enumerated().map { index, parallel in
            let chain = index < chains.count ? Double(chains[index]) / Double(SpeedProbe.steps) : nil
            return SpeedReading(parallel: Double(parallel), cycle: chain)
        }
    }
}

extension FullSpeed {
    /// Which probes of some slices were at full speed; `nil` if there were none.
    package init?(of slices: some Sequence<SliceReply>) {
        var readings: [SpeedReading: UInt64] = [:]
        for slice in slices {
            for reading in slice.readings where reading.parallel > 0 { readings[reading.rounded, default: 0] += 1 }
        }
        self.init(readings)
    }
}
