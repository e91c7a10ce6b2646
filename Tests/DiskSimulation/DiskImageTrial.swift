import CSupport
import CacheTiers
import Platform

/// Opens arbitrary bytes as a disk log's file, and judges what it answers and whether it still works.
///
/// The promises that are judged:
/// - opening succeeds, and what begins empty says why;
/// - an answer has the key that was asked for, and is a record that stands in the bytes, whole: both its checksums
///   hold;
/// - the file and the usage are within the capacity;
/// - an entry stored then is found, and a removed one is not, before and after closing and opening again.
package struct DiskImageTrial {
    private let storage: MemoryStorage
    private let records: [DiskImage.Record: [UInt8]]
    private var log: DiskTier
    private var capacity: Int

    /// - Returns: the promise that was broken; `nil` when all held.
    package static func run(_ bytes: UnsafeRawBufferPointer) -> String? {
        do throws(BrokenPromise) {
            var trial = try DiskImageTrial([UInt8](bytes))
            try trial.run()
            return nil
        } catch {
            return error.message
        }
    }

    private init(_ bytes: [UInt8]) throws(BrokenPromise) {
        // The byte behind the superblock is unused; here it chooses the capacity.
        let choice = bytes.count > 64 ? Int(bytes[64]) : 0
        capacity = DiskTrial.capacities[choice % DiskTrial.capacities.count]
        storage = MemoryStorage(bytes)
        records = DiskImage(bytes).wholeRecords(inFileOf: max(capacity, bytes.count))
        log = try Self.open(storage, capacity)
        guard log.startReason == nil || log.count == 0 else {
            throw BrokenPromise("it began empty, \(log.startReason as Any), with \(log.count) entries")
        }
    }

    private static func open(_ storage: MemoryStorage, _ capacity: Int) throws(BrokenPromise) -> DiskTier {
        do throws(StorageError) {
            return try DiskTier(storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 7, leastSavedCount: 1)
        } catch {
            throw BrokenPromise("opening failed: \(error)")
        }
    }

    private mutating func run() throws(BrokenPromise) {
        try checkSize()
        for (record, key) in records { try judge(key, KeyHash(low: record.hashLow, high: record.hashHigh)) }
        for number in 0..<DiskTrial.keyCount { try judge(Version.key(number), Version.hash(number)) }
        guard capacity >= 16 << 10 else { return }
        // Often enough to go round a small ring, so that all that stood there is written over.
        for number in 0..<60 {
            try store(Version(number: 1000 + number, bodyCount: 300), number % 4)
            if number % 8 == 0 { try remove(number % 4) }
        }
        try checkSize()
        let last = Version(number: 2000, bodyCount: 200)
        try store(last, 5)
        try remove(6)
        log.close()
        // With such large numbers, which no honest file has, the next opening may start over: it counts on by up to
        // 2^32.
        let mayStartOver = DiskImage(storage.bytes).largestGeneration > (1 << 61) - (1 << 33)
        log = try Self.open(storage, capacity)
        if !mayStartOver || log.count > 0 { try expect(last, 5) }
        guard find(Version.key(6), Version.hash(6)) == nil else { throw BrokenPromise("what was removed is back") }
        do throws(DiskTierError) {
            try log.setCapacity(20 << 10)
            capacity = 20 << 10
        } catch {
            throw BrokenPromise("another capacity: \(error)")
        }
        try checkSize()
    }

    private func find(_ key: [UInt8], _ hash: KeyHash) -> StoredEntry? {
        key.withUnsafeBytes { log.lookup($0, hash: hash) }
    }

    private func judge(_ key: [UInt8], _ hash: KeyHash) throws(BrokenPromise) {
        guard let entry = find(key, hash) else { return }
        let payload = entry.withKey { Array($0) } + entry.withMetadata { Array($0) } + entry.withBody { Array($0) }
        let answer = DiskImage.Record(
            hashLow: entry.hash.low, hashHigh: entry.hash.high, storedAt: entry.storedAt, keyCount: entry.keyCount,
            metadataCount: entry.metadataCount, bodyCount: entry.bodyCount,
            payloadChecksum: payload.withUnsafeBytes { cs_crc32c(0, $0.baseAddress, $0.count) })
        guard Array(payload.prefix(entry.keyCount)) == key, entry.hash == hash, records[answer] != nil else {
            throw BrokenPromise(
                "an answer of \(entry.bodyCount) bytes does not stand in the file, or not under this key")
        }
    }

    private func store(_ version: Version, _ number: Int) throws(BrokenPromise) {
        guard let entry = version.entry(ofKey: number) else { throw BrokenPromise("no entry of \(version)") }
        let result = Result { () throws(DiskTierError) in try log.store(entry) }
        guard case .success(.stored) = result else { throw BrokenPromise("storing gave \(result)") }
        try expect(version, number)
    }

    private func expect(_ version: Version, _ number: Int) throws(BrokenPromise) {
        guard let entry = find(Version.key(number), Version.hash(number)), version.matches(entry, ofKey: number) else {
            throw BrokenPromise("\(version) of key \(number) is not found")
        }
    }

    private func remove(_ number: Int) throws(BrokenPromise) {
        do throws(DiskTierError) {
            _ = try log.remove(Version.hash(number))
        } catch {
            throw BrokenPromise("removing gave \(error)")
        }
        guard find(Version.key(number), Version.hash(number)) == nil else {
            throw BrokenPromise("key \(number) is found after its removal")
        }
    }

    private func checkSize() throws(BrokenPromise) {
        let count = storage.bytes.count
        guard count <= capacity, log.currentUsage <= capacity else {
            throw BrokenPromise("\(count) bytes, \(log.currentUsage) in use, at capacity \(capacity)")
        }
    }
}
