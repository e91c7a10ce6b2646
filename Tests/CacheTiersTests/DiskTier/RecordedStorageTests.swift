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

    func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(StorageError) {
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
/// operations are the same bytes in the same order; a change of either is recorded anew.
@Suite("Recorded calls of the disk tier") struct RecordedStorageTests {
    /// The operations on one storage, with a line for each group of them.
    private struct Session {
        let storage = MemoryStorage()
        let transcript = Transcript()
        let policy: EvictionPolicy
        var tier: DiskTier
        var text = ""
        var number = 0

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
                switch number % 6 {
                case 0: transcript.add("stored \(try tier.store(Self.sample(before[1], version: 1).entry()))")
                case 1: transcript.add("removed \(try tier.remove(Self.sample(before[2]).hash))")
                default: break
                }
                for number in before { find(number) }
            }
        }

        func find(_ number: Int) {
            let found = tier.lookup(Self.sample(number))
            let version = (0...1).first { found.map(Self.sample(number, version: $0).matches) ?? false }
            #expect((found == nil) == (version == nil), "entry \(number) is damaged")
            transcript.add("found \(number) \(version.map(String.init) ?? "nothing")")
        }

        /// Ends a group: looks everything up, and writes its line.
        mutating func end(_ name: String) {
            for number in 0...number { find(number) }
            let figures = [tier.count, tier.currentUsage, tier.tombstoneUsage, tier.capacity, tier.indexBytes]
            text += "\(name): \(figures), \(transcript.summary())\n    \(tier.statistics)\n"
        }
    }

    @Test(
        "stores, removals, reclaiming, other capacities and recovery are the calls that were recorded",
        arguments: [
            EvictionPolicy.leastRecentlyUsed, .greedyDualSizeFrequency,
        ])
    func calls(policy: EvictionPolicy) throws {
        var session = try Session(policy)
        try session.work(40)
        session.end("first entries")
        try session.tier.flush()
        try session.work(160)
        session.end("reclaiming, after a flush")
        try session.tier.removeAll(since: Int64(1_000 + session.number - 30))
        session.end("removed by date")
        session.tier.finishRemovals()
        try session.work(20)
        session.end("stored after a removal by date")
        try Array("https://example.org/17".utf8).withUnsafeBytes { try session.tier.removeAll(withPrefix: $0) }
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
        try session.work(10)
        session.end("cleared")
        session.tier.close()
        try session.reopen(capacity: 400_000)
        session.end("opened with a higher capacity")
        #expect(RecordedText.differences(of: session.text, from: "Steps/disk-\(policy).txt") == [])
    }
}
