/// Of a trace that is replayed, what an oracle has to know: which request could be answered with what an earlier one
/// brought.
///
/// Request j can be answered with what request i brought, i being the one before j for the same object, if the object
/// had not changed in between, and if some response since its last change was still fresh at j. The last is more
/// than a cache can count on, since a response that it keeps takes the place of the next one, which might have been
/// fresh for longer; so what is computed from this log bounds every cache from above. Where nothing expires it is exact.
///
/// Takes 12 bytes a request, and 16 an object where any response expires.
package struct ReuseLog {
    /// The longest trace that is logged: 600 MB.
    package static let longest = 50_000_000

    /// What has to be found again of an object: kept by whoever keeps the objects, beside what he looks at anyway.
    package struct Past {
        /// The last request for it, plus one; 0 when what it brought is of no use.
        fileprivate var last: UInt32 = 0

        package init() {}
    }

    private struct Lifetime {
        /// When the response that is fresh longest stops being so.
        var expiry = -Double.infinity
        /// The same of the response that a cache without limits would hold.
        var held = -Double.infinity

        static let unlimited = Lifetime(expiry: .infinity, held: .infinity)
    }

    /// For each request the one, plus one, with whose response it could be answered; 0 for none. Written in order, as the
    /// requests come: the other way round, each would be written where nobody has looked for long.
    package private(set) var previous: [UInt32] = []
    /// For each request the bytes of its body.
    package private(set) var sizes: [Int] = []
    /// What a cache without limits would have answered, were it free in when it asks the origin.
    package private(set) var infinite = HitSum()
    /// Whether any response expires.
    package private(set) var hasExpiry = false
    /// Whether the trace is too long to be logged; what is there is then of no use.
    package private(set) var isOverfull = false
    /// By object, once any response expires. Until then what is of use is fresh for ever.
    private var lifetimes: [Lifetime] = []

    /// How many requests have been noted.
    package var count: Int { sizes.count }

    /// For each request the one that could be answered with what it brought; 0 for none.
    ///
    /// - Complexity: O(n), and 4 bytes a request.
    package var next: [UInt32] {
        var next = [UInt32](repeating: 0, count: count)
        for (index, previous) in previous.enumerated() where previous != 0 { next[Int(previous) - 1] = UInt32(index) }
        return next
    }

    /// Whether all requests that could be answered are for bodies of one size; that size.
    package private(set) var oneSize: OneSize = .none

    /// A log of no requests.
    package init() {}

    /// What the sizes have in common.
    package enum OneSize: Hashable { case none, all(Int), differ }

    /// Notes a request that a cache may answer, or whose response it may store.
    ///
    /// - Parameters:
    ///   - past: of the object; none of a new one.
    ///   - object: its number, from 0; one that is not noted costs as much memory as one that is.
    ///   - size: bytes of the body.
    ///   - isChanged: whether the object is another one than when it was asked for last.
    ///   - now: seconds; never less than before.
    ///   - mayBeAnswered: whether the origin need not be asked.
    ///   - expiry: when the response that the trace has stops being fresh; `nil` if it may not be stored.
    package mutating func note(
        _ past: inout Past, object: Int, size: Int, isChanged: Bool = false, now: Double = 0,
        mayBeAnswered: Bool = true,
        expiry: Double? = .infinity
    ) {
        guard !isOverfull else { return }
        guard count < Self.longest else {
            isOverfull = true
            (previous, sizes, lifetimes) = ([], [], [])
            return
        }
        if let expiry, expiry < .infinity { hasExpiry = true }
        // What was noted before anything expired, and is of use, is fresh for ever.
        if hasExpiry { while lifetimes.count <= object { lifetimes.append(.unlimited) } }
        let last = isChanged ? 0 : past.last
        var lifetime = last == 0 ? Lifetime() : hasExpiry ? lifetimes[object] : .unlimited
        let canBeAnswered = mayBeAnswered && now < lifetime.expiry
        if canBeAnswered {
            switch oneSize {
            case .none: oneSize = .all(size)
            case .all(size): break
            default: oneSize = .differ
            }
        }
        noteInfinite(&lifetime, size: size, now: now, mayBeAnswered: mayBeAnswered, expiry: expiry)
        lifetime.expiry = max(lifetime.expiry, expiry ?? -.infinity)
        // What may not be stored ends the life of what was, unless it was never asked for.
        let isOfUse = expiry != nil || canBeAnswered
        previous.append(canBeAnswered ? last : 0)
        sizes.append(size)
        past.last = isOfUse ? UInt32(count) : 0
        if hasExpiry { lifetimes[object] = lifetime }
    }

    /// Fewest fetches such that each request is a fetch or falls into the freshness of the last one: whenever what is
    /// held is no longer fresh, one fetch was necessary since it came, and the best one is the one that is fresh longest.
    private mutating func noteInfinite(
        _ lifetime: inout Lifetime, size: Int, now: Double, mayBeAnswered: Bool, expiry: Double?
    ) {
        if mayBeAnswered && now < lifetime.held {
            infinite.add(size)
        } else {
            lifetime.held = max(lifetime.expiry, expiry ?? -.infinity)
        }
    }
}

/// Hits and their bytes.
package struct HitSum: Hashable, Sendable {
    /// How many requests were answered.
    package var hits = 0
    /// Bytes of their bodies; sums that do not fit into 63 bits stay at the largest.
    package var bytes = 0

    package init(hits: Int = 0, bytes: Int = 0) {
        self.hits = hits
        self.bytes = bytes
    }

    package mutating func add(_ size: Int, times count: Int = 1) {
        hits += count
        let (product, isTooLarge) = size.multipliedReportingOverflow(by: count)
        bytes = bytes.addingClamped(isTooLarge ? .max : product)
    }
}
