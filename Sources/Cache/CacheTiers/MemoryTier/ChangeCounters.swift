import Synchronization

/// Tells a promotion whether its key was changed since it began to read from disk: a counter of changes for each of
/// 256 groups of keys. A change to another key of the group makes a promotion give up too; that costs one promotion.
struct ChangeCounters: ~Copyable {
    private let counters: UnsafeMutablePointer<Atomic<UInt64>>
    private static let count = 256

    init() {
        counters = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: Self.count)
        counters.deallocate()
    }

    private func counter(_ hash: KeyHash) -> UnsafeMutablePointer<Atomic<UInt64>> {
        counters + Int(truncatingIfNeeded: hash.high) & (Self.count - 1)
    }

    /// The changes so far to the group of `hash`.
    func current(_ hash: KeyHash) -> UInt64 { counter(hash).pointee.load(ordering: .acquiring) }

    /// Counts a change to the key of `hash`. One thread at a time.
    func bump(_ hash: KeyHash) {
        let counter = counter(hash)
        counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Counts a change to every key. One thread at a time.
    func bumpAll() {
        for index in 0..<Self.count { bump(KeyHash(low: 0, high: UInt64(index))) }
    }
}
