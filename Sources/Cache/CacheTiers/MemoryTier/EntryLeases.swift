import Synchronization

/// What a hit hands out in place of a reference to the entry. Hits on several threads then count references to their
/// own stripe's leases, and no thread waits for another's cache line.
///
/// Invariant: the word is 0, or the address of an entry to which the lease holds a reference. While it is 0 and a
/// caller holds the lease, the tier keeps the entry alive (`EntryLeases`).
final class EntryLease: Sendable {
    /// Atomic, since the last holder may be any thread.
    private let word = Atomic<UInt>(0)

    /// Takes a reference to the entry at an address, which the lease's deinit gives back. The entry is alive, and the
    /// word is 0.
    func own(_ address: UInt) {
        guard let entry = Self.entry(address) else { return }
        _ = entry.retain()
        word.store(address, ordering: .relaxed)
    }

    private static func entry(_ address: UInt) -> Unmanaged<EntryStorage>? {
        UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
    }

    deinit { Self.entry(word.load(ordering: .relaxed))?.release() }
}

/// The leases that a stripe hands out in turn. Used inside the stripe's gate.
///
/// Invariants: a lease in the pool has no reference; `addresses` holds the address that each lease stands for. If a
/// caller holds such a lease, its entry is in the tier, or retired: before the tier releases entries, it calls
/// `makeOwners` for every stripe. A lease that nobody holds may stand for an entry that was freed, and is not used.
struct EntryLeases: ~Copyable {
    private let leases: UnsafeMutablePointer<EntryLease?>
    /// Side by side, so that a thread that releases entries reads one cache line.
    private let addresses: UnsafeMutablePointer<UInt>
    private var next = 0

    /// A lease comes round again after this many hits; most callers have released it by then. A power of two.
    private static let count = 8

    /// Leases are made when they are needed.
    init() {
        leases = .allocate(capacity: Self.count)
        leases.initialize(repeating: nil, count: Self.count)
        addresses = .allocateAlone(count: Self.count)
        addresses.initialize(repeating: 0, count: Self.count)
    }

    /// Leases that callers still hold are owners by now.
    deinit {
        leases.deinitialize(count: Self.count)
        leases.deallocate()
        addresses.deallocateAlone()
    }

    /// A lease of an entry that was found in the tier just now.
    @inline(__always)
    mutating func lease(_ entry: Unmanaged<EntryStorage>) -> EntryLease {
        let place = next
        next = (place &+ 1) & (Self.count &- 1)
        if !isKnownUniquelyReferenced(&leases[place]) { renew(place) }
        addresses[place] = UInt(bitPattern: entry.toOpaque())
        // Never nil: `renew` puts a lease there.
        return leases[place].unsafelyUnwrapped
    }

    /// Makes every lease own its entry that a caller holds and whose address is in `filter`, and takes it out of the
    /// pool.
    @inline(__always)
    func makeOwners(of filter: BloomFilter) {
        for place in 0..<Self.count where filter.mayContain(addresses[place]) { makeOwner(place) }
    }

    private func makeOwner(_ place: Int) {
        if leases[place] != nil, !isKnownUniquelyReferenced(&leases[place]) {
            leases[place]?.own(addresses[place])
            leases[place] = nil
        }
        addresses[place] = 0
    }

    /// Replaces a lease that is still held, or was never made.
    @inline(never)
    private func renew(_ place: Int) {
        leases[place]?.own(addresses[place])
        leases[place] = EntryLease()
    }
}

/// A Bloom filter of addresses, in one word.
struct BloomFilter {
    private var bits: UInt64

    init() { bits = 0 }

    private init(bits: UInt64) { self.bits = bits }

    static let everything = BloomFilter(bits: .max)

    static let nothing = BloomFilter()

    mutating func insert(_ address: UInt) { bits |= Self.bit(address) }

    @inline(__always)
    func mayContain(_ address: UInt) -> Bool { bits & Self.bit(address) != 0 }

    @inline(__always)
    private static func bit(_ address: UInt) -> UInt64 {
        1 &<< UInt64((address &>> 4 ^ address &>> 10 ^ address &>> 16) & 63)
    }
}
