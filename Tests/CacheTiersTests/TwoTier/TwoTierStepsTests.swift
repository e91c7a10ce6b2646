import DiskSimulation
import Platform
import Testing

@testable import CacheTiers

/// The order of a change in the two tiers, which another thread may come between.
@Suite struct TwoTierStepsTests {
    enum Change: CaseIterable {
        case store, remove, removeAll, removeSince, removePrefix
    }

    private static let sample = Sample(number: 1, storedAt: 5)

    @Test(
        "every change is made on disk first, then in memory, and may be interrupted before and between",
        arguments: Change.allCases)
    func order(of change: Change) throws {
        let disk = try DiskTier(MemoryStorage(), capacity: 256 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        let memory = try MemoryTier(capacity: 1 << 20)
        let seen = Locked<[[Bool]]>([])
        let (sample, key) = (Self.sample, Self.sample.key)
        @Sendable func isFound() -> [Bool] {
            [disk.holds(sample), key.withUnsafeBytes { memory.lookup($0, hash: sample.hash) } != nil]
        }
        let cache = TwoTierCache(memory: memory, disk: disk, hasher: KeyHasher(seed: KeySeed(1, 2))) {
            let found = isFound()
            seen.withLock { if $0.last != found { $0.append(found) } }
        }
        if change != .store {
            try disk.store(sample.entry())
            _ = memory.store(sample.entry())
        }
        switch change {
        case .store: cache.store(sample.entry())
        case .remove: try key.withUnsafeBytes { _ = try cache.remove($0, hash: sample.hash) }
        case .removeAll: try cache.removeAll()
        case .removeSince: try cache.removeAll(since: 4)
        case .removePrefix: try key.withUnsafeBytes { try cache.removeAll(withPrefix: $0) }
        }
        let isStore = change == .store
        let steps = [[!isStore, !isStore], [isStore, !isStore], [isStore, isStore]]
        // A removal of many ends with its step in memory.
        #expect(seen.withLock { $0 } == (isStore || change == .remove ? steps : steps.dropLast()))
        #expect(isFound() == [isStore, isStore])
    }
}
