import Platform

@testable import CacheTiers

/// A tier with three owners, and changes as if threads of their stripes made them: one thread decides the order of all.
struct OwnerStripes {
    let tier: MemoryTier
    /// Stripes with an owner each, but not that of the calling thread.
    let first: Int
    let second: Int

    /// - Parameter capacity: units; see `MemoryTier.init`.
    init(capacity: Int, unit: MemoryTier.Unit = .bytes, before: (MemoryTier) -> Void = { _ in }) throws {
        tier = try MemoryTier(capacity: capacity, unit: unit, stripes: 8)
        before(tier)
        let own = tier.threadStripe
        let others = (1..<8).filter { $0 != own }
        (first, second) = (others[0], others[1])
        tier.split(first)
        tier.split(second)
    }

    func store(_ entry: StoredEntry, by stripe: Int, ticket: PromotionTicket? = nil) -> StoreResult {
        tier.putBesideOthers(entry, ticket: ticket, tier.lockedOwner(of: stripe, .back), .back, stripe: stripe)
    }

    @discardableResult
    func remove(_ key: CacheKey, by stripe: Int) -> Bool {
        key.withBytes {
            tier.removeBesideOthers($0, hash: key.hash, tier.lockedOwner(of: stripe, .back), .back, stripe: stripe)
        }
    }

    /// The keys in the order of eviction.
    var order: [String] { tier.entries().map { $0.withKey { String(decoding: $0, as: UTF8.self) } } }

    /// Entries of an owner.
    func count(of stripe: Int) -> Int { tier.owner(stripe).face.pointee.count.load(ordering: .acquiring) }
}
