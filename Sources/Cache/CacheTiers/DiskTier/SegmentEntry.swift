import CSupport

/// The segment table's slot of one segment. FORMAT.md, "Segment table".
struct SegmentEntry: Sendable {
    private var checksum: UInt32 = 0
    /// Where the first record that starts in the segment starts, in grains from the segment's start.
    var firstRecord: UInt32
    /// When the segment was last begun, by the counter that also numbers records.
    var generation: UInt64
    /// Random, and part of every record's mark: records of the segment's earlier life do not match it.
    var nonce: UInt64
    /// The superblock's epoch of then.
    var epoch: UInt64

    static let byteCount = 32
    /// No record starts in the segment: it is all inside of a longer one, or was skipped.
    static let noRecord = UInt32.max

    init(firstRecord: UInt32, generation: UInt64, nonce: UInt64, epoch: UInt64) {
        self.firstRecord = firstRecord
        self.generation = generation
        self.nonce = nonce
        self.epoch = epoch
    }

    /// A slot that was never used, or was struck out.
    static let blank = SegmentEntry(firstRecord: 0, generation: 0, nonce: 0, epoch: 0)

    /// Whether nothing stands here, as opposed to something damaged.
    var isBlank: Bool { checksum == 0 && firstRecord == 0 && generation == 0 && nonce == 0 && epoch == 0 }

    /// Where slot `number` stands in the file.
    static func offset(ofSlot number: Int) -> Int { LogGeometry.superblockBytes + number * byteCount }

    /// Whether the entry is whole and was written for this slot of this file.
    func isValid(inSlot number: Int, of identity: UInt32) -> Bool {
        generation != 0 && generation < RecordHeader.sequenceLimit && epoch < Superblock.epochLimit
            && checksum == computedChecksum(number, identity)
    }

    /// The entry with the checksum for its slot.
    func sealed(forSlot number: Int, of identity: UInt32) -> SegmentEntry {
        var copy = self
        copy.checksum = computedChecksum(number, identity)
        return copy
    }

    private func computedChecksum(_ number: Int, _ identity: UInt32) -> UInt32 {
        let start = identity ^ UInt32(truncatingIfNeeded: number)
        return lendBytes(of: self) { cs_crc32c(start, $0.baseAddress.map { $0 + 4 }, 28) }
    }
}
