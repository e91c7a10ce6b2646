/// The leases that a stripe's reader hands out in turn. Used by whoever is inside the stripe, and nobody else.
///
/// Invariant: a lease in the pool is no owner, and its entry is in the tier, or taken out and not yet released, if
/// anybody holds the lease. Holders come from `lease(_:)` alone; before the tier releases an entry it has `settle` called
/// for every stripe from which a reader may have handed it out. A lease that nobody holds may name an entry that is gone,
/// and is not looked at.
struct LeasePool: ~Copyable {
    private let leases: UnsafeMutablePointer<EntryLease?>
    private var next = 0
    /// Whether a lease has been handed out since all were settled.
    private var isUnsettled = false

    /// How many hits later a lease comes round again: by then most callers have let go of what they were handed. A power
    /// of two.
    private static let count = 8

    /// Room for leases, which are made when they are needed.
    init() {
        leases = .allocate(capacity: Self.count)
        leases.initialize(repeating: nil, count: Self.count)
    }

    /// Gives the leases up. All are settled.
    deinit {
        leases.deinitialize(count: Self.count)
        leases.deallocate()
    }

    /// A lease of an entry that was found in the tier just now.
    @inline(__always)
    mutating func lease(_ entry: Unmanaged<EntryStorage>) -> EntryLease {
        let place = leases + next
        next = (next &+ 1) & (Self.count &- 1)
        isUnsettled = true
        if !isKnownUniquelyReferenced(&place.pointee) { Self.renew(place) }
        // Never nil: `renew` puts one there.
        let lease = place.pointee.unsafelyUnwrapped
        lease.begin(entry)
        return lease
    }

    /// Makes those leases that somebody holds owners, and no longer part of the pool: else an entry that has been evicted
    /// would stay until the thread has had some hits more.
    mutating func settle() {
        guard isUnsettled else { return }
        isUnsettled = false
        for place in leases..<leases + Self.count
        where place.pointee != nil && !isKnownUniquelyReferenced(&place.pointee) {
            place.pointee?.own()
            place.pointee = nil
        }
    }

    /// Puts another lease in a place whose lease is still held, or that is empty.
    @inline(never)
    private static func renew(_ place: UnsafeMutablePointer<EntryLease?>) {
        place.pointee?.own()
        place.pointee = EntryLease()
    }
}
