/// A benchmark that is ready to be measured. It lives in one worker, and only the worker's main thread calls it.
public struct PreparedBenchmark {
    /// How the operations are run and timed.
    public enum Body {
        /// For operations under a microsecond: `body(n)` runs n of them in a loop, and the harness times the whole
        /// batch. The loop passes its result to `blackHole` once, at its end.
        case batched((_ operations: Int) -> Void)
        /// For operations of a microsecond and more: the body times each through the recorder, by outcome.
        case timed((_ operations: Int, _ recorder: inout LatencyRecorder) -> Void)
        /// Like `batched`, on `threads` threads at once; each calls the body with its number, from 0.
        case threaded(threads: Int, @Sendable (_ thread: Int, _ operations: Int) -> Void)
    }

    /// How the operations are run and timed.
    public var body: Body
    /// The outcome of the operations of a batched body: memory hit, miss, …
    public var outcome: Outcome
    /// Results that aren't times, read once after the last slice.
    public var figures: () throws -> [Figure]
    /// Called once after the last slice and the figures, untimed.
    public var finish: () throws -> Void
    /// Called after calibrating and warming up: the figures leave out what was before.
    @usableFromInline package var restart: () -> Void = {}

    /// Creates a prepared benchmark from its body.
    public init(
        _ body: Body, outcome: Outcome = .computed, figures: @escaping () throws -> [Figure] = { [] },
        finish: @escaping () throws -> Void = {}
    ) {
        (self.body, self.outcome, self.figures, self.finish) = (body, outcome, figures, finish)
    }
}

/// The result of an operation. A figure belongs to one outcome: a percentile over several would hide a shift between
/// them.
@frozen
public enum Outcome: String, Sendable, CaseIterable, Codable {
    /// Not a cache operation: parsing, hashing.
    case computed
    /// Answered from memory.
    case memoryHit = "memory-hit"
    /// Answered from disk, without promotion to memory.
    case diskHit = "disk-hit"
    /// Answered from disk and promoted to memory.
    case promotion
    /// Answered by a cache with several tiers that doesn't report the tier.
    case hit
    /// Not answered.
    case miss
    /// Stored, nothing evicted.
    case store
    /// Stored, and something evicted for it.
    case storeEvict = "store-evict"
    /// Removed.
    case remove
    /// Revalidated with the origin.
    case revalidation

    /// The position in `allCases`, for tables by outcome.
    @inlinable
    public var ordinal: Int {
        switch self {
        case .computed: 0
        case .memoryHit: 1
        case .diskHit: 2
        case .promotion: 3
        case .hit: 4
        case .miss: 5
        case .store: 6
        case .storeEvict: 7
        case .remove: 8
        case .revalidation: 9
        }
    }

    /// Whether a cache answered.
    package var isHit: Bool { [.memoryHit, .diskHit, .promotion, .hit].contains(self) }

    /// The number of outcomes.
    @inlinable
    public static var count: Int { 10 }
}

/// A result that isn't the time of one operation: a hit ratio, a number of evictions.
///
/// Figures are printed below the table of times, one line per benchmark, and stand beside the times in the JSON.
public struct Figure: Codable, Sendable, Equatable {
    /// The unit of the value.
    public enum Unit: String, Codable, Sendable {
        /// A number of things.
        case count
        /// A number of bytes.
        case bytes
        /// From 0 to 1, shown as per cent.
        case ratio
        /// A time that belongs beside those of the table.
        case nanoseconds
    }

    /// Lower case and short, the same for every subject of a case: `hit ratio`, `evictions`.
    public let name: String
    /// The value, in the unit.
    public let value: Double
    /// The unit of the value.
    public let unit: Unit

    /// Creates a figure.
    public init(_ name: String, _ value: Double, _ unit: Unit = .count) {
        (self.name, self.value, self.unit) = (name, value, unit)
    }
}
