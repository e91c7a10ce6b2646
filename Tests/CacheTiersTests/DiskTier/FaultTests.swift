import CacheTiers
import DiskSimulation
import ForkedChildren
import Platform
import Testing

/// Faults of the file system, and changes of the files by other programs.
@Suite struct FaultTests {
    let directory = TemporaryDirectory()

    func open(_ capacity: Int = 1 << 20) throws -> DiskTier {
        try DiskTier(directory: directory.path, capacity: capacity)
    }

    @Test("entries that another program truncates become misses, and nothing traps")
    func entriesThatAnotherProgramTruncatesBecomeMissesAndNothingTraps() throws {
        let tier = try open()
        for number in 0..<200 { try tier.store(Sample(number: number, bodyCount: 1000).entry()) }
        #expect(truncate(directory.logPath, 40_000) == 0)
        var found = 0
        for number in 0..<200 {
            guard let entry = tier.lookup(Sample(number: number)) else { continue }
            #expect(Sample(number: number, bodyCount: 1000).matches(entry))
            found += 1
        }
        #expect(found < 60)
        #expect(tier.statistics.damagedRecords > 100)
        try tier.store(Sample(number: 500).entry())
        #expect(tier.holds(Sample(number: 500)))
    }

    @Test("the tier works on after its directory vanishes") func theTierWorksOnAfterItsDirectoryVanishes() throws {
        let tier = try open()
        try tier.store(Sample(number: 1).entry())
        unlink(directory.logPath)
        unlink(directory.path + "/cache.lock")
        rmdir(directory.path)
        #expect(tier.holds(Sample(number: 1)))
        try tier.store(Sample(number: 2).entry())
        #expect(tier.holds(Sample(number: 2)))
        try tier.removeAll()
    }

    @Test(
        "a path through a file is a typed error that names the path",
        arguments: ["/dev/null/cache", "/dev/null/not/made/cache"])
    func aPathThroughAFileIsATypedErrorThatNamesThePath(_ path: String) throws {
        let error = #expect(throws: DiskTierError.self) { try DiskTier(directory: path, capacity: 1 << 20) }
        #expect(error?.description.contains(path) == true)
    }

