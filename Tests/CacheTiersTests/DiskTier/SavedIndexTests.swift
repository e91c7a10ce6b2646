import DiskSimulation
import Platform
import Testing

@testable import CacheTiers

@Suite("Saved index") struct SavedIndexTests {
    let storage = MemoryStorage()
    let samples = (0..<400).map { Sample(number: $0, bodyCount: 300) }

    private func open(_ storage: MemoryStorage, capacity: Int = 256 << 10, nonceSeed: UInt64 = 3) throws -> DiskTier {
        try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: nonceSeed, leastSavedCount: 10)
    }

    /// A closed log of 400 entries, some of them removed and replaced.
    private func fill(_ storage: MemoryStorage) throws -> DiskTier {
        let tier = try open(storage)
        for sample in samples { try tier.store(sample.entry()) }
        for sample in samples[100..<110] { try tier.remove(sample.hash) }
        tier.close()
        return tier
    }

    private func usesSavedIndex(_ tier: DiskTier) -> Bool { tier.shared.log.pointee.savedIndex != nil }

    @Test("A log that was closed is opened from it, with the same entries and the same usage") func roundTrip() throws {
        let before = try fill(storage)
        let reads = storage.readCount
        let tier = try open(storage, nonceSeed: 4)
        #expect(usesSavedIndex(tier))
        #expect(storage.readCount - reads < 20, "hopping takes a read for each record")
        #expect((tier.count, tier.currentUsage) == (before.count, before.currentUsage))
        #expect(tier.count == 390)
        for (number, sample) in samples.enumerated() { #expect(tier.holds(sample) == !(100..<110).contains(number)) }
        #expect(tier.statistics.damagedRecords == 0)
    }

    @Test("It is the index that hopping from header to header gives") func agreesWithHopping() throws {
        _ = try fill(storage)
        var bytes = storage.bytes
        for position in SavedIndex.offset..<SavedIndex.offset + SavedIndex.byteCount { bytes[position] = 0 }
        let (fast, slow) = (try open(storage), try open(MemoryStorage(bytes)))
        #expect(usesSavedIndex(fast) && !usesSavedIndex(slow))
        #expect(
            (fast.count, fast.currentUsage, fast.tombstoneUsage) == (slow.count, slow.currentUsage, slow.tombstoneUsage)
        )
        for sample in samples { #expect(fast.holds(sample) == slow.holds(sample)) }
    }

    @Test("After a power cut it is not believed, even one that took nothing") func powerCut() throws {
        _ = try fill(storage)
        storage.cutPower { $0 }
        let tier = try open(storage, nonceSeed: 4)
        #expect(!usesSavedIndex(tier))
        #expect(tier.count == 390)
    }

    @Test("a log of 10,000 entries saves it, one of fewer does not", arguments: [9_999, 10_000])
    func leastCount(count: Int) throws {
        func open() throws -> DiskTier {
            try DiskTier(storage, capacity: 4 << 20, seed: KeySeed(1, 2), nonceSeed: 3)
        }
        let tier = try open()
        for number in 0..<count { try tier.store(TestKey("\(number)").entry(bodyCount: 0)) }
        #expect(tier.count == count)
        tier.close()
        #expect(try usesSavedIndex(open()) == (count == 10_000))
    }

    @Test(
        "a record behind the last one keeps it from being believed only where it is of the segment and linked",
        arguments: [false, true], [false, true])
    func recordBehindTheLast(isOfSegment: Bool, isLinked: Bool) throws {
        let closed = try fill(storage)
        var bytes = storage.bytes
        let (offset, mark, link) = { (log: borrowing RecordLog) in
            let start = log.geometry.start(ofSegment: log.headSegment)
            #expect(log.lastRecordSegment == log.headSegment && log.head < start + log.geometry.segmentBytes)
            return (log.head, log.segments[log.headSegment].entry.nonce &+ UInt64(log.head - start), log.lastChecksum)
        }(closed.shared.log.pointee)
        var header = RecordHeader(sequence: 1_000, tombstoneFor: samples[5].hash)
        header.seal(mark: isOfSegment ? mark : mark + 1, link: isLinked ? link : ~link)
        lendBytes(of: header) { bytes.replaceSubrange(offset..<offset + RecordHeader.byteCount, with: $0) }
        let tier = try open(MemoryStorage(bytes))
        #expect(usesSavedIndex(tier) == !(isOfSegment && isLinked))
        #expect(tier.holds(samples[5]) == !(isOfSegment && isLinked))
        #expect(tier.holds(samples[6]))
    }

    /// What could not be written before the index was saved.
    enum Loss: CaseIterable {
        /// The first record of the newest segment.
        case first
        /// Records that waited, all of which reached the file although the call failed.
        case waiting
    }

    private func lose(_ loss: Loss) throws {
        let tier = try DiskTier(
            storage, capacity: 256 << 10, seed: KeySeed(1, 2), nonceSeed: 3,
            schedule: loss == .waiting ? WriteSchedule(now: { 1 }, later: { _, _ in true }) : nil, leastSavedCount: 10)
        for sample in samples { try tier.store(sample.entry()) }
        tier.writeWaiting()
        switch loss {
        case .first:
            var number = 400
            while tier.shared.log.pointee.lastRecordSegment >= 0 {
                storage.schedule(.error(EIO), after: 1)
                _ = try? tier.store(Sample(number: number, bodyCount: 300).entry())
                storage.recover()
                number += 1
            }
        case .waiting:
            for number in 400..<402 { try tier.store(Sample(number: number, bodyCount: 300).entry()) }
            storage.schedule(.short(.max), after: 0)
            tier.writeWaiting()
            #expect(tier.statistics.failures == 1 && tier.count == 400)
        }
        tier.close()
    }

    @Test(
        "One that was passed over is not believed after a store in the place of the lost record",
        arguments: Loss.allCases
    )
    func passedOver(_ loss: Loss) throws {
        try lose(loss)
        let description = storage.bytes[SavedIndex.offset..<SavedIndex.offset + SavedIndex.byteCount]
        let newer = Sample(number: 5, version: 1)
        // As if it could not be read.
        var bytes = storage.bytes
        for position in description.indices { bytes[position] = 0 }
        storage.replace(bytes)
        do {
            let tier = try open(storage, nonceSeed: 4)
            #expect(tier.holds(samples[5]))
            try tier.store(newer.entry())
        }
        bytes = storage.bytes
        bytes.replaceSubrange(description.indices, with: description)
        let next = try open(MemoryStorage(bytes), nonceSeed: 5)
        #expect(!usesSavedIndex(next))
        #expect(next.holds(newer))
    }

    @Test("One that was saved behind a segment without records is believed") func lossOfTheFirst() throws {
        try lose(.first)
        let tier = try open(storage, nonceSeed: 4)
        #expect(usesSavedIndex(tier) && tier.holds(samples[5]))
    }

    enum Change: CaseIterable {
        case store, remove, removeAll, capacity, flush
    }

    @Test("After any change that a killed process made it is not believed", arguments: Change.allCases)
    func changed(_ change: Change) throws {
        _ = try fill(storage)
        do {
            let tier = try open(storage, nonceSeed: 4)
            #expect(usesSavedIndex(tier))
            switch change {
            case .store: try tier.store(Sample(number: 5, version: 1).entry())
            case .remove: try tier.remove(samples[5].hash)
            case .removeAll: try tier.removeAll()
            case .capacity: try tier.setCapacity(300 << 10)
            case .flush: try tier.flush()
            }
        }
        let tier = try open(storage, capacity: change == .capacity ? 300 << 10 : 256 << 10, nonceSeed: 5)
        #expect(!usesSavedIndex(tier))
        let isKept = change == .capacity || change == .flush
        #expect(tier.holds(samples[5]) == isKept)
        #expect(tier.holds(Sample(number: 5, version: 1)) == (change == .store))
        #expect(tier.holds(samples[6]) == (change != .removeAll))
    }

    @Test("With any of its bytes changed it is not believed, and the entries are found all the same")
    func damaged() throws {
        _ = try fill(storage)
        let bytes = storage.bytes
        let saved = bytes[SavedIndex.offset...].prefix(SavedIndex.byteCount)
        let copy = Int(saved.dropFirst(8).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
        let places =
            Array(SavedIndex.offset..<SavedIndex.offset + 64) + Array(stride(from: copy, to: copy + 5000, by: 61))
        for place in places {
            var damaged = bytes
            damaged[place] ^= 0x10
            let tier = try open(MemoryStorage(damaged))
            #expect(!usesSavedIndex(tier), "byte \(place)")
            #expect(tier.count == 390)
        }
    }

    @Test("One with right checksums and wrong contents gives no wrong answer", arguments: 0..<40)
    func forged(seed: Int) throws {
        _ = try fill(storage)
        var image = DiskImage(storage.bytes)
        image.scrambleSavedIndex(seed: UInt64(seed))
        let tier = try open(MemoryStorage(image.bytes))
        for sample in samples {
            guard let entry = tier.lookup(sample) else { continue }
            #expect(sample.matches(entry))
        }
        for number in 0..<500 { try tier.store(Sample(number: number, version: 2).entry()) }
        #expect(tier.holds(Sample(number: 499, version: 2)))
    }

    @Test("A full log gives up the entries that it would overwrite next, and never exceeds the capacity")
    func full() throws {
        let tier = try open(storage)
        for number in 0..<3_000 { try tier.store(Sample(number: number, bodyCount: 1_000).entry()) }
        let before = tier.count
        tier.close()
        #expect(tier.count < before && tier.count > before * 9 / 10)
        #expect(storage.bytes.count <= 256 << 10)
        let reopened = try open(storage, nonceSeed: 4)
        #expect(usesSavedIndex(reopened))
        #expect(reopened.count == tier.count)
        for number in 3_000..<6_000 { try reopened.store(Sample(number: number, bodyCount: 1_000).entry()) }
        #expect(reopened.holds(Sample(number: 5_999, bodyCount: 1_000)))
        #expect(storage.bytes.count <= 256 << 10)
    }

    @Test("The real tier saves it when it is released, and what it takes is counted") func realTier() throws {
        let directory = TemporaryDirectory()
        do {
            let tier = try DiskTier(directory: directory.path, capacity: 20 << 20)
            for number in 0..<12_000 { try tier.store(Sample(number: number).entry()) }
        }
        let tier = try DiskTier(directory: directory.path, capacity: 20 << 20)
        #expect(usesSavedIndex(tier))
        #expect(tier.count == 12_000)
        #expect(tier.allocatedBytes <= 20 << 20)
        for number in stride(from: 0, to: 12_000, by: 7) { #expect(tier.holds(Sample(number: number))) }
    }
}
