import DiskSimulation
import Platform
import Testing

@testable import CacheTiers

@Suite("Removals by date on disk") struct RemovalByDateTests {
    let storage = MemoryStorage()
    let samples = (0..<400).map { Sample(number: $0, bodyCount: 300, storedAt: Int64($0)) }

    /// A tier whose removals look for entries in so many bytes of the file at once, and never later.
    private func open(_ storage: MemoryStorage? = nil, sweptAtOnce: Int = 0, capacity: Int = 400 << 10) throws
        -> DiskTier
    {
        try DiskTier(
            storage ?? self.storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3,
            schedule: WriteSchedule(now: { 0 }, later: { _, _ in true }), leastSavedCount: 10, sweptAtOnce: sweptAtOnce)
    }

    private func filled(sweptAtOnce: Int = 0) throws -> DiskTier {
        let tier = try open(sweptAtOnce: sweptAtOnce)
        for sample in samples { try tier.store(sample.entry()) }
        return tier
    }

    private func expectRemoved(_ tier: DiskTier, since date: Int) {
        for (number, sample) in samples.enumerated() { #expect(tier.holds(sample) == (number <= date)) }
    }

    @Test("what was removed is not found, before it is forgotten and afterwards") func notFound() throws {
        let tier = try filled()
        try tier.removeAll(since: 199)
        #expect(tier.count == 400)
        #expect(!tier.holds(samples[399]) && tier.holds(samples[0]))
        tier.finishRemovals()
        #expect(tier.count == 200)
        expectRemoved(tier, since: 199)
        #expect(tier.statistics.removals == 200)
    }

    @Test("it takes two small writes, however many entries it removes") func cost() throws {
        let tier = try filled()
        tier.writeWaiting()
        let (writes, reads) = (storage.writeCount, storage.readCount)
        try tier.removeAll(since: -1)
        #expect(storage.writeCount - writes == 2)
        #expect(storage.readCount - reads == 0)
    }

    @Test("a process that is killed leaves it in force", arguments: [0, 24 << 20])
    func killed(sweptAtOnce: Int) throws {
        do {
            let tier = try filled(sweptAtOnce: sweptAtOnce)
            try tier.removeAll(since: 99)
        }
        let tier = try open()
        #expect(tier.startReason == nil && tier.count == 100)
        expectRemoved(tier, since: 99)
    }

    @Test("it looks for entries in 24 MiB of the file before it returns, and in the rest later")
    func sweptAtOnce() throws {
        let tier = try DiskTier(
            storage, capacity: 1 << 30, seed: KeySeed(1, 2), nonceSeed: 3,
            schedule: WriteSchedule(now: { 0 }, later: { _, _ in true }))
        for number in 0..<120 { try tier.store(TestKey("\(number)").entry(bodyCount: 300 << 10)) }
        try tier.removeAll(since: 0)
        // At most 256 KiB are read for each, and less at the end of a segment.
        #expect((95...98).contains(120 - tier.count))
        tier.finishRemovals()
        #expect(tier.count == 0)
    }

    @Test("an erasure that cannot write what waits throws before it looks for entries to forget")
    func failingErasure() throws {
        let tier = try filled()
        try tier.removeAll(since: 199)
        for number in 400..<403 { try tier.store(Sample(number: number).entry()) }
        #expect(tier.count == 403)
        let reads = storage.readCount
        storage.schedule(.error(EIO), after: 0)
        #expect(throws: DiskTierError.self) { try tier.erase() }
        // Those that waited are lost.
        #expect(tier.count == 400 && storage.readCount == reads)
        try tier.erase()
        #expect(tier.count == 200)
        expectRemoved(tier, since: 199)
    }

    @Test("what is stored after the file was opened again is not removed by the dates before")
    func storedAfterOpening() throws {
        do {
            let tier = try open(sweptAtOnce: 24 << 20)
            try tier.store(samples[0].entry())
            for date in 1...4 { try tier.removeAll(since: Int64(date)) }
        }
        let tier = try open()
        try tier.store(samples[300].entry())
        tier.writeWaiting()
        #expect(tier.holds(samples[0]) && tier.holds(samples[300]))
        let again = try open()
        #expect(again.holds(samples[0]) && again.holds(samples[300]))
    }

    @Test("a removal takes the place of those since the same or a later date, and removing everything that of all")
    func marks() throws {
        let tier = try filled()
        for (date, count) in [(300, 1), (300, 1), (200, 1), (250, 2), (250, 2), (200, 1), (210, 2)] {
            try tier.removeAll(since: Int64(date))
            #expect(tier.shared.log.pointee.removals.slots { _ in true }.count == count, "since \(date)")
        }
        #expect(tier.shared.log.pointee.superblock.hasRemovals)
        try tier.removeAll()
        #expect(tier.shared.log.pointee.removals.isEmpty && !tier.shared.log.pointee.superblock.hasRemovals)
    }

    @Test("a saved index that still has what was removed brings nothing back", arguments: [false, true])
    func savedIndex(isFinished: Bool) throws {
        do {
            let tier = try filled()
            try tier.removeAll(since: 99)
            if isFinished { tier.finishRemovals() }
            tier.close()
        }
        let tier = try open()
        #expect(tier.shared.log.pointee.savedIndex != nil)
        #expect(tier.count == (isFinished ? 100 : 400))
        expectRemoved(tier, since: 99)
        tier.finishRemovals()
        #expect(tier.count == 100)
    }

    @Test("a removal that a killed process made after the index was saved is in force") func afterSavedIndex() throws {
        do { try filled().close() }
        do { try open().removeAll(since: 99) }
        do { try open().removeAll(since: 49) }
        expectRemoved(try open(), since: 49)
    }

    @Test("an older version does not come back in the place of the removed one") func olderVersion() throws {
        do {
            let tier = try filled()
            for sample in samples[..<50] {
                try tier.store(Sample(number: sample.number, version: 1, storedAt: 1_000).entry())
            }
            try tier.removeAll(since: 999)
            #expect(!tier.holds(samples[0]) && tier.holds(samples[60]))
        }
        let tier = try open()
        #expect(tier.count == 350)
        for sample in samples[..<50] { #expect(tier.lookup(sample) == nil) }
    }

    @Test("what is stored afterwards is found, whatever its date") func storedAfterwards() throws {
        let later = Sample(number: 7, version: 3, storedAt: 5_000)
        do {
            let tier = try filled()
            try tier.removeAll(since: -1)
            try tier.store(later.entry())
            #expect(tier.holds(later))
        }
        let tier = try open()
        #expect(tier.holds(later) && tier.count == 1)
    }

    @Test("removing what was removed by date says that nothing was there") func removedTwice() throws {
        let tier = try filled()
        try tier.removeAll(since: 10)
        let (removed, kept) = (try tier.remove(samples[300].hash), try tier.remove(samples[3].hash))
        #expect(!removed && kept)
    }

    @Test("any number of them stay in force together") func many() throws {
        let removals = 20
        do {
            let tier = try filled()
            for step in 0..<removals {
                // Each removes ten that were stored after the one before it.
                for number in 0..<20 {
                    let sample = Sample(
                        number: 1_000 + step * 20 + number, storedAt: Int64(10_000 + step * 20 + number))
                    try tier.store(sample.entry())
                }
                try tier.removeAll(since: Int64(10_000 + step * 20 + 9))
            }
        }
        let tier = try open()
        for step in 0..<removals {
            for number in 10..<20 {
                #expect(tier.lookup(Sample(number: 1_000 + step * 20 + number)) == nil, "\(step) \(number)")
            }
        }
        #expect(samples.allSatisfy(tier.holds))
        let last = (0..<10).map { 10_000 + 19 * 20 + $0 }
        #expect(last.allSatisfy { tier.holds(Sample(number: $0 - 9_000, storedAt: Int64($0))) })
    }

    @Test("once the log has come round the file no longer has it, and an earlier program can read it")
    func retired() throws {
        let tier = try filled()
        try tier.removeAll(since: 199)
        #expect(storage.bytes[8] == 2)
        for number in 1_000..<3_000 {
            let sample = Sample(number: number, bodyCount: 300, storedAt: 5_000)
            try tier.store(sample.entry())
            _ = tier.lookup(samples[number % 200])
        }
        #expect(storage.bytes[8] == 1)
        #expect(storage.bytes[256..<512].allSatisfy { $0 == 0 })
        #expect(tier.lookup(samples[300]) == nil)
    }

    @Test("with erasing nothing of what was removed is left in the file") func erased() throws {
        let tier = try filled()
        tier.erasesRemoved = true
        try tier.removeAll(since: 199)
        #expect(tier.count == 200)
        let bytes = storage.bytes
        for sample in [samples[200], samples[399]] { #expect(!bytes.contains(sample.body)) }
        #expect(bytes.contains(samples[0].body))
    }

    @Test("after another capacity nothing of it comes back", arguments: [128 << 10, 600 << 10])
    func otherCapacity(capacity: Int) throws {
        do {
            let tier = try filled()
            try tier.removeAll(since: 199)
            try tier.setCapacity(capacity)
            for sample in samples[200...] { #expect(tier.lookup(sample) == nil) }
            #expect(tier.holds(samples[199]))
        }
        let tier = try open(capacity: capacity)
        for sample in samples[200...] { #expect(tier.lookup(sample) == nil) }
        #expect(tier.holds(samples[199]))
    }

    @Test("if it cannot be written everything is given up, and it does not fail") func failingWrite() throws {
        let tier = try filled()
        tier.writeWaiting()
        storage.schedule(.error(EIO), after: 0)
        try tier.removeAll(since: 199)
        #expect(tier.count == 0 && tier.statistics.forcedClearings == 1)
    }
}
