import DiskSimulation
import Testing

@testable import CacheTiers

/// Parts of an older copy of the file beside newer ones; FORMAT.md, "Parts of an older copy".
@Suite struct RollbackTests {
    private static func open(_ storage: MemoryStorage) throws -> DiskTier {
        try DiskTier(storage, capacity: 16 << 10, seed: KeySeed(1, 2), nonceSeed: UInt64(storage.writeCount) + 3)
    }

    private static func samples(_ version: Int) -> [Sample] {
        (0..<10).map { Sample(number: $0, version: version, bodyCount: 300) }
    }

    /// Puts bytes of an older copy back.
    private static func rollBack(_ storage: MemoryStorage, to old: [UInt8], _ range: Range<Int>) {
        var bytes = storage.bytes
        let range = range.clamped(to: 0..<min(old.count, bytes.count))
        bytes.replaceSubrange(range, with: old[range])
        storage.replace(bytes)
    }

    @Test("A superblock from before a clearing brings nothing back, if something was stored since")
    func superblock() throws {
        let storage = MemoryStorage()
        var tier = try Self.open(storage)
        for sample in Self.samples(0) { try tier.store(sample.entry()) }
        let old = storage.bytes
        try tier.removeAll()
        try tier.store(Sample(number: 99).entry())
        Self.rollBack(storage, to: old, 0..<64)
        tier = try Self.open(storage)
        for sample in Self.samples(0) { #expect(tier.lookup(sample) == nil) }
        #expect(tier.holds(Sample(number: 99)))
    }

    @Test("A slot, or records, from before their segment was begun anew bring nothing back", arguments: [true, false])
    func earlierLife(isSlot: Bool) throws {
        let storage = MemoryStorage()
        var tier = try Self.open(storage)
        for version in 0..<3 { for sample in Self.samples(version) { try tier.store(sample.entry()) } }
        let old = storage.bytes
        // Three times round the ring.
        for version in 3..<20 { for sample in Self.samples(version) { try tier.store(sample.entry()) } }
        let whole = storage.bytes
        let places =
            isSlot ? stride(from: 512, to: 512 + 48 * 32, by: 32) : stride(from: 2048, to: whole.count, by: 512)
        for place in places {
            storage.replace(whole)
            Self.rollBack(storage, to: old, place..<place + (isSlot ? 32 : 512))
            tier = try Self.open(storage)
            for number in 0..<10 {
                guard let entry = tier.lookup(Sample(number: number)) else { continue }
                // One of the versions that the newer copy has, whole; of the older copy none.
                #expect((3..<20).contains { Self.samples($0)[number].matches(entry) })
            }
        }
    }

    @Test("A superblock of another file voids all segments") func otherFile() throws {
        let storage = MemoryStorage()
        let other = MemoryStorage()
        let tier = try Self.open(storage)
        _ = try DiskTier(other, capacity: 16 << 10, seed: KeySeed(1, 2), nonceSeed: 77)
        for sample in Self.samples(0) { try tier.store(sample.entry()) }
        Self.rollBack(storage, to: other.bytes, 0..<64)
        let again = try Self.open(storage)
        #expect(again.count == 0 && again.statistics.damagedSegments > 0)
    }
}
