import CSupport

/// A removal by date as it stands in the file: records that were numbered before it, of entries that were stored after its
/// date, count as tombstones. FORMAT.md, "Removals by date".
struct RemovalMark: Hashable, Sendable {
    private var checksum: UInt32 = 0
    private var unused: UInt32 = 0
    /// The number of the removal, by the counter that also numbers records.
    var sequence: UInt64
    /// Entries stored later are removed.
    var date: Int64
    /// The superblock's epoch of then.
    var epoch: UInt64

    static let byteCount = 32
    /// Marks that a file has place for. One stays free, so that each stands until its successor does.
    static let slotCount = 8
    static let allBytes = slotCount * byteCount
    static let blank = RemovalMark(sequence: 0, date: 0, epoch: 0)

    init(sequence: UInt64, date: Int64, epoch: UInt64) {
        self.sequence = sequence
        self.date = date
        self.epoch = epoch
    }

    /// Where slot `number` stands in the file: in the superblock's sector.
    static func offset(ofSlot number: Int) -> Int { 256 + number * byteCount }

    /// Whether it removes an entry.
    @inline(__always)
    func removes(sequence: UInt64, storedAt: Int64) -> Bool { sequence < self.sequence && storedAt > date }

    /// Whether the mark is whole and was written for this slot of this file in this epoch.
    func isValid(inSlot number: Int, of superblock: Superblock) -> Bool {
        sequence != 0 && sequence < RecordHeader.sequenceLimit && epoch == superblock.epoch
            && checksum == computedChecksum(number, superblock.identity)
    }

    /// The mark with the checksum for its slot.
    func sealed(forSlot number: Int, of identity: UInt32) -> RemovalMark {
        var copy = self
        copy.checksum = computedChecksum(number, identity)
        return copy
    }

    private func computedChecksum(_ number: Int, _ identity: UInt32) -> UInt32 {
        let start = ~identity ^ UInt32(truncatingIfNeeded: number)
        return lendBytes(of: self) { cs_crc32c(start, $0.baseAddress.map { $0 + 4 }, 28) }
    }
}

/// The removals by date that a log still has to know, by their slots in the file.
struct RemovalMarks: Sendable {
    private(set) var slots: [RemovalMark?] = Array(repeating: nil, count: RemovalMark.slotCount)
    private(set) var isEmpty = true

    subscript(slot: Int) -> RemovalMark? {
        get { slots[slot] }
        set {
            slots[slot] = newValue
            isEmpty = slots.allSatisfy { $0 == nil }
        }
    }

    /// Whether one of them removes an entry.
    func removes(sequence: UInt64, storedAt: Int64) -> Bool {
        slots.contains { $0?.removes(sequence: sequence, storedAt: storedAt) ?? false }
    }

    /// A slot that is free.
    var freeSlot: Int? { slots.firstIndex { $0 == nil } }

    /// The slots of marks that satisfy a condition.
    func slots(where isWanted: (RemovalMark) -> Bool) -> [Int] {
        slots.indices.filter { slots[$0].map(isWanted) ?? false }
    }

    /// The two marks whose dates are nearest, the earlier date first.
    var nearestPair: (Int, Int)? {
        let used = slots { _ in true }.sorted { (slots[$0]?.date ?? 0) < (slots[$1]?.date ?? 0) }
        let pairs = zip(used, used.dropFirst())
        return pairs.min { distance($0) < distance($1) }
    }

    private func distance(_ pair: (Int, Int)) -> UInt64 {
        UInt64(bitPattern: (slots[pair.1]?.date ?? 0) &- (slots[pair.0]?.date ?? 0))
    }
}
