import CacheTiers
import Platform
import Synchronization

/// The memory that a cache's decoded responses take beside its entries, and its limit: what entries leave of the memory
/// tier's capacity, plus three sixteenths of the capacity and 4 MiB. Beyond it, the tier's entries are visited in turn,
/// and their decoded responses dropped, to be made again on demand. A hit whose response is there costs nothing more.
/// What stays with an entry as long as that lives takes five thirty-seconds of the capacity and 2 MiB at most; beyond,
/// which takes some 100,000 small entries, nothing more is kept.
///
/// The counts are estimates, a little above what the allocator takes.
///
/// `@unchecked Sendable`: `tier`, the only variable, is private, and used in only two places, `end` and `forget`, both
/// under `lock`; in `init` nobody else has the object. The counters are atomic, everything else is constant.
final class DecodedMemory: @unchecked Sendable {
    private static let least = 4 << 20
    /// How many entries are visited at once, and how often for each response that is made.
    private static let (visited, rounds) = (32, 4)

    /// Bytes that can be dropped, and bytes that stay as long as their entries do.
    private let passing = Atomic<Int>(0)
    private let lasting = Atomic<Int>(0)
    /// `nil` once the cache is gone: entries keep what was decoded of them, that keeps this, and this keeps the tier.
    private var tier: MemoryTier?
    private let lock = Lock()
    let forkGeneration = currentForkGeneration()

    init(beside tier: MemoryTier) { self.tier = tier }

    /// Bytes in use, estimated.
    var bytesInUse: Int { passing.load(ordering: .relaxed) + lasting.load(ordering: .relaxed) }

    /// Lets go of the tier, with the cache. Not in a forked child: see `reachedTier`.
    func end() {
        guard currentForkGeneration() == forkGeneration else { return }
        let tier = lock.withLock {
            defer { self.tier = nil }
            return self.tier
        }
        withExtendedLifetime(tier) {}
    }

    /// Counts memory that was taken or freed. The caller holds no lock.
    func count(lasting bytes: Int) { lasting.add(bytes, ordering: .relaxed) }

    /// Counts memory that was taken and can be dropped. The caller holds no lock.
    func add(_ bytes: Int) {
        passing.add(bytes, ordering: .relaxed)
        settle()
    }

    /// Counts memory that was freed.
    func subtract(_ bytes: Int) { passing.subtract(bytes, ordering: .relaxed) }

    /// Whether no more may stay with entries. The caller holds no lock.
    var isCrowded: Bool {
        let lasting = lasting.load(ordering: .relaxed)
        guard lasting > Self.least / 2, let tier = reachedTier else { return false }
        return lasting - Self.least / 2 > tier.capacity / 32 * 5
    }

    /// Drops what is beyond the limit, which falls when entries are stored. The caller holds no lock.
    func settle() {
        if passing.load(ordering: .relaxed) > Self.least / 4 { forget(rounds: Self.rounds) }
    }

    /// The same, however much it is, after the capacity was lowered.
    func settleAll() {
        if let tier = reachedTier { forget(rounds: tier.count / Self.visited + Self.rounds) }
    }

    /// In a forked child, the lock may be held by a thread that does not exist there.
    private var reachedTier: MemoryTier? {
        currentForkGeneration() == forkGeneration ? lock.withLock { tier } : nil
    }

    private func forget(rounds: Int) {
        guard let tier = reachedTier else { return }
        // Bounded, so that the sum below cannot overflow.
        let capacity = min(tier.capacity, 1 << 60)
        let left = max(0, capacity - tier.usage)
        // With small entries, the part that stays grows. The rest still gets some room.
        let most = max(
            left + capacity / 16 * 3 + Self.least - lasting.load(ordering: .relaxed), capacity / 32 + Self.least / 4)
        for _ in 0..<rounds where passing.load(ordering: .relaxed) > most {
            for kept in tier.takeHandouts(from: Self.visited) { (kept.attachment as? DecodedEntry)?.forget() }
        }
    }
}
