import CacheTiers
import DiskSimulation
import Platform
import Testing

/// Records that wait in memory to be written with others.
@Suite struct WaitingRecordsTests {
    /// A clock that is set by hand, and the work that was put off until later.
    ///
    /// `@unchecked Sendable`: used from one thread.
    final class Timer: @unchecked Sendable {
        var now: UInt64 = 1 << 40
        /// Writes of waiting records.
        var due: [@Sendable () -> Void] = []
        /// Reservations of space, which are due at once.
        var reservations: [@Sendable () -> Void] = []

        var schedule: WriteSchedule {
            WriteSchedule(
                now: { self.now },
                later: { delay, body in
                    if delay == 0 { self.reservations.append(body) } else { self.due.append(body) }
                    return true
                })
        }

        func fire() {
            let bodies = due
            due = []
            for body in bodies { body() }
        }

        func reserve() {
            let bodies = reservations
            reservations = []
            for body in bodies { body() }
        }
    }

    let storage = MemoryStorage()
    let timer = Timer()

    func open(_ capacity: Int = 1 << 20) throws -> DiskTier {
        try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3, schedule: timer.schedule)
    }

    func holds(_ log: DiskTier, _ sample: Sample) -> Bool {
        sample.key.withUnsafeBytes { log.lookup($0, hash: sample.hash) }.map(sample.matches) ?? false
    }

    @Test("a burst of stores is written with few calls") func aBurstOfStoresIsWrittenWithFewCalls() throws {
        let log = try open()
        for number in 0..<60 { _ = try log.store(Sample(number: number, bodyCount: 200).entry()) }
        // The superblock, the first segment's slot, the first store, which is no burst yet.
        #expect(storage.writeCount == 3)
        timer.fire()
        #expect(storage.writeCount == 4)
        for number in 0..<60 { #expect(holds(log, Sample(number: number, bodyCount: 200))) }
    }

    @Test("no more than 64 KiB wait") func noMoreThan64KiBWait() throws {
        // Segments large enough that none ends in between.
        let log = try open(64 << 20)
        for number in 0..<100 { _ = try log.store(Sample(number: number, bodyCount: 1000).entry()) }
        // The superblock, the first segment's slot, the first store, and the records that waited when one more was too
        // much.
        #expect(storage.writeCount == 4)
    }

    @Test("an entry that may not wait is written together with the waiting entries")
    func anEntryThatMayNotWaitIsWrittenTogetherWithTheWaitingEntries() throws {
        let log = try open()
        for number in 0..<4 { _ = try log.store(Sample(number: number).entry()) }
        let before = storage.writeCount
        _ = try log.store(Sample(number: 3, version: 1).entry())
        #expect(storage.writeCount == before + 1)
    }

    @Test("A lookup writes nothing, be the record in the file or waiting in memory") func lookups() throws {
        let log = try open()
        for number in 0..<4 { _ = try log.store(Sample(number: number).entry()) }
        let before = storage.writeCount
        #expect(holds(log, Sample(number: 0)))
        #expect(storage.writeCount == before)
        #expect(holds(log, Sample(number: 3)))
        #expect(storage.writeCount == before)
    }

    @Test("a single store is written at once") func aSingleStoreIsWrittenAtOnce() throws {
        do {
            let log = try open()
            for number in 0..<5 {
                _ = try log.store(Sample(number: number).entry())
                timer.now += 1_000_000_000
            }
            #expect(timer.due.isEmpty)
        }
        let log = try open()
        #expect(log.count == 5)
    }

    @Test("waiting entries are written after a moment, without another operation")
    func waitingEntriesAreWrittenAfterAMomentWithoutAnotherOperation() throws {
        do {
            let log = try open()
            for number in 0..<5 { _ = try log.store(Sample(number: number).entry()) }
            #expect(timer.due.count == 1)
            timer.fire()
        }
        #expect(try open().count == 5)
    }

    @Test("a process that dies loses the waiting entries alone")
    func aProcessThatDiesLosesTheWaitingEntriesAlone() throws {
        do {
            let log = try open()
            for number in 0..<5 { _ = try log.store(Sample(number: number).entry()) }
            #expect(log.count == 5)
        }
        let log = try open()
        #expect(log.count == 1)
        #expect(holds(log, Sample(number: 0)))
    }

    enum Write: CaseIterable {
        case newVersion, removal, flush, close, removeAllSince, capacity
    }

    @Test("waiting entries are written before any operation that must find them in the file", arguments: Write.allCases)
    func waitingEntriesAreWrittenBeforeAnyOperationThatMustFindThemInTheFile(_ write: Write) throws {
        do {
            let log = try open()
            for number in 0..<4 { _ = try log.store(Sample(number: number).entry()) }
            switch write {
            case .newVersion: _ = try log.store(Sample(number: 3, version: 1).entry())
            case .removal: #expect(try log.remove(Sample(number: 3).hash))
            case .flush: try log.flush()
            case .close: log.close()
            case .removeAllSince: try log.removeAll(since: 100)
            case .capacity: try log.setCapacity(2 << 20)
            }
        }
        let log = try open(write == .capacity ? 2 << 20 : 1 << 20)
        for number in 0..<3 { #expect(holds(log, Sample(number: number)), "\(number)") }
        let last = [Sample(number: 3), Sample(number: 3, version: 1)].map { holds(log, $0) }
        switch write {
        case .newVersion: #expect(last == [false, true])
        case .removal: #expect(last == [false, false])
        default: #expect(last == [true, false])
        }
    }

    @Test("removing all entries removes the waiting ones") func removingAllEntriesRemovesTheWaitingOnes() throws {
        do {
            let log = try open()
            for number in 0..<5 { _ = try log.store(Sample(number: number).entry()) }
            try log.removeAll()
            #expect(log.currentUsage == 0)
            timer.fire()
        }
        #expect(try open().count == 0)
    }

    @Test("after a failed write its entries are misses, and later stores survive a kill")
    func afterAFailedWriteItsEntriesAreMissesAndLaterStoresSurviveAKill() throws {
        do {
            let log = try open()
            for number in 0..<5 { _ = try log.store(Sample(number: number).entry()) }
            storage.schedule(.short(100), after: 0)
            timer.fire()
            #expect(log.statistics.failures == 1)
            _ = try log.store(Sample(number: 3, version: 1).entry())
            #expect(log.count == 2)
            #expect(try !log.remove(Sample(number: 4).hash))
            for number in 1..<3 { #expect(!holds(log, Sample(number: number))) }
            #expect(holds(log, Sample(number: 3, version: 1)))
            timer.fire()
        }
        let log = try open()
        #expect(holds(log, Sample(number: 0)))
        #expect(holds(log, Sample(number: 3, version: 1)))
        for number in [1, 2, 4] { #expect(!holds(log, Sample(number: number)), "\(number)") }
    }

    @Test("a log without a schedule lets no copy wait either: nothing would have it written in the end")
    func withoutTimingEveryCopyIsWrittenAtOnce() throws {
        let log = try DiskTier(storage, capacity: 1 << 17, seed: KeySeed(1, 2), nonceSeed: 3)
        for number in 0..<1000 {
            let (writes, copies) = (storage.writeCount, log.statistics.carriedRecords)
            _ = try log.store(Sample(number: number).entry())
            let copied = Int(log.statistics.carriedRecords - copies)
            #expect(storage.writeCount >= writes + 1 + copied, "\(number): \(copied) copies")
            // Touched, so that it is carried when its segment is reclaimed.
            if number % 8 == 0 { #expect(holds(log, Sample(number: number))) }
        }
        #expect(log.statistics.carriedRecords > 10)
    }

    @Test("a tier on a real disk writes waiting entries when it is released and when the process exits")
    func aTierOnARealDiskWritesWaitingEntriesWhenItIsReleasedAndWhenTheProcessExits() async throws {
        let directory = TemporaryDirectory()
        do {
            let tier = try DiskTier(directory: directory.path, capacity: 1 << 20)
            for number in 0..<100 { try tier.store(Sample(number: number).entry()) }
        }
        #expect(try DiskTier(directory: directory.path, capacity: 1 << 20).count == 100)
        let path = directory.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let tier = try DiskTier(directory: path, capacity: 1 << 20)
            for number in 100..<300 { try tier.store(Sample(number: number).entry()) }
            // Kept alive, as a global would be.
            _ = Unmanaged.passRetained(tier)
            exit(0)
        }
        #expect(try DiskTier(directory: directory.path, capacity: 1 << 20).count == 300)
    }

    @Test("what was put off after a clearing cuts nothing off that was stored round the ring meanwhile")
    func cutAfterTheRing() throws {
        func fill() throws -> DiskTier {
            let tier = try open(2 << 20)
            try tier.store(Sample(number: 9_999).entry())
            try tier.removeAll()
            for number in 0..<600 {
                try tier.store(Sample(number: number, bodyCount: 4_000).entry())
                if number == 300 { try tier.remove(Sample(number: 130).hash) }
            }
            timer.fire()
            return tier
        }
        let tier = try fill()
        let before = tier.count
        #expect(before > 400)
        for number in 200..<600 { #expect(holds(tier, Sample(number: number, bodyCount: 4_000))) }
        #expect(tier.count == before && tier.statistics.damagedRecords == 0)
        #expect(!holds(try open(2 << 20), Sample(number: 130, bodyCount: 4_000)))
    }
}
