import DiskSimulation
import Testing

@testable import CacheTiers

/// The first record that is carried after an opening: an earlier process may have written the same copy in the same place.
@Suite("First carried copy")
struct CarriedCopyTests {
    private let samples = (0..<900).map { Sample(number: $0) }
    private let late = Sample(number: 1_000)

    /// Opens the file as another process. With this policy the first store has to make room, and carries before it writes.
    private func open(_ storage: MemoryStorage, nonceSeed: UInt64) throws -> DiskTier {
        let tier = try DiskTier(
            storage, capacity: 128 << 10, seed: KeySeed(1, 2), nonceSeed: nonceSeed, policy: .greedyDualSizeFrequency)
        for sample in samples where sample.number % 4 == 0 { for _ in 0..<2 { _ = tier.lookup(sample) } }
        return tier
    }

    /// Bytes that are left of the newest segment.
    private func rest(_ log: borrowing RecordLog) -> Int {
        log.geometry.start(ofSegment: log.headSegment) + log.geometry.segmentBytes - log.head
    }

    /// A full log in which `late` was stored behind carried copies, and then the first of those lost.
    private func image() throws -> [UInt8] {
        let storage = MemoryStorage()
        let filled = try open(storage, nonceSeed: 3)
        for sample in samples {
            try filled.store(sample.entry())
            if sample.number > 800, rest(filled.shared.log.pointee) > 2_500 { break }
        }
        let tier = try open(storage, nonceSeed: 4)
        let head = tier.shared.log.pointee.head
        try tier.store(late.entry())
        #expect(tier.statistics.carriedRecords > 0 && rest(tier.shared.log.pointee) > 0)
        var bytes = storage.bytes
        for position in head..<head + RecordHeader.byteCount { bytes[position] = 0 }
        return bytes
    }

    @Test("What stood behind a lost copy does not come back when the copy is written again", arguments: 0..<12)
    func writtenAgain(operations: Int) throws {
        let storage = MemoryStorage(try image())
        let tier = try open(storage, nonceSeed: 5)
        #expect(tier.lookup(late) == nil)
        storage.schedule(.kill(0), after: operations)
        _ = try? tier.store(Sample(number: 1_001).entry())
        storage.recover()
        let next = try open(storage, nonceSeed: 6)
        #expect(next.lookup(late) == nil)
        #expect(next.count > 100)
    }
}
