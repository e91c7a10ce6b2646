import Foundation
import Platform
import Synchronization
import Testing

@testable import CacheTiers

@Suite("Entries that leave the memory tier together") struct BackgroundReleaseTests {
    /// Attached to an entry; counts itself when it goes.
    private final class Attached: Sendable {
        private let freed: FreedCount

        init(_ freed: FreedCount) { self.freed = freed }

        deinit { freed.number.add(1, ordering: .relaxed) }
    }

    private final class FreedCount: Sendable {
        let number = Atomic<Int>(0)
    }

    /// Work that waits until the test runs it.
    private final class Timer: Sendable {
        private let due = Locked<[@Sendable () -> Void]>([])

        var isIdle: Bool { due.withLock { $0.isEmpty } }

        func add(_ body: @escaping @Sendable () -> Void) { due.withLock { $0.append(body) } }

        func fire() {
            let bodies = due.withLock { due in
                let bodies = due
                due = []
                return bodies
            }
            for body in bodies { body() }
        }
    }

    private let freed = FreedCount()
    private let timer = Timer()

    private var freedCount: Int { freed.number.load(ordering: .relaxed) }

    private func tier(hasThread: Bool = true) -> MemoryTier {
        let background = BackgroundRelease { [timer] body in
            if hasThread { timer.add(body) }
            return hasThread
        }
        return MemoryTier(1 << 30, .bytes, nil, .leastRecentlyUsed, background: background)
    }

    private static func key(_ number: Int) -> TestKey { TestKey("https://example.com/\(number)") }

    private func fill(_ tier: MemoryTier, _ count: Int) {
        for number in 0..<count {
            let entry = Self.key(number).entry(bodyCount: 10)
            entry.attach(Attached(freed))
            #expect(tier.store(entry) == StoreResult(.stored))
        }
    }

    @Test(
        "removing everything, or lowering the capacity to 0, frees a few thousand entries at a time",
        arguments: [false, true])
    func clearing(byCapacity: Bool) throws {
        let tier = tier()
        fill(tier, 10_000)
        let held = try #require(tier.lookup(Self.key(5_000).key))
        if byCapacity { try tier.setCapacity(0) } else { tier.removeAll() }
        #expect((tier.usage, tier.count) == (0, 0))
        #expect((0..<10_000).allSatisfy { tier.lookup(Self.key($0).key) == nil })
        #expect(tier.statistics.evictions == (byCapacity ? 10_000 : 0))
        #expect(freedCount == 0)
        var parts: [Int] = []
        while !timer.isIdle {
            let before = freedCount
            timer.fire()
            parts.append(freedCount - before)
        }
        // One of the second part is held.
        #expect(parts == [4_096, 4_096 - 1, 10_000 - 2 * 4_096, 0])
        #expect(held.withBody { $0.allSatisfy { $0 == 7 } })
    }

    @Test("the tier takes entries again before the old ones are freed") func storingAgain() {
        let tier = tier()
        fill(tier, 10_000)
        tier.removeAll()
        fill(tier, 5_000)
        #expect(tier.count == 5_000 && freedCount == 0)
        tier.finishReleases()
        #expect(freedCount == 10_000)
        #expect((0..<5_000).allSatisfy { tier.lookup(Self.key($0).key) != nil })
    }

    @Test("halving the capacity evicts at once, and frees later") func halving() throws {
        let tier = tier()
        fill(tier, 20_000)
        let half = tier.usage / 2
        try tier.setCapacity(half)
        #expect(tier.usage <= half && tier.statistics.evictions == 20_000 - UInt64(tier.count))
        #expect(freedCount == 0)
        tier.finishReleases()
        #expect(freedCount == 20_000 - tier.count)
    }

    @Test("few entries are freed before the call returns") func fewEntries() {
        let tier = tier()
        fill(tier, 4_096)
        tier.removeAll()
        #expect(freedCount == 4_096 && timer.isIdle)
    }

    @Test("of three blocks that would wait the first is freed at once") func threeBlocks() {
        let tier = tier()
        for _ in 0..<2 {
            fill(tier, 6_000)
            tier.removeAll()
        }
        #expect(freedCount == 0)
        timer.fire()
        #expect(freedCount == 4_096)
        fill(tier, 5_000)
        tier.removeAll()
        #expect(freedCount == 6_000)
        tier.finishReleases()
        #expect(freedCount == 17_000)
    }

    /// The last entry of the first block waits in its end until the other blocks are gone.
    @Test("finishing waits for a block that another thread is freeing") func finishing() {
        let tier = tier()
        let isFinished = FinishedFlag()
        fill(tier, 5_000)
        do {
            let last = Self.key(5_000).entry(bodyCount: 10)
            last.attach(
                AtTheEnd { [freed] in
                    Thread.detachNewThread {
                        tier.finishReleases()
                        isFinished.value.store(true, ordering: .releasing)
                    }
                    while freed.number.load(ordering: .acquiring) < 15_000 { sched_yield() }
                    for _ in 0..<10_000 where !isFinished.value.load(ordering: .acquiring) { sched_yield() }
                    isFinished.wasEarly.store(isFinished.value.load(ordering: .acquiring), ordering: .relaxed)
                })
            _ = tier.store(last)
        }
        tier.removeAll()
        fill(tier, 5_000)
        tier.removeAll()
        fill(tier, 5_000)
        tier.removeAll()
        #expect(freedCount == 15_000)
        let wasEarly = isFinished.wasEarly.load(ordering: .relaxed)
        #expect(!wasEarly)
        while !isFinished.value.load(ordering: .acquiring) { sched_yield() }
    }

    private final class FinishedFlag: Sendable {
        let value = Atomic<Bool>(false)
        let wasEarly = Atomic<Bool>(false)
    }

    private final class AtTheEnd: Sendable {
        private let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        deinit { action() }
    }

    @Test("without another thread everything is freed before the call returns") func withoutThread() {
        let tier = tier(hasThread: false)
        fill(tier, 10_000)
        tier.removeAll()
        #expect(freedCount == 10_000)
    }
}
