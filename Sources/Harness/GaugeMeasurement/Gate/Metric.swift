import GaugeSupport

/// A count that is the same on every run of one build, and how two counts are judged.
package struct Metric: Hashable, Sendable {
    /// Lower case: `instructions`.
    package let name: String
    package let better: Better
    /// The largest change that counts as none, relative to the base's count; 0 if the count is exact.
    package let tolerance: Double
    /// The largest relative difference at which two counts of one build still count as repeated.
    package let repeatability: Double
    package let summary: String

    package enum Better: Sendable {
        case less, more
        /// Neither: a lower count here means a higher one elsewhere.
        case neither
    }

    private init(
        _ name: String, _ better: Better, tolerance: Double = 0,
        repeatability: Double = RepeatedCount.repeatability, _ summary: String
    ) {
        (self.name, self.better, self.tolerance) = (name, better, tolerance)
        (self.repeatability, self.summary) = (repeatability, summary)
    }

    /// The summary, and how it is judged.
    package var help: String {
        let direction =
            switch better {
            case .less: "less is better"
            case .more: "more is better"
            case .neither: "shown, not gated"
            }
        return "\(summary); \(direction)" + (tolerance > 0 ? ", \(Quantity.percent(tolerance)) is no change" : "")
    }

    package static let instructions = Metric(
        "instructions", .less, tolerance: 0.002, "of one operation, as callgrind counts them")
    package static let systemCalls = Metric(
        "system calls", .less, "of one operation, as callgrind counts them, without those that read the clock")
    package static let allocations = Metric("allocations", .less, "of one operation, where the executable counts them")
    package static let allocatedBytes = Metric("bytes allocated", .less, "requested by one operation")
    package static let readCalls = Metric(
        "read calls", .less, "of one operation: read, pread and others (/proc/self/io)")
    package static let writeCalls = Metric("write calls", .less, "of one operation: write, pwrite and others")
    package static let writtenBytes = Metric(
        "bytes written", .less,
        "by the write calls of one operation, without stores into mapped files")
    package static let memoryHits = Metric("memory hits", .more, "the part of operations that memory answered")
    package static let diskHits = Metric("disk hits", .neither, "the part that the disk answered instead of memory")
    package static let misses = Metric("misses", .less, "the part without an answer")
    package static let evictingStores = Metric(
        "evicting stores", .less, "the part of operations that stored an entry and evicted another")

    package static let callsUnderLock = Metric(
        "calls under a lock", .less, "into the system by one operation, made while a lock of pthreads was held")

    package static let worstInstructions = Metric(
        "worst instructions", .less, tolerance: 0.1, repeatability: 0.02,
        "of the most expensive of \(SequenceCount.operations) operations in a fixed sequence")
    package static let worstPercentInstructions = Metric(
        "worst 1 % instructions", .less, tolerance: 0.02, repeatability: 0.005,
        "of the most expensive hundredth of that sequence, on average")
    package static let worstSystemCalls = Metric(
        "worst system calls", .less, "of the operation of the sequence that makes most")
    package static let worstAllocations = Metric(
        "worst allocations", .less, "of the operation of the sequence that makes most")
    package static let worstPercentAllocations = Metric(
        "worst 1 % allocations", .less, "of the hundredth that makes most, on average")
    package static let worstAllocatedBytes = Metric(
        "worst bytes allocated", .less, tolerance: 0.1, "by the operation of the sequence that requests most")
    package static let worstPercentAllocatedBytes = Metric(
        "worst 1 % bytes allocated", .less, tolerance: 0.02, "by the hundredth that requests most, on average")
    /// The order of a `GrowthOrder`.
    package static let growth = Metric(
        "growth", .less, "of the instructions of an operation with the number of entries: O(1), O(log n), O(n), …")

    /// The counts of the most expensive operations, which an older base lacks.
    package static let tails = [
        worstPercentInstructions, worstInstructions, worstSystemCalls, worstPercentAllocations, worstAllocations,
        worstPercentAllocatedBytes, worstAllocatedBytes,
    ]

    /// Whether it belongs to the most expensive operations.
    package var isTail: Bool { Self.tails.contains(self) }

    /// The figures that benchmarks count themselves, by name.
    package static let figures = [
        Metric("hit ratio", .more, "of the requests that the benchmark counts"),
        Metric("byte hit ratio", .more, "the same, weighted by the size of the body"),
        Metric("evictions", .less, "that the cache counted"),
        Metric("write amplification", .less, "bytes written for each byte stored"),
        Metric("found again", .more, "the part of stores after which the entry was there"),
        Metric("bytes read", .less, "by opening the cache"),
        Metric("index bytes an entry", .less, "of memory"),
    ]

    /// All metrics, in the order of the table.
    package static let all =
        [
            instructions, systemCalls, allocations, allocatedBytes, readCalls, writeCalls, writtenBytes,
            callsUnderLock, memoryHits, diskHits, misses, evictingStores,
        ] + tails + [growth] + figures

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func named(_ name: String) -> Metric? { byName[name] }
}

