import DiskSimulation
import TestSupport
import Testing

@testable import CacheTiers

/// Hands each call on to a storage, and writes it down.
private final class WitnessStorage: DiskStorage {
    private let storage: MemoryStorage
    private let transcript: Transcript

    init(_ storage: MemoryStorage, _ transcript: Transcript) {
        self.storage = storage
        self.transcript = transcript
    }

    var boot: UInt64 { storage.boot }

    func byteCount() throws(StorageError) -> Int { try storage.byteCount() }

    func allocatedByteCount() throws(StorageError) -> Int { try storage.allocatedByteCount() }

    func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        transcript.add("read \(offset) \(bytes.count)")
        return try storage.read(at: offset, into: bytes)
    }

    func write(at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) throws(StorageError) {
        let sums = [first, second].map { "\($0.count) \(checksumOf(Array($0)))" }
        transcript.add("write \(offset) \(sums[0]) \(sums[1])")
        try storage.write(at: offset, first, second)
    }

    func reserve(_ byteCount: Int) throws(StorageError) {
        transcript.add("reserve \(byteCount)")
        try storage.reserve(byteCount)
    }

    func resize(to byteCount: Int) throws(StorageError) {
        transcript.add("resize \(byteCount)")
        try storage.resize(to: byteCount)
    }

    func synchronize() throws(StorageError) {
        transcript.add("synchronize")
        try storage.synchronize()
    }
}

/// What a tier reads and writes in a storage. The format and the rules of reclaiming leave no choice, so that the same
/// operations are the same bytes in the same order; a change of either is recorded anew. What is right in either case
/// is asserted beside the record: a key has nothing, or exactly what was stored last and not removed since, whatever
/// was carried, resized, reopened or killed.
@Suite("Recorded calls of the disk tier") struct RecordedStorageTests {
    /// The operations on one storage, with a line for each group of them.
    private struct Session {
        let storage = MemoryStorage()
        let transcript = Transcript()
        let policy: EvictionPolicy
        var tier: DiskTier
        var text = ""
        var number = 0
        /// The versions that were stored last, without those that were removed.
        var newest: [Int: Int] = [:]

        init(_ policy: EvictionPolicy) throws {
            self.policy = policy
            tier = try Self.open(storage, transcript, policy, capacity: 400_000)
        }

        static func open(
            _ storage: MemoryStorage, _ transcript: Transcript, _ policy: EvictionPolicy, capacity: Int
        ) throws -> DiskTier {
            try DiskTier(
                WitnessStorage(storage, transcript), capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3,
                leastSavedCount: 20, policy: policy, sweptAtOnce: 100_000)
        }

        mutating func reopen(capacity: Int) throws {
            tier = try Self.open(storage, transcript, policy, capacity: capacity)
        }

        /// Short bodies, bodies of some pages, and now and then one that is too large.
        static func sample(_ number: Int, version: Int = 0) -> Sample {
            let sizes = [40, 900, 3_000, 120, 9_000, 25_000, 0, 600]
            return Sample(
                number: number, version: version, bodyCount: sizes[(number + version) % sizes.count] + number % 7,
                storedAt: Int64(1_000 + number))
        }

        /// Stores new entries and other versions of earlier ones, looks some up and removes some.
        mutating func work(_ count: Int) throws {
            for _ in 0..<count {
                number += 1
                let before = [number - 1, number - 3, number / 2, number / 5].map { max(0, $0) }
                transcript.add("stored \(try tier.store(Self.sample(number).entry()))")
                newest[number] = 0
                switch number % 6 {
                case 0:
                    transcript.add("stored \(try tier.store(Self.sample(before[1], version: 1).entry()))")
                    newest[before[1]] = 1
                case 1:
                    transcript.add("removed \(try tier.remove(Self.sample(before[2]).hash))")
                    newest[before[2]] = nil
                default: break
                }
                for number in before { find(number) }
            }
        }

        /// Looks an entry up.
        ///
        /// - Returns: whether it was found.
        @discardableResult
        func find(_ number: Int) -> Bool {
            let found = tier.lookup(Self.sample(number))
            let version = (0...1).first { found.map(Self.sample(number, version: $0).matches) ?? false }
            #expect((found == nil) == (version == nil), "entry \(number) is damaged")
            #expect(version == nil || version == newest[number], "entry \(number) is an older version, or was removed")
            transcript.add("found \(number) \(version.map(String.init) ?? "nothing")")
            return found != nil
        }

        /// Ends a group: looks everything up, and writes its line.
        mutating func end(_ name: String) {
            let held = (0...number).count { find($0) }
            #expect(tier.count == held && tier.currentUsage <= tier.capacity, "\(name)")
            let statistics = tier.statistics
            #expect(
                statistics.damagedRecords == 0 && statistics.damagedSegments == 0 && statistics.failures == 0,
                "\(name): \(statistics)")
            let figures = [tier.count, tier.currentUsage, tier.tombstoneUsage, tier.capacity, tier.indexBytes]
            text += "\(name): \(figures), \(transcript.summary())\n    \(tier.statistics)\n"
        }
    }

    @Test(
        "stores, removals, reclaiming, other capacities and recovery are the calls that were recorded",
        arguments: [EvictionPolicy.leastRecentlyUsed, .greedyDualSizeFrequency])
    func calls(policy: EvictionPolicy) throws {
        var session = try Session(policy)
        try session.work(40)
        session.end("first entries")
        try session.tier.flush()
        try session.work(160)
        session.end("reclaiming, after a flush")
        let kept = session.number - 30
        try session.tier.removeAll(since: Int64(1_000 + kept))
        session.newest = session.newest.filter { $0.key <= kept }
        session.end("removed by date")
        session.tier.finishRemovals()
        try session.work(20)
        session.end("stored after a removal by date")
        try Array("https://example.org/17".utf8).withUnsafeBytes { try session.tier.removeAll(withPrefix: $0) }
        session.newest = session.newest.filter { !"\($0.key)".hasPrefix("17") }
        session.end("removed by prefix")
        for capacity in [150_000, 900_000, 400_000] {
            try session.tier.setCapacity(capacity)
            session.end("capacity \(capacity)")
            try session.work(60)
            session.end("stored in \(capacity)")
        }
        session.tier.close()
        try session.reopen(capacity: 400_000)
        session.end("opened after a close")
        try session.work(30)
        // Nothing is closed: the process is gone.
        try session.reopen(capacity: 400_000)
        session.end("opened after a kill")
        try session.tier.erase()
        session.tier.erasesRemoved = true
        try session.work(12)
        session.end("erasing")
        try session.reopen(capacity: 200_000)
        session.end("opened with a lower capacity")
        try session.tier.removeAll()
        session.newest = [:]
        try session.work(10)
        session.end("cleared")
        session.tier.close()
        try session.reopen(capacity: 400_000)
        session.end("opened with a higher capacity")
        #expect(RecordedText.differences(of: session.text, from: "Steps/disk-\(policy).txt") == [])
    }
}
