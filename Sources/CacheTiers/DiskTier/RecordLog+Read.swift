import CSupport
import Platform

/// A record's place, and what proves that the place still holds it.
package struct LocatedRecord: Sendable {
    var offset: Int
    /// Bytes of the record, header included.
    var length: Int
    /// What the record's header has to carry.
    var mark: UInt64
    /// The unit's generation: while it is the same, the record has not been overwritten.
    var generation: UInt64
}

/// How the reading of a record ended.
enum RecordReading {
    case whole
    case damaged
    case failed(StorageError)
}

extension RecordLog {
    /// The newest record under `hash`, which now counts as used. No I/O.
    @inline(__always)
    mutating func locate(_ hash: KeyHash) -> LocatedRecord? {
        let slot = index.find(hash.low)
        guard slot >= 0 else { return nil }
        index.slots[slot].isTouched = true
        return located(index.slots[slot])
    }

    @inline(__always)
    func located(_ slot: DiskIndex.Slot) -> LocatedRecord {
        let unit = geometry.unit(of: slot.offset)
        let entry = units[unit].entry
        return LocatedRecord(
            offset: slot.offset, length: slot.length,
            mark: entry.nonce &+ UInt64(slot.offset - geometry.start(ofUnit: unit)), generation: entry.generation)
    }

    /// Whether `record` is still the newest under `hash`, and was not overwritten while it was read.
    @inline(__always)
    func confirms(_ record: LocatedRecord, _ hash: KeyHash) -> Bool {
        let slot = index.find(hash.low)
        guard slot >= 0, index.slots[slot].offset == record.offset else { return false }
        return units[geometry.unit(of: record.offset)].entry.generation == record.generation
    }
}

/// Reads a record with one call, and checks all that can be checked without knowing the key.
///
/// - Parameter payload: exactly as long as the record's payload is said to be.
@inline(__always)
func readRecord<Storage: DiskStorage>(
    from storage: Storage, at record: LocatedRecord, into header: inout RecordHeader,
    _ payload: UnsafeMutableRawBufferPointer
) -> RecordReading {
    do throws(StorageError) {
        let count = try lendMutableBytes(of: &header) { (bytes) throws(StorageError) in
            try storage.read(at: record.offset, into: bytes, payload)
        }
        guard count == record.length, header.isValid(mark: record.mark), header.kind == .entry,
            header.recordCount == record.length,
            header.payloadChecksum == cs_crc32c(0, payload.baseAddress, payload.count)
        else { return .damaged }
        return .whole
    } catch {
        return .failed(error)
    }
}

extension StoredEntry {
    /// How looking for an entry in a record ended.
    enum Reading {
        case entry(StoredEntry)
        /// Another key with the same hash.
        case otherKey
        case damaged
        case failed(StorageError)
    }

    /// Reads a record straight into a new entry, and checks it: checksums, place, and the whole key.
    @inline(__always)
    static func read<Storage: DiskStorage>(
        from storage: Storage, at record: LocatedRecord, key: UnsafeRawBufferPointer, hash: KeyHash
    ) -> Reading {
        let payloadCount = record.length - RecordHeader.byteCount
        let placeholder = EntryHeader(
            hash: hash, storedAt: 0, keyCount: 0, metadataCount: 0, bodyCount: 0, policy: .allowed)
        let created = EntryStorage.create(minimumCapacity: payloadCount) { _ in placeholder }
        let entryStorage = unsafeDowncast(created, to: EntryStorage.self)
        var header = RecordHeader()
        let reading = entryStorage.withUnsafeMutablePointerToElements {
            readRecord(
                from: storage, at: record, into: &header,
                UnsafeMutableRawBufferPointer(start: $0, count: payloadCount))
        }
        switch reading {
        case .failed(let error): return .failed(error)
        case .damaged: return .damaged
        case .whole: break
        }
        // `isValid` has bounded the three counts by Int32.max, and their sum is the payload's length.
        entryStorage.header = EntryHeader(
            hash: KeyHash(low: header.hashLow, high: header.hashHigh), storedAt: header.storedAt,
            keyCount: Int32(truncatingIfNeeded: header.keyCount),
            metadataCount: Int32(truncatingIfNeeded: header.metadataCount),
            bodyCount: Int32(truncatingIfNeeded: header.bodyCount), policy: .allowed)
        let entry = StoredEntry(storage: entryStorage)
        guard entry.hash == hash, entryStorage.hasKey(key) else { return .otherKey }
        return .entry(entry)
    }
}