    @Test("a directory that another process has locked is in use")
    func aDirectoryThatAnotherProcessHasLockedIsInUse() throws {
        // To flock a second open file is as good as a second process.
        let other = Platform.open(directory.path + "/cache.lock", O_RDWR | O_CREAT, 0o600)
        defer { close(other) }
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: DiskTierError.inUse(directory: directory.path)) { try open() }
        #expect(flock(other, LOCK_UN) == 0)
        #expect(throws: Never.self) { try open() }
    }

    @Test("missing directories are created") func missingDirectoriesAreCreated() throws {
        let path = directory.path + "/a/b"
        defer {
            for name in ["/cache.log", "/cache.lock", ""] { remove(path + name) }
            remove(directory.path + "/a")
        }
        let tier = try DiskTier(directory: path, capacity: 1 << 20)
        try tier.store(Sample(number: 1).entry())
        #expect(tier.holds(Sample(number: 1)))
    }

    @Test("a file that can neither grow nor be emptied stays within the capacity")
    func aFileThatCanNeitherGrowNorBeEmptiedStaysWithinTheCapacity() throws {
        let storage = MemoryStorage()
        let log = try DiskTier(storage, capacity: 0, seed: KeySeed(1, 2), nonceSeed: 3)
        // The superblock is written; making the file longer fails, and so does emptying it.
        for operation in [1, 2] { storage.schedule(.error(EIO), after: operation) }
        #expect(throws: DiskTierError.self) { try log.setCapacity(20_480) }
        #expect(storage.bytes.count <= log.capacity)
        #expect(!storage.bytes.isEmpty)
        let sample = Sample(number: 1)
        _ = try log.store(sample.entry())
        let found = sample.key.withUnsafeBytes { log.lookup($0, hash: sample.hash) }
        #expect(found.map(sample.matches) == true)
        #expect(storage.bytes.count <= 20_480)
    }

    @Test("a file of another format version starts empty and names the reason", arguments: [0, 3, 99])
    func aFileOfAnotherFormatVersionStartsEmptyAndNamesTheReason(_ version: UInt32) throws {
        do { try open().store(Sample(number: 1).entry()) }
        let descriptor = Platform.open(directory.logPath, O_RDWR)
        var bytes = [UInt8](repeating: 0, count: 64)
        pread(descriptor, &bytes, 64, 0)
        withUnsafeBytes(of: version.littleEndian) { bytes.replaceSubrange(8..<12, with: $0) }
        let checksum = checksumOf(Array(bytes[..<60]))
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(60..<64, with: $0) }
        pwrite(descriptor, bytes, 64, 0)
        close(descriptor)
        let tier = try open()
        #expect(tier.startReason == .otherVersion(version))
        #expect(tier.count == 0)
    }

    @Test("a damaged slot counts as one damaged segment, and blank slots do not count")
    func aDamagedSlotCountsAsOneDamagedSegmentAndBlankSlotsDoNotCount() throws {
        do { try open().store(Sample(number: 1).entry()) }
        let descriptor = Platform.open(directory.logPath, O_RDWR)
        // In the first slot of the segment table: its generation.
        pwrite(descriptor, [0xFF] as [UInt8], 1, 512 + 8)
        close(descriptor)
        let tier = try open()
        #expect(tier.statistics.damagedSegments == 1)
        #expect(tier.lookup(Sample(number: 1)) == nil)
    }

    @Test("a forked child neither answers nor changes anything")
    func aForkedChildNeitherAnswersNorChangesAnything() async throws {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let tier = try DiskTier(directory: directory.path, capacity: 1 << 20)
            try tier.store(Sample(number: 1).entry())
            let end = ForkedChild.run {
                tier.lookup(Sample(number: 1)) == nil && (try? tier.removeAll()) == nil ? 0 : 1
            }
            #expect(end == 0)
            #expect(tier.holds(Sample(number: 1)))
        }
    }

    @Test("the bytes on disk stay within the capacity through all operations")
    func theBytesOnDiskStayWithinTheCapacityThroughAllOperations() throws {
        let tier = try open(64 << 10)
        var number = 0
        for capacity in [64 << 10, 20 << 20, 100 << 20, 20 << 20, 3 << 20, 64 << 10, 16 << 10, 0, 1 << 20] {
            try tier.setCapacity(capacity)
            #expect(tier.allocatedBytes <= capacity)
            let bodyCount = min(capacity / 20, 60_000) - 100
            for _ in 0..<300 where bodyCount > 0 {
                number += 1
                try tier.store(Sample(number: number % 5000, version: number, bodyCount: bodyCount % 3000).entry())
            }
            #expect(tier.allocatedBytes <= capacity)
            #expect(tier.currentUsage <= capacity)
            if bodyCount > 0 {
                #expect(tier.holds(Sample(number: number % 5000, version: number, bodyCount: bodyCount % 3000)))
            }
        }
    }

    @Test("as few segments as there may be are kept, with fewer the file is divided anew")
    func fewestSegments() throws {
        var fewest = Int.max
        for capacity in stride(from: 256 << 10, through: 16 << 10, by: -4096) {
            let storage = MemoryStorage()
            let log = try DiskTier(storage, capacity: 256 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
            for number in 0..<50 { _ = try log.store(Sample(number: number).entry()) }
            try log.setCapacity(capacity)
            let newest = Sample(number: 49)
            guard newest.key.withUnsafeBytes({ log.lookup($0, hash: newest.hash) }) != nil else { continue }
            // FORMAT.md, "Superblock": segmentCount.
            fewest = min(fewest, Int(storage.bytes[48]))
        }
        #expect(fewest == 12)
    }

    @Test("a capacity after none, for which the file could neither be divided nor emptied, holds all the same")
    func neitherDividedNorEmptied() throws {
        let storage = MemoryStorage()
        let log = try DiskTier(storage, capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 3)
        _ = try log.store(Sample(number: 1).entry())
        try log.setCapacity(0)
        for count in 0...1 { storage.schedule(.error(EIO), after: count) }
        #expect(throws: DiskTierError.self) { try log.setCapacity(64 << 10) }
        #expect(log.capacity == 64 << 10)
        for number in 0..<500 { _ = try log.store(Sample(number: number, bodyCount: 1000).entry()) }
        #expect(storage.bytes.count <= 64 << 10)
    }

    @Test("growing keeps all entries, and shrinking keeps the newest")
    func growingKeepsAllEntriesAndShrinkingKeepsTheNewest() throws {
        do {
            let tier = try open(20 << 20)
            for number in 0..<1000 { try tier.store(Sample(number: number, bodyCount: 4000).entry()) }
            try tier.setCapacity(100 << 20)
            #expect(tier.count == 1000)
            for number in 1000..<8000 { try tier.store(Sample(number: number, bodyCount: 4000).entry()) }
            #expect(tier.count == 8000)
        }
        let tier = try open(20 << 20)
        #expect(tier.startReason == nil)
        #expect(tier.allocatedBytes <= 20 << 20)
        #expect(tier.count > 4000)
        for number in stride(from: 4100, to: 8000, by: 13) {
            #expect(tier.holds(Sample(number: number, bodyCount: 4000)))
        }
    }

    @Test("after shrinking, the next store takes the room that is left")
    func afterShrinkingTheNextStoreTakesTheRoomThatIsLeft() throws {
        let tier = try open(300 << 10)
        // Three quarters of it: the newest lie beyond the new end, and are moved.
        for number in 0..<500 { try tier.store(Sample(number: number, bodyCount: 300).entry()) }
        try tier.setCapacity(150 << 10)
        let evictions = tier.statistics.evictions
        try tier.store(Sample(number: 500, bodyCount: 300).entry())
        #expect(tier.statistics.evictions == evictions)
    }
}
