import Platform

/// Decides which case is measured next.
///
/// First every case has one set, in which its cost is seen. Then the case with the least product of time and sets comes
/// next: cheap cases get more sets, expensive ones more time, and the sets of each are spread over the whole run, so that
/// no row meets one mood of the machine alone. The time that a finished case leaves goes to the others.
package struct RunSchedule {
    private struct Entry {
        let benchmarks: Int
        let isFirst: Bool
        let isControl: Bool
        var sets = 0
        /// Seconds of all sets, and of the last.
        var seconds = 0.0
        var last = 0.0
        var isFinished = false
        var lacksFullSpeed = false
    }

    private let plan: RunPlan
    private let end: UInt64
    private var entries: [Entry]

    /// - Parameter now: the beginning of the run, monotonic nanoseconds.
    package init(cases: [BenchmarkCase], plan: RunPlan, now: UInt64 = monotonicNanoseconds()) {
        self.plan = plan
        end = now + UInt64(plan.seconds * 1e9)
        entries = cases.map { Entry(benchmarks: $0.benchmarks.count, isFirst: $0.isHeadline, isControl: $0.isControl) }
    }

    /// The position of the case to measure next; `nil` at the end of the run.
    package func next(now: UInt64 = monotonicNanoseconds()) -> Int? {
        let unmeasured = entries.indices.filter { entries[$0].sets == 0 && !entries[$0].isFinished }
        if let first = unmeasured.first(where: { entries[$0].isFirst }) ?? unmeasured.first { return first }
        let left = secondsLeft(now: now)
        return entries.indices.filter { index in
            let entry = entries[index]
            return !entry.isFinished && entry.sets < plan.sets ?? .max && entry.last <= left
        }.min { cost(entries[$0]) < cost(entries[$1]) }
    }

    /// A control, a headline, and a case whose rows have no figure yet get twice as much time as other cases.
    private func cost(_ entry: Entry) -> Double {
        let weight = entry.isControl || entry.isFirst || entry.lacksFullSpeed ? 0.25 : 1
        return entry.seconds / Double(max(1, entry.benchmarks)) * Double(entry.sets) * weight
    }

    /// Records a set.
    ///
    /// - Parameters:
    ///   - isFinished: whether more sets of the case are of no use.
    ///   - lacksFullSpeed: whether the processor was at full speed too rarely for one of its rows.
    package mutating func measured(_ index: Int, seconds: Double, isFinished: Bool, lacksFullSpeed: Bool = false) {
        entries[index].sets += 1
        entries[index].seconds += seconds
        entries[index].last = seconds
        entries[index].isFinished = isFinished
        entries[index].lacksFullSpeed = lacksFullSpeed
    }

    /// The number of sets of a case so far.
    package func sets(of index: Int) -> Int { entries[index].sets }

    package func secondsLeft(now: UInt64 = monotonicNanoseconds()) -> Double {
        now < end ? Double(end - now) / 1e9 : 0
    }

    /// The time-out for preparing the peers of a case, seconds: half of the remaining time before its first set, so that
    /// the slowest to fill cannot use all of it; 0 when no time remains. The peers of a headline are always measured.
    package func peerTimeOut(of index: Int, now: UInt64 = monotonicNanoseconds()) -> Double {
        guard entries[index].sets == 0, !entries[index].isFirst else { return .infinity }
        let left = secondsLeft(now: now)
        return left > 0 ? max(left / 2, Self.leastTimeOut) : 0
    }

    /// The shortest time-out for a peer, seconds, which applies at the end of a run.
    package static let leastTimeOut = 2.0
}
