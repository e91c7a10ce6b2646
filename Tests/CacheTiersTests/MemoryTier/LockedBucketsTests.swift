import CSupport
import Foundation
import Synchronization
import Testing

@testable import CacheTiers

@Suite("Locked buckets and gates")
struct LockedBucketsTests {
    /// An index of 16 buckets.
    private final class Index: Sendable {
        let index = EntryIndex(capacity: 64)
        private let held: [StoredEntry]

        /// - Parameter counts: how many entries have a bucket for home, by the bucket.
        init(_ counts: [(home: UInt32, count: Int)]) {
            var made: [StoredEntry] = []
            for (home, count) in counts {
                for _ in 0..<count { made.append(Self.entry(made.count, home)) }
            }
            held = made
        }

        deinit { index.deallocate() }

        private static func entry(_ number: Int, _ home: UInt32) -> StoredEntry {
            TestKey("\(number)").entry(hash: KeyHash(low: UInt64(home), high: 0), body: [])
        }

        var numbers: Range<Int> { held.indices }

        private func locked(_ number: Int) -> LockedBuckets {
            held[number].withKey { index.locked($0, tag: EntryIndex.tag(held[number].hash)) }
        }

        /// Puts an entry in, as often as other writers are in the way.
        func insert(_ number: Int) {
            while true {
                var buckets = locked(number)
                if buckets.insert(held[number].storage) { return }
                cs_spin_pause(100)
            }
        }

        /// - Returns: how many buckets were looked at; `nil` for an entry that is not there.
        func remove(_ number: Int) -> Int? {
            let buckets = locked(number)
            guard buckets.found?.entry.toOpaque() == held[number].storage.toOpaque() else {
                buckets.unlock()
                return nil
            }
            return buckets.remove()
        }

        func contains(_ number: Int) -> Bool {
            held[number].withKey { index.find($0, hash: held[number].hash) }?.toOpaque()
                == held[number].storage.toOpaque()
        }

        func bucket(_ number: UInt32) -> IndexBucket { index.bucket(EntryIndex.Position(home: number, in: index)) }
    }

    @Test("entries that overflow, also round the end, are found until they are removed, and leave no trace")
    func overflow() {
        let index = Index([(home: 3, count: 20), (home: 4, count: 8), (home: 15, count: 20)])
        for number in index.numbers { index.insert(number) }
        for number in index.numbers {
            #expect(index.contains(number))
            #expect(index.remove(number) != nil)
            #expect(!index.contains(number) && index.remove(number) == nil)
            #expect((number + 1..<index.numbers.upperBound).allSatisfy { index.contains($0) })
        }
        #expect(index.index.isEmpty)
    }

    @Test("a search ends that every bucket sends on", .timeLimit(.minutes(60)))
    func searchEnds() {
        let index = Index((0..<16).map { (home: $0, count: 8) } + [(home: 2, count: 1)])
        // Every bucket is passed by an entry, then has room again.
        for home in 0..<16 {
            for number in home * 8..<home * 8 + 8 { index.insert(number) }
            for number in home * 8..<home * 8 + 7 { #expect(index.remove(number) != nil) }
        }
        #expect(index.remove(128) == nil)
        index.insert(128)
        #expect(index.contains(128))
        for home in 0..<16 { #expect(index.remove(home * 8 + 7) != nil) }
        #expect(index.remove(128) != nil)
        #expect(index.index.isEmpty)
    }

    /// Both writers have to go round the end, where the test has locked a bucket.
    @Test("writers that cannot go on round the end let others pass, and begin again", .timeLimit(.minutes(60)))
    func roundTheEnd() {
        let index = Index([(home: 15, count: 9), (home: 14, count: 9)])
        for number in 0..<8 { index.insert(number) }
        for number in 9..<18 { index.insert(number) }
        for _ in 0..<200 {
            index.bucket(0).lock()
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                index.insert(8)
                ended.signal()
            }
            Thread.detachNewThread {
                #expect(index.remove(17) != nil)
                ended.signal()
            }
            // Each gives up the buckets before the locked one, again and again: else this would not end.
            for bucket in [UInt32(14), 15] {
                index.bucket(bucket).lock()
                index.bucket(bucket).unlock()
            }
            index.bucket(0).unlock()
            ended.wait()
            ended.wait()
            #expect(index.contains(8) && !index.contains(17))
            #expect(index.remove(8) != nil)
            index.insert(17)
        }
        for number in index.numbers where number != 8 { #expect(index.remove(number) != nil) }
        #expect(index.index.isEmpty)
    }

    @Test("a writer that begins again locks each bucket again", .timeLimit(.minutes(60)))
    func beginningAgain() {
        let index = Index([(home: 15, count: 7), (home: 14, count: 8)])
        for number in index.numbers { index.insert(number) }
        let (first, second, third) = (index.bucket(14), index.bucket(15), index.bucket(0))
        third.lock()
        let isEnded = Flag()
        Thread.detachNewThread {
            #expect(index.remove(14) == 3)
            isEnded.value.store(true, ordering: .releasing)
        }
        while first.tryLock() { first.unlock() }
        // The writer has the first bucket, and gives it back when it does not get the third.
        first.lock()
        second.lock()
        first.unlock()
        third.unlock()
        for _ in 0..<10_000 where !isEnded.value.load(ordering: .acquiring) { sched_yield() }
        let wasEarly = isEnded.value.load(ordering: .acquiring)
        #expect(!wasEarly, "the second bucket is locked")
        second.unlock()
        while !isEnded.value.load(ordering: .acquiring) { sched_yield() }
        for number in 0..<14 { #expect(index.remove(number) != nil) }
        #expect(index.index.isEmpty)
    }

    private final class Flag: Sendable { let value = Atomic<Bool>(false) }

    @Test("a gate that was never opened stays so in a forked child, and lets writers in")
    func newGate() {
        let gate = Gate()
        gate.close()
        #expect(gate.isNew)
        gate.resetInChild()
        #expect(gate.isNew && gate.isFree && !gate.tryEnter())
        gate.openFirst()
        #expect(!gate.isNew && gate.isFree && gate.tryEnter())
        gate.leave()
        gate.close()
        #expect(!gate.tryEnter())
        gate.resetInChild()
        #expect(gate.tryEnter())
    }

    /// A gate for `#expect`, which wants a value that can be copied.
    private final class Gate: Sendable {
        private let gate = ReaderGate()

        var isNew: Bool { gate.isNew }
        var isFree: Bool { gate.isFree() }
        func tryEnter() -> Bool { gate.tryEnter() }
        func leave() { gate.leave() }
        func close() { gate.close() }
        func openFirst() { gate.openFirst() }
        func resetInChild() { gate.resetInChild() }
    }
}
