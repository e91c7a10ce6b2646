// Invariant of the pointers: a record is read into an entry's allocation, which no other thread has yet. Its header is
// as long as the entry's (asserted), and its payload has the room that `EntryStorage.room` gives.

import CSupport
import Platform

/// A record's place, and what proves that it's still there.
package struct LocatedRecord: Sendable {
    var offset: Int
    /// Bytes to read: the record's length, rounded as `RecordLength` says.
    var length: Int
    /// The mark that the record's header must have.
    var mark: UInt64
    /// The segment's generation: while it is the same, the record hasn't been overwritten.
    var generation: UInt64
    /// Whether the system probably has it in memory.
    var isRecent: Bool
}

/// How the reading of a record ended.
enum RecordReading {
    case whole(RecordHeader)
    case damaged
    case failed(StorageError)
}

/// Reads a record's bytes from the file, through the mapping if they are probably in memory.
@inline(__always)
func readBytes(
    of record: LocatedRecord, from storage: any DiskStorage, into bytes: UnsafeMutableRawBufferPointer
) throws(StorageError) -> Int {
    record.isRecent
        ? try storage.readFromMemory(at: record.offset, into: bytes) : try storage.read(at: record.offset, into: bytes)
}

/// Reads a record with one call, and checks everything that can be checked without the key.
///
/// - Parameters:
///   - bytes: for header and payload, exactly as long as the record is said to be. One region, since reading into two
///     with one call takes 0.1 µs more.
///   - read: fills the region and returns the number of bytes.
@inline(__always)
func readRecord(
    _ record: LocatedRecord, into bytes: UnsafeMutableRawBufferPointer,
    _ read: (UnsafeMutableRawBufferPointer) throws(StorageError) -> Int
) -> RecordReading {
    do throws(StorageError) {
        let count = try read(bytes)
        guard count >= RecordHeader.byteCount else { return .damaged }
        let header = bytes.load(as: RecordHeader.self)
        guard header.isValid(mark: record.mark), header.kind == .entry, header.recordCount <= count,
            RecordLength.rounded(header.recordCount) == record.length
        else { return .damaged }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[RecordHeader.byteCount..<header.recordCount])
        guard header.payloadChecksum == cs_crc32c(0, payload.baseAddress, payload.count)
        else { return .damaged }
        return .whole(header)
    } catch {
        return .failed(error)
    }
}

extension StoredEntry {
    /// How looking for an entry in a record ended.
    enum Reading {
        /// The entry, and its record's number.
        case entry(StoredEntry, sequence: UInt64)
        /// Another key with the same hash.
        case otherKey
        case damaged
        /// Removed by date.
        case removed
        case failed(StorageError)
    }

    /// Reads a record straight into a new entry, and checks checksums, place, and the whole key.
    @inline(__always)
    static func read(
        _ record: LocatedRecord, key: UnsafeRawBufferPointer, hash: KeyHash,
        _ read: (UnsafeMutableRawBufferPointer) throws(StorageError) -> Int
    ) -> Reading {
        let reading = self.read(record, read)
        guard case .entry(let entry, _) = reading else { return reading }
        return entry.hash == hash && entry.withStorage { $0.hasKey(key) } ? reading : .otherKey
    }

    /// The same, whatever its key is.
    @inline(__always)
    static func read(
        _ record: LocatedRecord, _ read: (UnsafeMutableRawBufferPointer) throws(StorageError) -> Int
    ) -> Reading {
        let placeholder = EntryHeader(
            hash: KeyHash(low: 0, high: 0), storedAt: 0, keyCount: 0, metadataCount: 0, bodyCount: 0, policy: .allowed)
        let created = EntryStorage.create(
            minimumCapacity: EntryStorage.room(for: record.length - RecordHeader.byteCount)
        ) { _ in placeholder }
        let entryStorage = unsafeDowncast(created, to: EntryStorage.self)
        let reading = entryStorage.withUnsafeMutablePointers { header, payload in
            // No other thread has the entry yet, and both headers are plain bytes.
            let start = UnsafeMutableRawPointer(payload) - RecordHeader.byteCount
            assert(start == UnsafeMutableRawPointer(header), "an entry's header is not as long as a record's")
            let bytes = UnsafeMutableRawBufferPointer(start: start, count: record.length)
            let reading = readRecord(record, into: bytes, read)
            if case .whole(let found) = reading {
                header.initialize(to: EntryHeader(found))
            } else {
                header.initialize(to: placeholder)
            }
            return reading
        }
        switch reading {
        case .failed(let error): return .failed(error)
        case .damaged: return .damaged
        case .whole(let header): return .entry(StoredEntry(storage: entryStorage), sequence: header.sequence)
        }
    }
}

extension StoredEntry.Reading {
    /// Turns an entry into `removed` if one of the removals by date covers it.
    @inline(__always)
    mutating func applyRemovals(_ removals: DateTombstones?) {
        if let removals, case .entry(let entry, let sequence) = self,
            removals.removes(sequence: sequence, storedAt: entry.storedAt)
        {
            self = .removed
        }
    }
}

extension EntryHeader {
    /// An entry's header from a whole record's.
    init(_ record: RecordHeader) {
        // `isValid` has bounded each of the three counts by Int32.max.
        self.init(
            hash: KeyHash(low: record.hashLow, high: record.hashHigh), storedAt: record.storedAt,
            keyCount: Int32(truncatingIfNeeded: record.keyCount),
            metadataCount: Int32(truncatingIfNeeded: record.metadataCount),
            bodyCount: Int32(truncatingIfNeeded: record.bodyCount), policy: .allowed)
    }
}
