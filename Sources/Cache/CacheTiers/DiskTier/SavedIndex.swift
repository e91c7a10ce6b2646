import CSupport

/// Where a copy of the index stands in the file, and which state of the log it belongs to. FORMAT.md, "Saved index".
struct SavedIndex: Sendable {
    private var checksum: UInt32 = 0
    /// The checksum of superblock and segment table; all bits inverted while the copy still has entries that were removed
    /// by date.
    var state: UInt32
    /// Where the copy stands, and how many keys it has.
    var offset: UInt64
    var keyCount: UInt64
    /// Where the next record goes.
    var head: UInt64
    var nextSequence: UInt64
    /// Where the last record of the newest segment starts, 0 for an empty one, and the checksum of its header.
    var lastRecord: UInt64
    var lastChecksum: UInt32
    /// The checksum of the copy.
    var payloadChecksum: UInt32
    /// The start of the system in which it was written, never 0.
    var boot: UInt64

    static let byteCount = 64
    /// Behind the superblock, in its sector.
    static let offset = 128

    init(
        state: UInt32, offset: UInt64, keyCount: UInt64, head: UInt64, nextSequence: UInt64, lastRecord: UInt64,
        lastChecksum: UInt32, payloadChecksum: UInt32, boot: UInt64
    ) {
        self.state = state
        self.offset = offset
        self.keyCount = keyCount
        self.head = head
        self.nextSequence = nextSequence
        self.lastRecord = lastRecord
        self.lastChecksum = lastChecksum
        self.payloadChecksum = payloadChecksum
        self.boot = boot
        checksum = computedChecksum
    }

    /// Whether the bytes read are a description.
    var isWhole: Bool { checksum == computedChecksum && keyCount > 0 && boot != 0 }

    /// Whether both belong to the same state of the log.
    func agrees(with other: SavedIndex) -> Bool {
        state == other.state && head == other.head && lastRecord == other.lastRecord
            && lastChecksum == other.lastChecksum
    }

    private var computedChecksum: UInt32 {
        lendBytes(of: self) { cs_crc32c(0, $0.baseAddress.map { $0 + 4 }, Self.byteCount - 4) }
    }
}
