/// What an oracle needs of a replayed trace: which requests could be answered with an earlier response.
///
/// Let i be the request before j for the same object. The response of i can answer j if the object hadn't changed in
/// between, and if some response since its last change was still fresh at j. A real cache can't rely on the second
/// condition: each response replaces the one before, which might have been fresh for longer. So results computed from
/// this log are upper bounds, and exact if nothing expires.
///
/// Takes 8 bytes per request, 12 if any body has 4 GiB or more, 4 more where a body's size changes and it is no other
/// version, and 16 per object if any response expires. ``turned()`` needs no more.
package struct ReuseLog {
    /// The most requests that are logged: 400 MB.
    package static let longest = 50_000_000

    /// What the log needs to know of an object. The caller keeps it with the object, in memory that it accesses anyway.
    package struct Past {
        /// The last request for it, plus one; 0 if its response can't be used.
        fileprivate var last: UInt32 = 0
        /// The least size that its response may have; `.max` for that and more.
        fileprivate var smallest: UInt32 = .max

        package init() {}
    }

    private struct Lifetime {
        /// When the response that is fresh longest expires.
        var expiry = -Double.infinity
        /// When the response that a cache without limits would hold expires.
        var held = -Double.infinity

        static let unlimited = Lifetime(expiry: .infinity, held: .infinity)
    }

    /// For each request, the earlier request whose response could answer it, plus one; 0 for none. Written in order as
    /// requests arrive; the reverse mapping would write to cold memory at each request.
    package private(set) var previous: [UInt32] = []
    /// The bytes of each request's body.
    private(set) var sizes = SizeList()
    /// For each request, the smallest size in bytes of an entry that can answer it: that of an earlier response, where
    /// a changed size is no other version. Empty while it's that of the body for all.
    private var smaller = SizeList()
    /// The hits of a cache without limits that may choose when to ask the origin.
    package private(set) var infinite = HitSum()
    package private(set) var hasExpiry = false
    /// Whether the trace is too long to log; the contents are then useless.
    package private(set) var isOverfull = false
    /// By object, from the first response that expires on. Until then, usable responses are fresh for ever.
    private var lifetimes: [Lifetime] = []

    package var count: Int { sizes.count }

    /// Whether an entry may have another size than the body it answers with.
    var isResized: Bool { smaller.count > 0 }

    /// For each request, the smallest size in bytes of an entry that can answer it.
    var footprints: SizeList { isResized ? smaller : sizes }

    /// The links the other way around, in the memory of this log unless that is used elsewhere.
    ///
    /// - Complexity: O(n)
    package consuming func turned() -> NextRequests {
        var links: [UInt32] = []
        swap(&links, &previous)
        // Links lead backwards, so the place written to has already been read.
        for index in links.indices {
            let previous = Int(links[index])
            links[index] = 0
            if previous != 0 { links[previous - 1] = UInt32(index) }
        }
        return NextRequests(next: links, sizes: sizes, footprints: footprints)
    }

    /// The size of all bodies that could be a hit, if it is the same for all.
    package private(set) var oneSize: OneSize = .none

    package init() {}

    package enum OneSize: Hashable { case none, all(Int), differ }

    /// Notes a request that a cache may answer, or whose response it may store.
    ///
    /// - Parameters:
    ///   - past: the state of the object; a new value for a new object.
    ///   - object: its number, from 0; skipped numbers take memory too.
    ///   - size: bytes of the body.
    ///   - requested: those that the request asked for, if not all.
    ///   - isChanged: whether the object has changed since its last request.
    ///   - now: seconds; never less than before.
    ///   - mayBeAnswered: whether a cache may answer without asking the origin.
    ///   - expiry: when the response of the trace expires; `nil` if it may not be stored.
    ///   - isKept: whether a response that may not be stored leaves the earlier one alone.
    package mutating func note(
        _ past: inout Past, object: Int, size: Int, requested: Int? = nil, isChanged: Bool = false, now: Double = 0,
        mayBeAnswered: Bool = true,
        expiry: Double? = .infinity, isKept: Bool = false
    ) {
        guard !isOverfull else { return }
        guard count < Self.longest else {
            isOverfull = true
            (previous, sizes, smaller, lifetimes) = ([], SizeList(), SizeList(), [])
            return
        }
        if count == 0 { reserve() }
        if let expiry, expiry < .infinity { hasExpiry = true }
        // Usable responses noted before anything expired are fresh for ever.
        if hasExpiry { while lifetimes.count <= object { lifetimes.append(.unlimited) } }
        let last = isChanged ? 0 : past.last
        var lifetime = last == 0 ? Lifetime() : hasExpiry ? lifetimes[object] : .unlimited
        let canBeAnswered = mayBeAnswered && now < lifetime.expiry
        let footprint = footprint(past, last: last, size: size)
        let requested = requested ?? size
        if canBeAnswered {
            switch oneSize {
            case .none where footprint == requested: oneSize = .all(requested)
            case .all(requested) where footprint == requested: break
            default: oneSize = .differ
            }
        }
        noteInfinite(&lifetime, size: requested, now: now, mayBeAnswered: mayBeAnswered, expiry: expiry)
        lifetime.expiry = max(lifetime.expiry, expiry ?? -.infinity)
        // A response that may not be stored invalidates the earlier ones, unless they could have answered this request.
        let isOfUse = expiry != nil || canBeAnswered
        previous.append(canBeAnswered ? last : 0)
        note(footprint: footprint, size: requested)
        past.smallest = last == 0 ? UInt32(clamping: size) : min(past.smallest, UInt32(clamping: size))
        past.last = isOfUse ? UInt32(count) : isKept ? last : 0
        if hasExpiry { lifetimes[object] = lifetime }
    }

    /// The least size that a cached response may have, since the object last changed or was removed.
    private func footprint(_ past: Past, last: UInt32, size: Int) -> Int {
        guard last != 0 else { return size }
        guard past.smallest == .max else { return Int(past.smallest) }
        return min(sizes[Int(last) - 1], footprints[Int(last) - 1])
    }

    private mutating func note(footprint: Int, size: Int) {
        if footprint != size, !isResized {
            smaller = sizes
            smaller.reserve(Self.longest)
        }
        if footprint != size || isResized { smaller.append(footprint) }
        sizes.append(size)
    }

    /// Makes room for the longest trace. Unwritten pages take no memory; a growing array takes twice as much while it
    /// is copied.
    private mutating func reserve() {
        previous.reserveCapacity(Self.longest)
        sizes.reserve(Self.longest)
    }

    /// Counts the fewest fetches such that each request is a fetch or falls into the freshness of the last one. Once
    /// the held response has expired, one fetch was necessary since it arrived; the one that is fresh longest is the
    /// best choice.
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

package struct HitSum: Hashable, Sendable {
    /// How many requests were answered.
    package var hits = 0
    /// Bytes of their bodies; a sum that doesn't fit into 63 bits stays at the largest value.
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

/// Sizes in order of arrival. Takes 4 bytes each, and 8 from the first that doesn't fit into 32 bits.
struct SizeList: Sendable {
    private var narrow: [UInt32] = []
    private var wide: [Int] = []

    private(set) var count = 0

    /// Makes room for so many sizes in all, if each fits into 32 bits.
    mutating func reserve(_ count: Int) { narrow.reserveCapacity(count) }

    @inline(__always)
    mutating func append(_ size: Int) {
        count += 1
        if wide.isEmpty, let size = UInt32(exactly: size) {
            narrow.append(size)
        } else {
            appendWide(size)
        }
    }

    @inline(never)
    private mutating func appendWide(_ size: Int) {
        if wide.isEmpty {
            wide = narrow.map(Int.init)
            narrow = []
        }
        wide.append(size)
    }

    @inline(__always)
    subscript(index: Int) -> Int { wide.isEmpty ? Int(narrow[index]) : wide[index] }
}
