import DiskSimulation
import Foundation
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

    @Test("a setting that comes while the disk tier is being opened holds for it, too")
    func settingWhileOpening() throws {
        let directory = TemporaryDirectory()
        let opened = Locked<TwoTierCache?>(nil)
        let hasBegun = Locked(false)
        let hasEnded = Locked(false)
        let cache = TwoTierCache(memory: try MemoryTier(capacity: 1 << 20), disk: nil, hasher: KeyHasher()) {
            guard let cache = opened.withLock({ $0.take() }) else { return }
            Thread {
                hasBegun.withLock { $0 = true }
                cache.erasesRemoved = true
                hasEnded.withLock { $0 = true }
            }.start()
            while !hasBegun.withLock({ $0 }) { sched_yield() }
            // It may come before the tier is there, and has to wait.
            for _ in 0..<100 { sched_yield() }
        }
        opened.withLock { $0 = cache }
        try cache.openDisk(directory: directory.path, capacity: 1 << 20)
        while !hasEnded.withLock({ $0 }) { sched_yield() }
        #expect(cache.disk?.erasesRemoved == true)
    }

    @Test("opening the disk tier again sets its capacity, or says what is wrong with it") func openedAgain() throws {
        let directory = TemporaryDirectory()
        let cache = TwoTierCache(memory: try MemoryTier(capacity: 1 << 20), disk: nil, hasher: KeyHasher())
        for capacity in [1 << 20, 2 << 20] {
            try cache.openDisk(directory: directory.path, capacity: capacity)
            #expect(cache.disk?.capacity == capacity)
        }
        #expect(throws: DiskTierError.self) { try cache.openDisk(directory: directory.path, capacity: -1) }
        #expect(cache.disk?.capacity == 2 << 20)
    }

    @Test(
        "what is attached to an entry may use both tiers when it goes with the entry", .timeLimit(.minutes(60)),
        arguments: Change.allCases)
    func attachment(change: Change) throws {
        let disk = try DiskTier(MemoryStorage(), capacity: 256 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        let memory = try MemoryTier(capacity: 1 << 20)
        let cache = TwoTierCache(memory: memory, disk: disk, hasher: KeyHasher(seed: KeySeed(1, 2)))
        let (sample, key) = (Self.sample, Self.sample.key)
        let goodbyes = Locked(0)
        do {
            let entry = sample.entry()
            entry.attach(
                AtTheEnd {
                    cache.store(sample.entry())
                    _ = key.withUnsafeBytes { try? cache.remove($0, hash: sample.hash) }
                    try? cache.removeAll()
                    goodbyes.withLock { $0 += 1 }
                })
            cache.store(entry)
        }
        switch change {
        // Many more, since what a store replaces goes with others.
        case .store: for _ in 0..<1_000 { cache.store(sample.entry()) }
        case .remove: try key.withUnsafeBytes { _ = try cache.remove($0, hash: sample.hash) }
        case .removeAll: try cache.removeAll()
        case .removeSince: try cache.removeAll(since: 4)
        case .removePrefix: try key.withUnsafeBytes { try cache.removeAll(withPrefix: $0) }
        }
        #expect(goodbyes.withLock { $0 } == 1)
    }
}
