import Platform
import Synchronization

/// A moment in the history of a key, for `MemoryTier.promote(_:ticket:)`.
public struct PromotionTicket: Sendable {
    fileprivate let changes: UInt64
}

/// Tells a promotion whether its key was changed since it began to read from disk: a counter of changes for each of 256
/// groups of keys. A change to another key of the group refuses the promotion too; that costs one promotion.
///
/// Each owner counts its own changes, so that threads which store share no counter. A ticket is the sum of all.
///
/// Invariant: `counters` has room for `count` counters of each owner, from `init` to `deinit`. Those of an owner are
/// initialised from `add` on, before others learn of the owner.
struct PromotionTickets: ~Copyable {
    private let counters: UnsafeMutablePointer<Atomic<UInt64>>
    private static let count = 256

    /// - Parameter mostOwners: how many owners there may be.
    init(mostOwners: Int) { counters = .allocateAlone(count: mostOwners * Self.count) }

    deinit { counters.deallocateAlone() }

    /// Prepares the counters of an owner.
    func add(_ owner: Int) {
        for index in 0..<Self.count { (counters + (owner * Self.count + index)).initialize(to: Atomic(0)) }
    }

    @inline(__always)
    private func counter(_ hash: KeyHash, _ owner: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        counters + (owner &* Self.count &+ Int(truncatingIfNeeded: hash.high) & (Self.count &- 1))
    }

    /// A ticket for the key of `hash`.
    func issue(_ hash: KeyHash, _ owners: StripeSet) -> PromotionTicket {
        var changes: UInt64 = 0
        owners.forEach { changes &+= counter(hash, $0).pointee.load(ordering: .acquiring) }
        return PromotionTicket(changes: changes)
    }

    /// Whether the key was not changed since the ticket was issued.
    func isValid(_ ticket: PromotionTicket, _ hash: KeyHash, _ owners: StripeSet) -> Bool {
        issue(hash, owners).changes == ticket.changes
    }

    /// Counts a change to the key of `hash`. Under the lock of the owner; with several, the key's bucket is locked, too,
    /// which orders the changes of a key.
    @inline(__always)
    func countChange(_ hash: KeyHash, by owner: Int) {
        let counter = counter(hash, owner)
        counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Counts a change to every key, while all owners are locked.
    func countChangeOfAll() {
        for index in 0..<Self.count { countChange(KeyHash(low: 0, high: UInt64(index)), by: 0) }
    }
}
