import GaugeSupport
import Platform

/// A workload without its seed: the contents of a workload file, which command-line options can change.
///
/// `WORKLOADS.md` describes the file, member by member.
@usableFromInline package struct WorkloadPlan: Hashable, Sendable {
    /// The name in reports: lower-case letters, digits and hyphens.
    @usableFromInline package var name = "custom"
    /// The traffic that it models, in a sentence.
    @usableFromInline package var models = ""
    @usableFromInline package var objects = 10_000
    @usableFromInline package var keys = KeyPattern.zipf(exponent: 0.8)
    @usableFromInline package var sizes = BodySizes.Distribution.webLike
    /// The header classes of the objects; never empty.
    @usableFromInline package var headers = [HeaderClass(maxAge: 86_400, etag: true)]
    @usableFromInline package var operations = OperationMix()
    /// The time between visits.
    @usableFromInline package var revisit = RevisitInterval.exponential(seconds: 30)
    /// The part of reads sent twice at one moment, the second before the first is answered; 0 to 1.
    @usableFromInline package var duplicates = 0.0

    /// Web objects by Zipf's law, fresh for a day.
    @usableFromInline package init() {}

    /// Bounds of a plan's values: wide enough for any cache of this kind, and no plan within them runs endlessly or
    /// needs a table that doesn't fit into memory.
    package enum Bounds {
        package static let objects = 1...1_000_000
        package static let bodyBytes = 0...(64 << 20)
        package static let classes = 1...100
        package static let bins = 1...500
        package static let parts = 1...16
        package static let pages = 1...1_000_000
        package static let pageRequests = 1...1_000
        package static let seconds = 0...315_360_000
        package static let requests = 1...1_000_000_000
        package static let weight = 0.0...1e9
        package static let interval = 0.001...31_536_000
        package static let exponent = 0.0...10.0
    }
}

/// The operations on the keys of a workload, by weight.
@usableFromInline package struct OperationMix: Hashable, Sendable {
    @usableFromInline package enum Operation: String, CaseIterable, Sendable {
        /// The object is requested, and stored if missing.
        case read
        /// The object has changed, and its next version is stored: by the application in a benchmark, by a PUT at the
        /// origin in a simulation.
        case store
        /// The application removes the object from the cache.
        case remove
    }

    @usableFromInline package var read = 1.0
    @usableFromInline package var store = 0.0
    @usableFromInline package var remove = 0.0

    /// Creates a mix; without a positive weight, all operations are reads.
    @usableFromInline package init(read: Double = 1, store: Double = 0, remove: Double = 0) {
        (self.read, self.store, self.remove) = (read, store, remove)
    }

    /// Whether all operations are reads, so that none need be drawn.
    @usableFromInline package var isReadOnly: Bool { store <= 0 && remove <= 0 }

    /// The operation for a point from 0 to 1.
    @usableFromInline package func operation(at point: Double) -> Operation {
        let (read, store, remove) = (max(0, read), max(0, store), max(0, remove))
        let place = point * (read + store + remove)
        if place < read || read + store + remove == 0 { return .read }
        return place < read + store || remove == 0 ? .store : .remove
    }
}

/// The time from one visit to the next. A visit is a page or, in other patterns, a request.
@usableFromInline package enum RevisitInterval: Hashable, Sendable {
    /// Always the same.
    case constant(seconds: Double)
    /// A Poisson process with this mean.
    case exponential(seconds: Double)

    /// The next interval, seconds.
    package func draw(_ random: inout Xoshiro256) -> Double {
        switch self {
        case .constant(let seconds): seconds
        // From 2^-53 to 1, so that the logarithm is finite.
        case .exponential(let seconds): -log(1 - random.nextUnit()) * seconds
        }
    }
}

/// A class of responses with the same caching fields. Seed and key decide an object's class, by weight.
@usableFromInline package struct HeaderClass: Hashable, Sendable {
    /// The number of objects in this class, relative to the other classes.
    @usableFromInline package var weight: Double = 1
    /// `Cache-Control: max-age`, seconds; `nil` for none, so that with `lastModified` heuristics give the lifetime.
    @usableFromInline package var maxAge: Int?
    /// `Cache-Control: stale-while-revalidate`, seconds.
    @usableFromInline package var staleWhileRevalidate: Int?
    /// `Cache-Control: no-store`.
    @usableFromInline package var noStore: Bool = false
    /// `Cache-Control: no-cache`.
    @usableFromInline package var noCache: Bool = false
    /// `Cache-Control: must-revalidate`.
    @usableFromInline package var mustRevalidate: Bool = false
    /// `Cache-Control: immutable`.
    @usableFromInline package var immutable: Bool = false
    /// An `ETag`, which changes with the object.
    @usableFromInline package var etag: Bool = false
    /// `Last-Modified`: how many seconds before the workload's start such objects changed, on average; `nil` for no
    /// such field.
    @usableFromInline package var lastModified: Int?
    /// The request field that the response varies by; empty for none.
    @usableFromInline package var vary: String = ""
    /// How many values that field has in requests.
    @usableFromInline package var variants: Int = 1
    /// Seconds between two changes of an object; `nil` for objects that never change.
    @usableFromInline package var changesEvery: Int?

    /// The value of `Cache-Control`; `nil` without directives.
    @usableFromInline package var cacheControl: String? {
        var directives: [String] = []
        if noStore { directives.append("no-store") }
        if noCache { directives.append("no-cache") }
        if let maxAge { directives.append("max-age=\(maxAge)") }
        if mustRevalidate { directives.append("must-revalidate") }
        if immutable { directives.append("immutable") }
        if let staleWhileRevalidate { directives.append("stale-while-revalidate=\(staleWhileRevalidate)") }
        return directives.isEmpty ? nil : directives.joined(separator: ", ")
    }
}

extension HeaderClass {
    package static func of(_ key: UInt64, among classes: [HeaderClass], seed: UInt64) -> HeaderClass {
        var random = SplitMix64(seed: SplitMix64.derive(seed, "headers") ^ SplitMix64.mix(key))
        var point = Double(random.next() >> 11) * 0x1p-53 * classes.reduce(0) { $0 + max(0, $1.weight) }
        var chosen = classes.first ?? HeaderClass()
        for one in classes where one.weight > 0 {
            chosen = one
            point -= one.weight
            if point < 0 { break }
        }
        return chosen
    }
}
