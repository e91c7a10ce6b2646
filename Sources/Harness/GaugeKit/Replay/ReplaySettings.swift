import GaugeTraces

package struct ReplaySettings: Sendable {
    package var configuration: SubjectConfiguration
    /// Body sizes of keys, for traces without sizes.
    package var sizes: BodySizes
    /// URLs of keys, for traces without URLs.
    package var urls: RequestURLs

    /// Decides which responses may be reused and stored, if the trace has HTTP metadata.
    package var rules: any CachingRules = RulesOfThumb()
    /// How the cache counts and admits entries, as far as ``AccessRules`` need to know.
    package var admission = AdmissionRule.any
    /// What it means that an object's size differs from the one at its last request.
    package var sizeChanges = SizeChanges.version
    /// When requests are sent.
    package var pace = ReplayPace.closedLoop
    /// Whether to compute how well other caches could have done.
    package var wantsBounds = true

    /// Replays into a subject made from `configuration`. Traces without sizes get ``BodySizes/Distribution/oneSize``,
    /// those without URLs get URLs drawn from `seed`.
    package init(configuration: SubjectConfiguration, seed: UInt64) {
        self.configuration = configuration
        sizes = BodySizes(.oneSize, seed: seed)
        urls = RequestURLs(seed: seed)
    }

    /// The rules that a simulation of the subject would share.
    package var accessRules: AccessRules {
        var accessRules = AccessRules(sizes: sizes, urls: urls)
        accessRules.caching = rules
        accessRules.admission = admission
        accessRules.sizeChanges = sizeChanges
        accessRules.countsBytes = configuration.entryLimit == nil
        accessRules.largestEntry = admission.largest(
            ofCapacity: max(configuration.memoryCapacity, configuration.diskCapacity))
        return accessRules
    }

    /// The longest body given to the subject, bytes. No tier could keep a larger one, so it isn't made.
    package var longestBody: Int {
        if configuration.entryLimit != nil { return Self.standInCount }
        return min(max(configuration.memoryCapacity, configuration.diskCapacity), AdmissionRule.longestBody)
    }

    /// Bytes of the body made for an object of this size: the same, but enough to name its key.
    package func bodyCount(ofSize size: Int) -> Int {
        configuration.entryLimit == nil ? max(size, Payload.headerCount) : Self.standInCount
    }

    /// The capacity of the caches that a subject is compared with: the sum of its tiers' capacities in bytes of bodies,
    /// since no two tiers need to hold the same body.
    package func boundedCapacity(of capabilities: SubjectCapabilities) -> Bounds.Capacity {
        if let entries = configuration.entryLimit { return .entries(entries) }
        let memory = capabilities.contains(.memory) ? configuration.memoryCapacity : 0
        let disk = capabilities.contains(.disk) ? configuration.diskCapacity : 0
        return .bytes(memory.addingClamped(disk))
    }

    /// Bytes of every body if the capacity counts entries. The size then affects only the replay's memory.
    package static let standInCount = 64
}

/// When the requests of a replay are sent.
package enum ReplayPace: Hashable, Sendable {
    /// Each after the previous answer.
    case closedLoop
    /// So many a second, each when it is due (``OpenLoop``).
    case evenly(rate: Double)
    /// At the times of the trace, this many times as fast (``TraceTimes``).
    case traceTimes(speedup: Double)

    var isOpen: Bool { self != .closedLoop }

    package var rate: Double? {
        if case .evenly(let rate) = self { rate } else { nil }
    }
}

/// Due times of requests sent at the times of a trace. One whose time is missing or earlier than the last is due with
/// the last.
///
/// A pause longer than ``longestPause`` is cut to that length: an idle cache does nothing to measure, and a wrong date
/// would make a replay wait for years.
struct TraceTimes {
    /// The longest wait between two requests, nanoseconds.
    static let longestPause = 60e9
    /// Nanoseconds after which a clock of 63 bits could overflow; a replay ends before.
    private static let latest = 3e18

    private let speedup: Double
    /// The latest time of the trace so far, seconds.
    private var time: Double?
    private var due = 0.0
    private(set) var cut = CutPauses()

    /// - Parameter speedup: how many times as fast as the trace; more than 0.
    init(speedup: Double) { self.speedup = speedup }

    /// When the next request is due, nanoseconds after the first.
    mutating func due(_ request: TraceRequest) -> Double {
        guard let next = request.time else { return due }
        let pause = max(0, next - (time ?? next)) / speedup * 1e9
        time = max(time ?? next, next)
        if pause > Self.longestPause { cut.add(seconds: (pause - Self.longestPause) / 1e9) }
        due = min(due + min(pause, Self.longestPause), Self.latest)
        return due
    }
}

package struct CutPauses: Hashable, Sendable {
    package private(set) var count = 0
    /// By how much all of them were cut.
    package private(set) var seconds = 0.0

    mutating func add(seconds: Double) {
        count += 1
        self.seconds += seconds
    }
}
