import DiskSimulation
import Platform
import TestSupport
import Testing

@testable import CacheTiers

/// Lookups while a change waits for the disk.
@Suite("Lookups beside writes", .timeLimit(.minutes(60))) struct LookupsBesideWritesTests {
    /// A storage that shows every call that a change waits for, before it is carried out.
    ///
    /// `@unchecked Sendable`: used from one thread.
    private final class WatchedStorage: DiskStorage, @unchecked Sendable {
        let base = MemoryStorage()
        var watch: ((_ call: String) -> Void)?
        private var isWatching = false

        private func show(_ call: String) {
            // What the watcher reads itself is not shown.
            guard !isWatching else { return }
            isWatching = true
            watch?(call)
            isWatching = false
        }

        func byteCount() throws(StorageError) -> Int { try base.byteCount() }
        func allocatedByteCount() throws(StorageError) -> Int { try base.allocatedByteCount() }

        func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
            show("read")
            return try base.read(at: offset, into: bytes)
        }

        func write(
            at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
        ) throws(StorageError) {
            show("write")
            try base.write(at: offset, first, second)
        }

        func reserve(_ byteCount: Int) throws(StorageError) {
            show("reserve")
            try base.reserve(byteCount)
        }

        func resize(to byteCount: Int) throws(StorageError) {
            show("resize")
            try base.resize(to: byteCount)
        }

        func synchronize() throws(StorageError) {
            show("synchronize")
            try base.synchronize()
        }
    }

    /// What every key may be answered with at the moment.
    private final class Expected {
        /// The newest version whose store returned; absent keys may have been evicted.
        var newest: [Int: Sample] = [:]
        /// The store or removal under way.
        var changing: Sample?
    }

    /// Looks up 20 of the keys, and says what is wrong.
    private static func wrongAnswers(_ tier: DiskTier, _ expected: Expected, step: Int) -> [String] {
        (0..<20).compactMap { place in
            let number = (step * 7 + place * 13) % 500
            let key = Sample(number: number)
            guard let found = tier.lookup(key) else { return nil }
            let newest = expected.newest[number]
            let changing = expected.changing?.number == number ? expected.changing : nil
            let isRight = newest?.matches(found) == true || changing?.matches(found) == true
            return isRight ? nil : "\(number) is neither its newest version nor the one that is being stored"
        }
    }

    @Test(
        "each call of the disk for stores, removals and flushes lets lookups in, which find the newest version or the old",
        arguments: [EvictionPolicy.leastRecentlyUsed, .greedyDualSizeFrequency], [false, true])
    func changes(policy: EvictionPolicy, mayWait: Bool) throws {
        let storage = WatchedStorage()
        let timer = WaitingRecordsTests.Timer()
        let tier = try DiskTier(
            storage, capacity: 96 << 10, seed: KeySeed(1, 2), nonceSeed: 3, schedule: mayWait ? timer.schedule : nil,
            policy: policy)
        let expected = Expected()
        var calls: [String: Int] = [:]
        var found = 0
        var step = 0
        storage.watch = { call in
            calls[call, default: 0] += 1
            guard tier.isFreeForLookups else {
                Issue.record("the lock is held across a \(call) at step \(step)")
                storage.watch = nil
                return
            }
            let wrong = Self.wrongAnswers(tier, expected, step: step)
            #expect(wrong.isEmpty, "\(call) at step \(step): \(wrong)")
            if let sample = expected.newest.values.min(by: { $0.number < $1.number }), tier.holds(sample) { found += 1 }
        }
        let steps = nightly(2_000, else: 600)
        for _ in 0..<steps {
            step += 1
            let sample = Sample(number: step * 31 % 500, version: step, bodyCount: 40 + step * 17 % 900)
            expected.changing = sample
            if step % 9 == 0 {
                try tier.remove(sample.hash)
                expected.newest[sample.number] = nil
            } else if case .stored = try tier.store(sample.entry()) {
                expected.newest[sample.number] = sample
            } else {
                expected.newest[sample.number] = nil
            }
            expected.changing = nil
            if step % 50 == 0 { timer.fire() }
            if step % 400 == 0 { try tier.flush() }
            if storage.watch == nil { return }
        }
        #expect(calls["write", default: 0] > steps / 4 && calls["synchronize", default: 0] > 0, "\(calls)")
        #expect(tier.statistics.carriedRecords > 0 && tier.statistics.evictions > 0)
        storage.watch = nil
        for number in 0..<500 {
            if let entry = tier.lookup(Sample(number: number)) {
                #expect(expected.newest[number]?.matches(entry) == true)
            }
        }
    }

    @Test("removals of many entries let lookups in, which find nothing that is gone") func removals() throws {
        let storage = WatchedStorage()
        let tier = try DiskTier(storage, capacity: 96 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        let samples = (0..<60).map { Sample(number: $0, storedAt: Int64($0)) }
        for sample in samples { try tier.store(sample.entry()) }
        var calls = 0
        storage.watch = { call in
            calls += 1
            #expect(tier.isFreeForLookups, "the lock is held across a \(call)")
            for sample in samples[..<30] { #expect(tier.holds(sample)) }
        }
        try tier.removeAll(since: 29)
        #expect(calls > 0)
        calls = 0
        try Array("https://example.org/4".utf8).withUnsafeBytes { try tier.removeAll(withPrefix: $0) }
        #expect(calls > 0)
        storage.watch = nil
        for sample in samples { #expect(tier.holds(sample) == (sample.number < 30 && sample.number != 4)) }
    }

    @Test("a file that was opened too long lets no lookup in while it is truncated, which would find halves")
    func truncation() throws {
        let storage = WatchedStorage()
        func open(_ capacity: Int, truncates: Bool) throws -> DiskTier {
            try DiskTier(
                storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3, schedule: nil,
                policy: .leastRecentlyUsed, truncates: truncates, directoryLock: nil)
        }
        let filled = try open(400 << 10, truncates: true)
        for number in 0..<700 { try filled.store(Sample(number: number, bodyCount: 500).entry()) }
        let tier = try open(200 << 10, truncates: false)
        #expect(tier.allocatedBytes > 200 << 10 && tier.holds(Sample(number: 699, bodyCount: 500)))
        var letIn: [Bool] = []
        storage.watch = { _ in letIn.append(tier.isFreeForLookups) }
        try tier.store(Sample(number: 700, bodyCount: 500).entry())
        storage.watch = nil
        // The truncation, and then the store itself.
        let store = letIn.firstIndex(of: true) ?? letIn.count
        #expect(store > 20 && letIn[store...].allSatisfy { $0 } && letIn.last == true)
        #expect(tier.allocatedBytes <= 200 << 10)
        for number in 699...700 { #expect(tier.holds(Sample(number: number, bodyCount: 500))) }
    }
}
