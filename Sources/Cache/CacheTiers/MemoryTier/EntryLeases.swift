import Synchronization

/// A reference to an entry that was found, handed out in place of the entry. Hits on several threads then count their
/// references to one entry on each thread's leases, and no thread waits for another's cache line.
///
/// Invariant: the word is 0, or the address of an entry to which the lease holds a reference. While it is 0 and a caller
/// holds the lease, the tier keeps the entry alive (`EntryLeases`).
final class EntryLease: Sendable {
    /// Atomic because the last holder may be any thread.
    private let word = Atomic<UInt>(0)

    /// Takes a reference to the entry at an address, until the lease is freed. The entry is alive, and the word is 0.
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
/// Invariants: a lease in the pool has no reference; `addresses` holds the address that each lease stands for. If a caller
/// holds such a lease, its entry is in the tier, or retired and not yet released: before the tier releases entries, it
/// calls `makeOwners` for every stripe. A lease without a holder may stand for an entry that was freed, and is not used.
struct EntryLeases: ~Copyable {
    private let leases: UnsafeMutablePointer<EntryLease?>
    /// Beside each other, so that a thread that releases entries reads one cache line.
    private let addresses: UnsafeMutablePointer<UInt>
    private var next = 0

    /// A lease comes round again after so many hits: by then most callers have released it. A power of two.
    private static let count = 8

    /// Room for leases, which are made when they are needed.
    init() {
        leases = .allocate(capacity: Self.count)
        leases.initialize(repeating: nil, count: Self.count)
        addresses = .allocateAlone(count: Self.count)
        addresses.initialize(repeating: 0, count: Self.count)
    }

    /// Gives the leases up. Those that callers hold are owners.
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

    /// Makes an owner of every lease that a caller holds and whose address is in `filter`, and takes it out of the pool.
    @inline(__always)
    func makeOwners(of filter: AddressFilter) {
        for place in 0..<Self.count where filter.mayContain(addresses[place]) { makeOwner(place) }
    }

    private func makeOwner(_ place: Int) {
        if leases[place] != nil, !isKnownUniquelyReferenced(&leases[place]) {
            leases[place]?.own(addresses[place])
            leases[place] = nil
        }
        addresses[place] = 0
    }

    /// Puts another lease in a place whose lease is still held, or that is empty.
    @inline(never)
    private func renew(_ place: Int) {
        leases[place]?.own(addresses[place])
        leases[place] = EntryLease()
    }
}

/// A set of addresses in one word: may contain some that were not put in.
struct AddressFilter {
    private var bits: UInt64

    init() { bits = 0 }

    private init(bits: UInt64) { self.bits = bits }

    static let everything = AddressFilter(bits: .max)

    static let nothing = AddressFilter()

    mutating func insert(_ address: UInt) { bits |= Self.bit(address) }

    @inline(__always)
    func mayContain(_ address: UInt) -> Bool { bits & Self.bit(address) != 0 }

    @inline(__always)
    private static func bit(_ address: UInt) -> UInt64 {
        1 &<< UInt64((address &>> 4 ^ address &>> 10 ^ address &>> 16) & 63)
    }
}
