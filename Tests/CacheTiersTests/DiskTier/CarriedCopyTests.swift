import DiskSimulation
import Platform
import Testing

@testable import CacheTiers

/// The first record that is carried after an opening: an earlier process may have written the same copy in the same
/// place.
@Suite("First carried copy") struct CarriedCopyTests {
    private let samples = (0..<900).map { Sample(number: $0) }
    private let late = Sample(number: 1_000)

    /// Opens the file as another process. With this policy the first store has to make room, and carries before it
    /// writes.
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

    @Test("A copy that could not be read by an opening does not come back after a removal")
    func unreadableCopy() throws {
        let storage = MemoryStorage()
        var tier = try open(storage, nonceSeed: 3)
        for sample in samples { try tier.store(sample.entry()) }
        tier = try open(storage, nonceSeed: 4)
        let places = { (log: borrowing RecordLog) in
            samples.map { log.index.find(Fingerprint($0.hash.low))?.pointee.place }
        }
        let before = places(tier.shared.log.pointee)
        try tier.store(late.entry())
        let after = places(tier.shared.log.pointee)
        let carried = samples.indices.filter { before[$0] != nil && after[$0] != nil && before[$0] != after[$0] }
        #expect(!carried.isEmpty)
        let (bytes, reads) = (storage.bytes, storage.readCount)
        _ = try DiskTier(storage, capacity: 128 << 10, seed: KeySeed(1, 2), nonceSeed: 5)
        var unreadable = 0
        for read in 0..<storage.readCount - reads {
            storage.replace(bytes)
            storage.schedule(.error(EIO), after: read)
            guard let opened = try? DiskTier(storage, capacity: 128 << 10, seed: KeySeed(1, 2), nonceSeed: 6)
            else {
                storage.recover()
                continue
            }
            storage.recover()
            guard opened.statistics.damagedSegments == 0, opened.startReason == nil else { continue }
            unreadable += 1
            // The originals are overwritten, without a look at the copies.
            for number in 2_000..<2_100 { try opened.store(Sample(number: number).entry()) }
            for number in carried { try opened.remove(samples[number].hash) }
            let next = try DiskTier(storage, capacity: 128 << 10, seed: KeySeed(1, 2), nonceSeed: 7)
            for number in carried { #expect(!next.holds(samples[number]), "read \(read)") }
        }
        #expect(unreadable > 0)
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

    @Test("On a full disk the original of a copy that is removed or superseded does not come back")
    func fullDisk() throws {
        let (storage, capacity) = (MemoryStorage(), 1 << 20)
        let tier = try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3)
        let kept = (0..<40).map { Sample(number: $0, bodyCount: 1_000) }
        let geometry = tier.shared.log.pointee.geometry
        // Full in the last segment of the first round, for which the first have been carried.
        storage.limit(to: geometry.dataEnd - geometry.segmentBytes / 2)
        var number = 0
        while (try? tier.store(Sample(number: number, bodyCount: 1_000).entry())) != nil {
            number += 1
            if number == 100 { for sample in kept { #expect(tier.holds(sample)) } }
        }
        #expect(tier.statistics.carriedRecords > 0 && number > 500)
        // Until there is no room for a tombstone, either.
        for number in 100..<300 { try tier.remove(Sample(number: number).hash) }
        for sample in kept {
            if sample.number % 2 == 0 {
                try tier.remove(sample.hash)
            } else {
                #expect(throws: DiskTierError.self) {
                    try tier.store(Sample(number: sample.number, version: 1, bodyCount: 2_000).entry())
                }
            }
            #expect(tier.lookup(sample) == nil)
        }
        #expect(tier.statistics.forcedClearings == 0 && tier.holds(Sample(number: 400, bodyCount: 1_000)))
        storage.recover()
        let next = try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 4)
        for sample in kept { #expect(next.lookup(sample) == nil, "\(sample.number)") }
        #expect(next.holds(Sample(number: 400, bodyCount: 1_000)))
    }

    @Test("What a removal could not write is mended before it returns, at the end as well") func halfWritten() throws {
        for isClosed in [false, true] {
            let storage = MemoryStorage()
            let schedule = WriteSchedule(now: { 0 }, later: { _, _ in true })
            let tier = try DiskTier(storage, capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 3, schedule: schedule)
            for number in 0..<20 { try tier.store(Sample(number: number).entry()) }
            // The waiting records reach the disk, and the tombstone after them does not.
            let waiting = tier.shared.log.pointee.writeBuffer.count
            #expect(waiting > 0)
            storage.schedule(.short(waiting), after: 0)
            if isClosed {
                tier.writeWaiting()
                tier.close()
            } else {
                #expect(try tier.remove(Sample(number: 19).hash))
            }
            let next = try DiskTier(storage, capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 4)
            #expect(next.lookup(Sample(number: 19)) == nil)
        }
    }
}