/// The verdict on one count in two builds.
package enum CountVerdict: Equatable, Sendable {
    case equivalent
    /// The count differs, and the metric has no better direction.
    case changed
    case better
    case worse
    /// One of the builds does not repeat its count, and the builds are neither far apart nor all within 0.2 %.
    case unstable
    /// There's nothing to compare with, for this reason.
    case notComparable(String)

    /// The same in the four words of all verdicts.
    package var verdict: Verdict {
        switch self {
        case .equivalent, .changed: .equivalent
        case .better: .better
        case .worse: .worse
        case .unstable, .notComparable: .inconclusive
        }
    }

    /// For a verdict on a count that doesn't repeat, two builds must be this many times as far apart as its
    /// repetitions.
    private static let clearlyApart = 50.0
    /// The least change of such a count that is judged.
    private static let leastChange = 0.01
    /// The part of such a count within which all of it is no change.
    private static let noChange = 0.002

    /// Judges two counts, exactly where the metric is exact: the ranges of the repetitions must not overlap, and the
    /// distance between them must exceed the tolerance. Where a count does not repeat, it must be 50 times the largest
    /// range, and 1 % of the count; where all repetitions of both builds lie within 0.2 %, the counts are equivalent.
    package static func judging(_ metric: Metric, base: RepeatedCount, head: RepeatedCount) -> CountVerdict {
        // Judge inexact counts no more finely than they are known to repeat.
        let isExact = base.lowest == base.highest && head.lowest == head.highest
        // Ratios of counts have rounding errors in the last digits.
        var allowed = max(metric.tolerance, isExact ? 1e-12 : metric.repeatability) * abs(base.mean)
        if !base.isStable(within: metric.repeatability) || !head.isStable(within: metric.repeatability) {
            let spread = max(base.highest - base.lowest, head.highest - head.lowest)
            let whole = max(base.highest, head.highest) - min(base.lowest, head.lowest)
            let isKnown = [base.lowest, base.highest, head.lowest, head.highest].allSatisfy(\.isFinite)
            if isKnown, whole <= noChange * abs(base.mean) { return .equivalent }
            allowed = max(allowed, leastChange * abs(base.mean), clearlyApart * spread)
            guard allowed.isFinite, max(head.lowest - base.highest, base.lowest - head.highest) > allowed else {
                return .unstable
            }
        }
        let isMore = head.lowest - base.highest > allowed
        let isLess = base.lowest - head.highest > allowed
        guard isMore || isLess else { return .equivalent }
        return switch metric.better {
        case .less: isMore ? .worse : .better
        case .more: isLess ? .worse : .better
        case .neither: .changed
        }
    }

    /// Whether there is a verdict.
    package var isJudged: Bool {
        switch self {
        case .equivalent, .changed, .better, .worse: true
        case .unstable, .notComparable: false
        }
    }

    package var title: String {
        switch self {
        case .equivalent: "equivalent"
        case .changed: "changed"
        case .better: "better"
        case .worse: "WORSE"
        case .unstable: "unstable, not gated"
        case .notComparable(let reason): "not comparable: \(reason)"
        }
    }
}

/// The range of a count over its repetitions. The code can't cause their difference.
package struct RepeatedCount: Equatable, Sendable {
    package let lowest: Double
    package let highest: Double

    /// The largest relative difference between stable counts.
    package static let repeatability = 1e-4

    package init(_ one: Double, _ other: Double) { (lowest, highest) = (min(one, other), max(one, other)) }

    /// The range of some countings; `nil` without any, or if one is missing.
    package init?(_ countings: [Double?]) {
        let known = countings.compactMap(\.self)
        guard known.count == countings.count, let lowest = known.min(), let highest = known.max() else { return nil }
        self.init(lowest, highest)
    }

    /// The range that contains both.
    package func joined(with other: RepeatedCount) -> RepeatedCount {
        RepeatedCount(min(lowest, other.lowest), max(highest, other.highest))
    }

    package var mean: Double { lowest / 2 + highest / 2 }

    /// Whether its ends differ by at most a part of the larger.
    package func isStable(within part: Double) -> Bool {
        guard lowest.isFinite, highest.isFinite else { return false }
        return highest - lowest <= part * max(abs(lowest), abs(highest))
    }
}
