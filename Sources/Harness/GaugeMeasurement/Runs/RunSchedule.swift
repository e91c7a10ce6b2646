import GaugeSupport
import Platform

/// Decides which case is measured next.
///
/// First every case has one set, which shows its cost, then as many as an interval needs. The next set goes where it
/// narrows an interval the most for its time: to cases whose slices scatter, and among the others to cheap ones. Each
/// case's sets are spread over the whole run, so that no row meets only one mood of the machine. Time that a finished
/// case leaves goes to the others.
package struct RunSchedule {
    private struct Entry {
        let benchmarks: Int
        let isFirst: Bool
        let isControl: Bool
        var sets = 0
        /// Seconds of all sets, and of another one.
        var seconds = 0.0
        var last = 0.0
        var isFinished = false
        var lacksFullSpeed = false
        /// The spread of its slices, relative to their median.
        var scatter = RunSchedule.leastScatter
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

    /// The position of the next case; `nil` at the end of the run.
    package func next(now: UInt64 = monotonicNanoseconds()) -> Int? {
        let unmeasured = entries.indices.filter { entries[$0].sets == 0 && !entries[$0].isFinished }
        if let first = unmeasured.first(where: { entries[$0].isFirst }) ?? unmeasured.first { return first }
        let left = secondsLeft(now: now)
        let possible = entries.indices.filter { index in
            let entry = entries[index]
            return !entry.isFinished && entry.sets < plan.sets ?? .max && entry.last <= left
        }
        let few = possible.filter { entries[$0].sets < RunPlan.leastSets }
        return (few.isEmpty ? possible : few).min { cost(entries[$0]) < cost(entries[$1]) }
    }

    /// The least comes next: time and sets, over the scatter. Its square would be best for the sum of all variances, and
    /// leaves steady cases one set each. A control, a headline, and a case whose rows have no figure yet get twice as
    /// much time as others.
    private func cost(_ entry: Entry) -> Double {
        let weight = entry.isControl || entry.isFirst || entry.lacksFullSpeed ? 0.25 : 1
        return entry.seconds / Double(max(1, entry.benchmarks)) * Double(entry.sets) * weight
            / entry.scatter
    }

    /// What scatters less is taken for as certain: sets of processes differ by so much in any case.
    package static let leastScatter = 0.02

    /// Records a set.
    ///
    /// - Parameters:
    ///   - seconds: its time, without slow peers.
    ///   - next: how long another set takes; `nil` for as long as this one.
    ///   - isFinished: whether more sets would be useless.
    ///   - lacksFullSpeed: whether the processor was at full speed too rarely for one of its rows.
    ///   - scatter: the largest spread of its rows' slices (see `Samples.spread`).
    package mutating func measured(
        _ index: Int, seconds: Double, next: Double? = nil, isFinished: Bool, lacksFullSpeed: Bool = false,
        scatter: Double = 0
    ) {
        entries[index].sets += 1
        entries[index].seconds += seconds
        entries[index].last = next ?? seconds
        entries[index].isFinished = isFinished
        entries[index].lacksFullSpeed = lacksFullSpeed
        entries[index].scatter = max(scatter, Self.leastScatter)
    }

    package func sets(of index: Int) -> Int { entries[index].sets }

    package func secondsLeft(now: UInt64 = monotonicNanoseconds()) -> Double { now < end ? Double(end - now) / 1e9 : 0 }

    /// The time-out for preparing a case's peers, seconds: half of the remaining time before its first set, so that the
    /// slowest to fill can't use it all; 0 if no time remains. A headline's peers are always measured.
    package func peerTimeOut(of index: Int, now: UInt64 = monotonicNanoseconds()) -> Double {
        guard entries[index].sets == 0, !entries[index].isFirst else { return .infinity }
        let left = secondsLeft(now: now)
        return left > 0 ? max(left / 2, Self.leastTimeOut) : 0
    }

    /// The shortest time-out for a peer, seconds, used at the end of a run.
    package static let leastTimeOut = 2.0
}

/// How long a run measures, how much in each set, and when a row is precise enough.
package struct RunPlan: Sendable {
    package static let defaultSeconds = 50.0

    /// No set begins that would end later than this, seconds.
    package var seconds = RunPlan.defaultSeconds
    /// The most sets of each case; `nil` for as many as there's time for.
    package var sets: Int?
    /// Slices of each benchmark in a set; `nil` for a number that suits the preparation.
    package var samples: Int?
    /// A benchmark is finished once the intervals of its time and ratio reach at most this share of them to either
    /// side, e.g. 0.01 for one per cent. `nil` measures on.
    package var precision: Double?

    package init(
        seconds: Double = RunPlan.defaultSeconds, sets: Int? = nil, samples: Int? = nil, precision: Double? = nil
    ) {
        (self.seconds, self.sets, self.samples, self.precision) = (seconds, sets, samples, precision)
    }

    /// The fewest sets for a benchmark to be precise enough: the spread of fewer says little.
    package static let leastSets = 5

    package func isPrecise(_ rows: [ResultRow]) -> Bool {
        guard let precision else { return false }
        return rows.allSatisfy { row in
            guard row.measuredSets.count >= Self.leastSets else { return false }
            // All sets share their run's clock rate, so more of them don't make a time more certain.
            let time = SetEstimate.of(row.measuredSets.compactMap(\.undisturbed))?.error
            let errors = [time, row.ratioInterval == nil ? nil : row.ratioError].compactMap(\.self)
            return !errors.isEmpty && errors.allSatisfy { $0 <= precision }
        }
    }
}

/// The benchmarks of one stage and case, measured in alternation because their figures are compared.
package struct BenchmarkCase {
    /// `stage/case`.
    package let name: String
    /// One benchmark for each subject, in listed order.
    package let benchmarks: [Benchmark]
    /// Whether it measures one benchmark against itself (see `AACheck`).
    package var isControl = false

    /// The suite whose benchmarks are measured first, with their peers, however little time there is.
    package static let headline = "headline"

    /// Whether it is measured first, and completely.
    package var isHeadline: Bool { benchmarks.contains { $0.suites.contains(Self.headline) } }

    /// Groups benchmarks in the order in which their cases first appear.
    package static func grouping(_ benchmarks: [Benchmark]) -> [BenchmarkCase] {
        benchmarks.grouped { "\($0.name.stage)/\($0.name.case)" }.map { BenchmarkCase(name: $0, benchmarks: $1) }
    }
}

/// Peers that take longer than all quicker ones of their case together. They spend their own time: none of it counts as
/// the case's, so that the case has as many sets as without them.
package enum SlowPeers {
    /// No peer is slow before it has spent so many seconds.
    package static let leastSeconds = 0.5
    /// A nearest peer takes part in the first sets, without which it has no interval, unless it takes so many times as
    /// long as all quicker ones together.
    static let patience = 4.0

    package static func slow(_ measured: [BenchmarkMeasurements], _ active: [Int]) -> Set<Int> {
        Set(active.filter { excess(of: $0, measured, active) > 1 })
    }

    /// The slow peers that sit out the next set, until the others have spent as much time. A peer that programs usually
    /// have, whose store may take 0.3 s, does so from its first set on.
    package static func waiting(_ measured: [BenchmarkMeasurements], _ active: [Int]) -> Set<Int> {
        let waiting = active.filter { position in
            let peer = measured[position]
            let isFirst = !peer.benchmark.isUsual && peer.sets.count { !$0.isEmpty } < RunPlan.leastSets
            return excess(of: position, measured, active) > (isFirst ? patience : 1)
        }
        return Set(waiting)
    }

    /// How many times as long as all quicker ones together a peer took; 0 for a quick one, and for others.
    private static func excess(of position: Int, _ measured: [BenchmarkMeasurements], _ active: [Int]) -> Double {
        let spent = measured[position].seconds
        guard measured[position].benchmark.isPeer, spent > leastSeconds else { return 0 }
        let quicker = active.map { measured[$0].seconds }.filter { $0 < spent }.reduce(0, +)
        return quicker > 0 ? spent / quicker : 0
    }
}
