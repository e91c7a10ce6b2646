import CacheTiers
import DiskSimulation
import Platform
import TestSupport
import Testing

/// A damaged file opens, and gives right answers or misses.
@Suite struct DamageTests {
    static let capacity = 16 << 10
    static let samples = (0..<8).map { Sample(number: $0, version: $0 % 3, bodyCount: 20 + $0 * 9) }

    static func log(_ bytes: [UInt8]) throws -> DiskTier {
        try DiskTier(MemoryStorage(bytes), capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3)
    }

    /// A file with several versions of some keys, a removal, and a clearing before all of it.
    static func image() throws -> [UInt8] {
        let storage = MemoryStorage()
        let log = try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3)
        try storeAll(log)
        try log.removeAll()
        try storeAll(log)
        _ = try log.remove(samples[1].hash)
        return storage.bytes
    }

    private static func storeAll(_ log: DiskTier) throws {
        for sample in samples {
            for version in 0...sample.version {
                _ = try log.store(Sample(number: sample.number, version: version, bodyCount: sample.bodyCount).entry())
            }
        }
    }

    /// Opens the file and looks everything up; a wrong byte anywhere is an issue.
    ///
    /// - Returns: how many of the newest versions were found.
    @discardableResult
    static func judge(_ bytes: [UInt8], _ what: @autoclosure () -> String) throws -> Int {
        let log = try log(bytes)
        var newest = 0
        for sample in samples {
            guard let entry = sample.key.withUnsafeBytes({ log.lookup($0, hash: sample.hash) }) else { continue }
            let version = (0...sample.version).first {
                Sample(number: sample.number, version: $0, bodyCount: sample.bodyCount).matches(entry)
            }
            if version == nil { Issue.record("\(what()) gives wrong bytes for key \(sample.number)") }
            if version == sample.version { newest += 1 }
        }
        if log.count > samples.count { Issue.record("\(what()) has \(log.count) entries") }
        return newest
    }

    @Test("an undamaged file yields all of its entries") func anUndamagedFileYieldsAllOfItsEntries() throws {
        let bytes = try Self.image()
        #expect(bytes.count <= 8192)
        #expect(try Self.judge(bytes, "nothing") == Self.samples.count - 1)
        #expect(try Self.log(bytes).startReason == nil)
    }

    @Test("a file truncated anywhere yields no wrong answer") func aFileTruncatedAnywhereYieldsNoWrongAnswer() throws {
        let bytes = try Self.image()
        for count in 0..<bytes.count { try Self.judge(Array(bytes[..<count]), "truncation to \(count)") }
    }

    @Test("a file with a bit of any byte flipped, each night with any bit, yields no wrong answer")
    func aFileWithAnyBitFlippedYieldsNoWrongAnswer() throws {
        let bytes = try Self.image()
        let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
        var lost = 0
        for position in 0..<end {
            for bit in isNightly ? 0...7 : position % 8...position % 8 {
                var damaged = bytes
                damaged[position] ^= 1 << bit
                let found = try Self.judge(damaged, "bit \(bit) of byte \(position) flipped")
                if found < Self.samples.count - 1 { lost += 1 }
            }
        }
        // Or the flips were not where anything is.
        #expect(lost > nightly(end, else: end / 8))
    }

    @Test("a directory in which nothing was stored opens again as it is") func nothingStored() throws {
        let directory = TemporaryDirectory()
        for isFirst in [true, false, false] {
            let tier = try DiskTier(directory: directory.path, capacity: 1 << 20)
            #expect(tier.startReason == (isFirst ? .newFile : nil) && tier.count == 0)
        }
        let tier = try DiskTier(directory: directory.path, capacity: 1 << 20)
        try tier.store(Sample(number: 1).entry())
        #expect(tier.holds(Sample(number: 1)))
    }

    @Test("a damaged superblock empties the cache and names the reason")
    func aDamagedSuperblockEmptiesTheCacheAndNamesTheReason() throws {
        var bytes = try Self.image()
        bytes[20] ^= 1
        #expect(try Self.log(bytes).startReason == .damagedSuperblock)
        bytes[0] ^= 1
        #expect(try Self.log(bytes).startReason == .notALog)
    }

    /// Offsets and lengths are those of FORMAT.md, "Superblock".
    @Test(
        "a superblock that says what cannot be is damaged",
        arguments: [
            (offset: 40, value: 0), (40, 63), (40, 96), (40, 1 << 40), (48, 0), (48, 1), (48, 11), (48, 1 << 16),
            (52, 0), (52, 1), (52, 1 << 16),
        ])
    func impossibleGeometry(offset: Int, value: Int) throws {
        var bytes = try Self.image()
        func set(_ offset: Int, _ count: Int, _ value: Int) {
            for byte in 0..<count { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
        }
        set(offset, offset == 40 ? 8 : 4, value)
        set(60, 4, Int(checksumOf(Array(bytes[..<60]))))
        #expect(try Self.log(bytes).startReason == .damagedSuperblock)
    }

    @Test("a block that was swapped or duplicated is rejected at its wrong place")
    func aBlockThatWasSwappedOrDuplicatedIsRejectedAtItsWrongPlace() throws {
        let bytes = try Self.image()
        for size in [64, 512] {
            let blocks = (bytes.count + size - 1) / size
            for first in 0..<blocks {
                for second in stride(from: first % 3, to: blocks, by: 3) where first != second {
                    let from = first * size..<min((first + 1) * size, bytes.count)
                    let to = second * size..<min((second + 1) * size, bytes.count)
                    guard from.count == to.count else { continue }
                    var duplicated = bytes
                    duplicated.replaceSubrange(to, with: bytes[from])
                    try Self.judge(duplicated, "block \(first) of \(size) copied over \(second)")
                    var swapped = duplicated
                    swapped.replaceSubrange(from, with: bytes[to])
                    try Self.judge(swapped, "blocks \(first) and \(second) of \(size) swapped")
                }
            }
        }
    }

    @Test("a damaged body is a counted miss, and its neighbours remain")
    func aDamagedBodyIsACountedMissAndItsNeighboursRemain() throws {
        var bytes = try Self.image()
        let body = Self.samples[4].body
        let at = try #require(bytes.indices.last { bytes[$0...].starts(with: body) })
        bytes[at + 5] ^= 0x10
        let log = try Self.log(bytes)
        let damaged = Self.samples[4]
        #expect(damaged.key.withUnsafeBytes { log.lookup($0, hash: damaged.hash) } == nil)
        #expect(log.statistics.damagedRecords == 1)
        for sample in Self.samples where sample.number != 4 && sample.number != 1 {
            #expect(sample.key.withUnsafeBytes { log.lookup($0, hash: sample.hash) }.map(sample.matches) == true)
        }
    }

    @Test("a forged record inside a body is not found") func aForgedRecordInsideABodyIsNotFound() throws {
        // A whole log as the body of an entry of another: its records are well-formed, and were never stored here.
        let planted = try Self.image()
        let storage = MemoryStorage()
        let log = try DiskTier(storage, capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 4)
        var entry: StoredEntry?
        planted.withUnsafeBytes { body in
            entry = StoredEntry(
                key: ContiguousArray(Sample(number: 99).key).span.bytes, hash: Sample(number: 99).hash,
                metadata: RawSpan(), body: RawSpan(_unsafeBytes: body), storedAt: 0)
        }
        _ = try log.store(try #require(entry))
        // The header of the record that holds it is destroyed, so that recovery looks for the next.
        var bytes = storage.bytes
        let at = try #require(bytes.indices.first { $0 >= 512 && bytes[$0...].starts(with: Sample(number: 99).key) })
        bytes[at - 60] ^= 1
        let opened = try DiskTier(MemoryStorage(bytes), capacity: 1 << 20, seed: KeySeed(1, 2), nonceSeed: 5)
        #expect(opened.count == 0)
    }
}
