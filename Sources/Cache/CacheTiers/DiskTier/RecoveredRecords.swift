// Invariant of the pointers: a slot is the index's, and is used before the index changes again. A region of `scratch`
// is used before the next one is taken.

import Platform

/// The record headers of a file, in the order of the log.
struct RecoveredRecords: ~Copyable {
    private struct Record {
        /// The fingerprint. The highest bit marks a tombstone, and the next an entry that was removed by date, which
        /// hides older ones in the same way.
        var fingerprintAndKind: UInt64
        var sequence: UInt64
        var place: UInt32
        var length: UInt32

        static var tombstoneBit: UInt64 { 1 << 63 }
        static var removedBit: UInt64 { 1 << 62 }

        var fingerprint: Fingerprint { Fingerprint(bits: fingerprintAndKind & (Self.removedBit - 1)) }
        var isTombstone: Bool { fingerprintAndKind & Self.tombstoneBit != 0 }
        var isEntry: Bool { fingerprintAndKind < Self.removedBit }
    }

    private var records: [Record] = []

    /// Notes a record that the scan found.
    ///
    /// - Parameter isRemoved: whether it was removed by date.
    mutating func append(_ header: RecordHeader, place: UInt32, isRemoved: Bool) {
        let kind = header.kind == .tombstone ? Record.tombstoneBit : isRemoved ? Record.removedBit : 0
        records.append(
            Record(
                fingerprintAndKind: Fingerprint(header.hashLow).bits | kind, sequence: header.sequence, place: place,
                length: UInt32(header.recordCount)))
    }

    /// - Parameter readable: how many bytes may still be read; a copy that is longer counts as whole.
    private func isWhole(_ record: Record, _ log: inout RecordLog, _ readable: inout Int) -> Bool {
        readable -= Int(record.length)
        guard record.isEntry, readable >= 0 else { return true }
        let slot = IndexSlot(record.fingerprint, place: record.place, length: Int(record.length))
        let located = log.readable.pointee.located(slot)
        // Before memory is allocated for a length that only a header states.
        guard located.offset + Int(record.length) <= log.space.byteCount else { return false }
        let storage = log.storage
        let reading = readRecord(located, into: log.scratch.region(located.length)) { (bytes) throws(StorageError) in
            try readBytes(of: located, from: storage, into: bytes)
        }
        switch reading {
        case .whole: return true
        case .damaged: return false
        // It may be readable again one day, so the index has to know it: otherwise nothing would hide it.
        case .failed(let error):
            log.statistics.count(error)
            return true
        }
    }

    /// Puts the newest record of each key into the index of an empty log, and all records into the segments' lists.
    ///
    /// - Returns: `false`, halfway, if the fingerprints were chosen to make that take long.
    func fill(_ log: inout RecordLog) -> Bool {
        var probing = ProbeBudget(recordCount: records.count)
        // A sparse file is as long as it likes.
        var readable = (try? log.storage.allocatedByteCount()) ?? .max
        // Meanwhile an index slot's place is a position in `records`, from 1 on.
        for (position, record) in records.enumerated() {
            let slot = log.index.find(record.fingerprint)
            guard probing.takes(log.index.probeCount(of: record.fingerprint, isMoving: slot == nil)) else {
                return false
            }
            if let slot {
                let known = records[Int(slot.pointee.place) - 1].sequence
                if known > record.sequence { continue }
                // A copy that was carried forward. A power cut may have taken its body, and left the original.
                if known == record.sequence, !isWhole(record, &log, &readable) { continue }
            }
            _ = log.index.put(record.fingerprint, place: UInt32(position + 1), length: 0)
        }
        // Then each slot gets its record's place; the touch bit says which have it.
        for (position, record) in records.enumerated() {
            let segment = log.geometry.segment(of: log.geometry.offset(of: record.place))
            if record.isTombstone {
                log.segments[segment].tombstoneBytes += Int(record.length)
                log.tombstoneBytes += Int(record.length)
            } else {
                log.segments[segment].append(record.fingerprint.prefix)
            }
            guard probing.takes(log.index.probeCount(of: record.fingerprint, isMoving: false)) else { return false }
            guard let slot = log.index.find(record.fingerprint), !slot.pointee.isTouched,
                slot.pointee.place == UInt32(position + 1)
            else { continue }
            if !record.isEntry {
                guard probing.takes(log.index.probeCount(of: record.fingerprint, isMoving: true)) else { return false }
                log.index.remove(slot)
            } else {
                slot.pointee = IndexSlot(record.fingerprint, place: record.place, length: Int(record.length))
                slot.pointee.isTouched = true
                log.liveBytes += slot.pointee.length
            }
        }
        log.index.forEach { $0.pointee.isTouched = false }
        return true
    }
}

/// Bounds the work of filling the index from a file, whose writer may have chosen fingerprints that form one cluster:
/// each step would walk all of it.
///
/// Otherwise a search passes five slots on average, and an insertion or removal some sixty.
struct ProbeBudget {
    private var left: Int

    init(recordCount: Int) { left = 256 * recordCount + 1 << 20 }

    /// - Returns: whether so many slots may be looked at.
    mutating func takes(_ slotCount: Int) -> Bool {
        left -= slotCount
        return left >= 0
    }
}
