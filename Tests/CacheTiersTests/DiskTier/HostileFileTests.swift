import CSupport
import DiskSimulation
import Platform
import Testing

@testable import CacheTiers

/// Files whose writer means harm, and knows every checksum.
@Suite struct HostileFileTests {
    // MARK: Chosen fingerprints

    enum Kind: CaseIterable {
        case entries, tombstones, savedIndex
    }

    private func open(_ storage: MemoryStorage) throws -> DiskTier {
        try DiskTier(storage, capacity: 4 << 20, seed: KeySeed(1, 2), nonceSeed: 3, leastSavedCount: 10)
    }

    /// A log whose entries are all neighbours in the index.
    private func neighbours(_ count: Int, _ kind: Kind) throws -> MemoryStorage {
        let storage = MemoryStorage()
        let tier = try open(storage)
        let none: ContiguousArray<UInt8> = []
        for number in 1...count {
            let hash = KeyHash(low: Fingerprint(bits: UInt64(number)).anyHash, high: 0)
            let entry = StoredEntry(
                key: none.span.bytes, hash: hash, metadata: none.span.bytes, body: none.span.bytes, storedAt: 0,
                policy: .allowed)
            try tier.store(#require(entry))
            if kind == .tombstones { try tier.remove(hash) }
        }
        if kind == .savedIndex { tier.close() }
        return storage
    }

    @Test(
        "a log whose index would be one long cluster is given up, so that opening takes no time to speak of",
        arguments: Kind.allCases)
    func cluster(_ kind: Kind) throws {
        let storage = try neighbours(2_000, kind)
        let tier = try open(storage)
        #expect(tier.count == 0 && tier.statistics.damagedSegments > 0)
        try tier.store(Sample(number: 1).entry())
        let next = try open(storage)
        #expect(next.holds(Sample(number: 1)) && next.count == 1 && next.statistics.damagedSegments == 0)
    }

    @Test("a log with a short cluster is kept", arguments: [Kind.entries, .savedIndex])
    func shortCluster(_ kind: Kind) throws {
        let tier = try open(neighbours(900, kind))
        #expect(tier.count == 900 && tier.statistics.damagedSegments == 0)
    }

    // MARK: Sparse files

    /// A long file of zeros that take no room, with some bytes in it.
    ///
    /// `@unchecked Sendable`: used from one thread.
    private final class SparseStorage: DiskStorage, @unchecked Sendable {
        private var length: Int
        private var pieces: [(offset: Int, bytes: [UInt8])] = []
        private(set) var longestRead = 0
        let boot: UInt64 = 1

        init(byteCount: Int) { length = byteCount }

        func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) { pieces.append((offset, Array(bytes))) }

        func byteCount() throws(StorageError) -> Int { length }

        func allocatedByteCount() throws(StorageError) -> Int { pieces.count * 4096 }

        func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
            longestRead = max(longestRead, bytes.count)
            let count = max(0, min(bytes.count, length - offset))
            bytes.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
            for piece in pieces {
                let common = (offset..<offset + count).clamped(to: piece.offset..<piece.offset + piece.bytes.count)
                for position in common { bytes[position - offset] = piece.bytes[position - piece.offset] }
            }
            return count
        }

        func write(
            at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
        ) throws(StorageError) {
            put(first, at: offset)
            put(second, at: offset + first.count)
            length = max(length, offset + first.count + second.count)
        }

        func reserve(_ byteCount: Int) throws(StorageError) { length = max(length, byteCount) }

        func resize(to byteCount: Int) throws(StorageError) { length = byteCount }

        func synchronize() throws(StorageError) {}
    }

    /// A file of 1 TiB that has one segment.
    private struct LongFile {
        let geometry: LogGeometry
        let storage: SparseStorage
        let state: UInt32

        init(firstRecord: UInt32) throws {
            geometry = try #require(LogGeometry(capacity: 1 << 40))
            storage = SparseStorage(byteCount: geometry.dataEnd)
            var superblock = Superblock(geometry: geometry, seed: KeySeed(1, 2), identity: 7)
            superblock.withSealedBytes { [storage] in storage.put($0, at: 0) }
            let entry = SegmentEntry(firstRecord: firstRecord, generation: 1, nonce: 5, epoch: 1)
                .sealed(forSlot: 0, of: 7)
            var table = [UInt8](repeating: 0, count: geometry.tableSlots * SegmentEntry.byteCount)
            lendBytes(of: entry) { table.replaceSubrange(0..<$0.count, with: $0) }
            table.withUnsafeBytes { [storage] in storage.put($0, at: LogGeometry.superblockBytes) }
            state = table.withUnsafeBytes { cs_crc32c(superblock.state, $0.baseAddress, $0.count) }
        }

        func open() throws -> DiskTier {
            try DiskTier(storage, capacity: 1 << 40, seed: KeySeed(1, 2), nonceSeed: 3)
        }
    }

    #if canImport(Glibc)
    @Test("no memory is taken for a saved index that a sparse file only claims to have") func claimedIndex() async {
        await #expect(processExitsWith: .success) {
            let file = try LongFile(firstRecord: SegmentEntry.noRecord)
            let copy = file.geometry.start(ofSegment: 1)
            let saved = SavedIndex(
                state: file.state, offset: UInt64(copy), keyCount: UInt64((file.geometry.dataEnd - copy) / 12),
                head: UInt64(file.geometry.dataStart), nextSequence: 2, lastRecord: 0, lastChecksum: 0,
                payloadChecksum: 0, boot: 1)
            lendBytes(of: saved) { file.storage.put($0, at: SavedIndex.offset) }
            let pages = try String(contentsOfFile: "/proc/self/statm").split(separator: " ").first.flatMap { UInt($0) }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            limit.rlim_cur = try #require(pages) * 4096 + 1 << 30
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            #expect(try file.open().count == 0)
        }
    }
    #endif

    @Test("copies of a record that a sparse file only claims to have are not read while it is opened")
    func claimedCopies() throws {
        let file = try LongFile(firstRecord: 0)
        var (offset, link) = (file.geometry.dataStart, UInt32(0))
        for _ in 0..<4 {
            var header = RecordHeader(sequence: 10, entry: Sample(number: 1).entry(), payloadChecksum: 1)
            header.bodyCount = 64 << 20
            header.seal(mark: 5 &+ UInt64(offset - file.geometry.dataStart), link: link)
            lendBytes(of: header) { file.storage.put($0, at: offset) }
            offset = file.geometry.padded(offset + header.recordCount)
            link = header.checksum
        }
        let tier = try file.open()
        #expect(tier.count == 1 && file.storage.longestRead < 1 << 20)
    }
}
