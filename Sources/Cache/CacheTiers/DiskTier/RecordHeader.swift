import CSupport

/// The 64 bytes before a record's key, metadata and body. FORMAT.md, "Record".
struct RecordHeader: Sendable {
    private(set) var checksum: UInt32 = 0
    /// The checksum of the header before it in the segment, 0 for the first. A power cut may leave whole records behind
    /// a lost one; once something else fills the gap, they must not seem to follow it.
    private(set) var link: UInt32 = 0
    /// The nonce of the segment that the record starts in, plus its distance from the segment's start. A record that
    /// was left behind, copied elsewhere or planted in a body has another one.
    var mark: UInt64 = 0
    /// Of two records of one key the larger number is the newer.
    var sequence: UInt64
    var hashLow: UInt64
    var hashHigh: UInt64
    var storedAt: Int64
    /// Bytes of the key; the highest bit marks a tombstone.
    private var keyCountAndKind: UInt32
    var metadataCount: UInt32
    var bodyCount: UInt32
    /// CRC-32C of key, metadata and body; of a tombstone the low half of its sequence number.
    var payloadChecksum: UInt32

    static let byteCount = 64
    /// The longest record that the index has bits for; longer than the largest entry of the largest capacity.
    static let mostRecordBytes = Int(Int32.max)
    /// Numbers from here on are damage, so that counting on never overflows.
    static let sequenceLimit: UInt64 = 1 << 62

    enum Kind: Sendable {
        case entry
        case tombstone
    }

    private static let tombstoneBit: UInt32 = 1 << 31

    /// The header of an entry.
    init(sequence: UInt64, entry: StoredEntry, payloadChecksum: UInt32) {
        self.sequence = sequence
        hashLow = entry.hash.low
        hashHigh = entry.hash.high
        storedAt = entry.storedAt
        keyCountAndKind = UInt32(entry.keyCount)
        metadataCount = UInt32(entry.metadataCount)
        bodyCount = UInt32(entry.bodyCount)
        self.payloadChecksum = payloadChecksum
    }

    /// A tombstone: there is no entry under `hash` anymore.
    init(sequence: UInt64, tombstoneFor hash: KeyHash) {
        self.sequence = sequence
        hashLow = hash.low
        hashHigh = hash.high
        storedAt = 0
        keyCountAndKind = Self.tombstoneBit
        metadataCount = 0
        bodyCount = 0
        // There's no payload, but no two headers may end alike: a power cut may leave the beginning of one, and a later
        // header in the same place would complete it.
        payloadChecksum = UInt32(truncatingIfNeeded: sequence)
    }

    /// A header to read into.
    init() { self.init(sequence: 0, tombstoneFor: KeyHash(low: 0, high: 0)) }

    var kind: Kind { keyCountAndKind & Self.tombstoneBit == 0 ? .entry : .tombstone }

    var keyCount: UInt32 { keyCountAndKind & ~Self.tombstoneBit }

    /// Bytes after the header. No overflow: three times 32 bits.
    var payloadCount: Int { Int(keyCount) + Int(metadataCount) + Int(bodyCount) }

    /// Bytes of header and payload, without padding.
    var recordCount: Int { Self.byteCount + payloadCount }

    /// Sets mark, link and checksum.
    @inline(__always)
    mutating func seal(mark: UInt64, link: UInt32) {
        self.mark = mark
        self.link = link
        checksum = computedChecksum
    }

    /// Whether the header is whole and belongs where it was found.
    @inline(__always)
    func isValid(mark: UInt64) -> Bool {
        self.mark == mark && checksum == computedChecksum && sequence < Self.sequenceLimit
            && metadataCount <= Int32.max && bodyCount <= Int32.max && recordCount <= Self.mostRecordBytes
            && (kind == .entry || payloadCount == 0)
    }

    private var computedChecksum: UInt32 {
        @inline(__always) get { lendBytes(of: self) { cs_crc32c(0, $0.baseAddress.map { $0 + 4 }, 60) } }
    }
}
