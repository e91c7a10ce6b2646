import Platform
import Synchronization

/// A moment in the history of a key, for `MemoryTier.promote(_:ticket:)`.
public struct PromotionTicket: Sendable {
    fileprivate let changes: UInt64
}

/// Tells a promotion whether its key was changed since it began to read from disk: a counter of changes for each of 256
/// groups of keys. A change to another key of the group refuses the promotion too; that costs one promotion.
///
/// Invariant: `counters` has `count` counters from `init` to `deinit`.
struct PromotionTickets: ~Copyable {
    private let counters: UnsafeMutablePointer<Atomic<UInt64>>
    private static let count = 256

    init() {
        counters = .allocateAlone(count: Self.count)
        for index in 0..<Self.count { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit { counters.deallocateAlone() }

    @inline(__always)
    private func counter(_ hash: KeyHash) -> UnsafeMutablePointer<Atomic<UInt64>> {
        counters + (Int(truncatingIfNeeded: hash.high) & (Self.count &- 1))
    }

    /// A ticket for the key of `hash`.
    func issue(_ hash: KeyHash) -> PromotionTicket {
        PromotionTicket(changes: counter(hash).pointee.load(ordering: .acquiring))
    }

    /// Whether the key was not changed since the ticket was issued.
    func isValid(_ ticket: PromotionTicket, _ hash: KeyHash) -> Bool { issue(hash).changes == ticket.changes }

    /// Counts a change to the key of `hash`. Under the tier's lock.
    @inline(__always)
    func countChange(_ hash: KeyHash) {
        let counter = counter(hash)
        counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Counts a change to every key. Under the tier's lock.
    func countChangeOfAll() {
        for index in 0..<Self.count { countChange(KeyHash(low: 0, high: UInt64(index))) }
    }
}
