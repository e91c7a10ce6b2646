// Invariant of the pointers: the bytes of a plain value are lent for one call. The value has no padding
// (`MemoryLayout.size` is the format's length), and every bit pattern is a value.

import CSupport

/// The first 64 bytes of the file: kind, division and epoch. FORMAT.md, "Superblock".
///
/// Written in place and in one piece. A torn or damaged one means an empty cache; an older one could undo a clearing.
struct Superblock: Sendable {
    private(set) var magic: UInt64 = Self.magic
    private(set) var version: UInt32 = Self.version
    /// Bit 0: `flush` was called, so power cuts matter. Bit 1: segments are being moved, and are in no order.
    var flags: UInt32 = 0
    /// The seed of the hashes in the records.
    private var seedFirst: UInt64
    private var seedSecond: UInt64
    /// Counts clearings; segments of another epoch are empty.
    var epoch: UInt64 = 1
    private var segmentBytes: UInt64
    private var segmentCount: UInt32
    private var tableSlots: UInt32
    /// Random; part of the checksum of every slot of the segment table, so that an earlier file's slots fail.
    var identity: UInt32
    private var checksum: UInt32 = 0

    static let byteCount = 64
    /// No honest file counts so many clearings; an epoch from here on is damage.
    static let epochLimit: UInt64 = 1 << 62
    /// "CGDLOG", carriage return and newline: a transfer as text damages it visibly.
    static let magic: UInt64 = 0x0A0D_474F_4C44_4743
    static let version: UInt32 = 1
    /// The version while the file has removals by date, which earlier programs don't know.
    static let versionWithRemovals: UInt32 = 2

    init(geometry: LogGeometry, seed: KeySeed, identity: UInt32) {
        self.identity = identity
        seedFirst = seed.first
        seedSecond = seed.second
        segmentBytes = UInt64(geometry.segmentBytes)
        segmentCount = UInt32(geometry.segmentCount)
        tableSlots = UInt32(geometry.tableSlots)
    }

    var seed: KeySeed { KeySeed(seedFirst, seedSecond) }

    /// Begins the next epoch, in which all segments are empty.
    ///
    /// - Parameter identity: after the last epoch, which only a hostile file reaches, the first one follows under this
    ///   other identity, so that no earlier slot is believed.
    mutating func beginEpoch(orAnewAs identity: @autoclosure () -> UInt32) {
        epoch += 1
        guard epoch == Self.epochLimit else { return }
        epoch = 1
        self.identity = identity()
    }

    var wasFlushed: Bool {
        get { flags & 1 != 0 }
        set { flags = newValue ? flags | 1 : flags & ~1 }
    }

    /// Whether removals by date stand in the file.
    var hasRemovals: Bool {
        get { version == Self.versionWithRemovals }
        set { version = newValue ? Self.versionWithRemovals : Self.version }
    }

    /// Whether segments were being moved.
    var isMoving: Bool {
        get { flags & 2 != 0 }
        set { flags = newValue ? flags | 2 : flags & ~2 }
    }

    /// The division into segments, if it's possible.
    var geometry: LogGeometry? {
        get { LogGeometry(segmentBytes: segmentBytes, segmentCount: segmentCount, tableSlots: tableSlots) }
        set {
            guard let newValue else { return }
            segmentBytes = UInt64(newValue.segmentBytes)
            segmentCount = UInt32(newValue.segmentCount)
            tableSlots = UInt32(newValue.tableSlots)
        }
    }

    /// Sets the checksum and lends the bytes.
    mutating func withSealedBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        checksum = computedChecksum
        return try lendBytes(of: self, body)
    }

    /// A digest of the whole superblock.
    var state: UInt32 { computedChecksum }

    private var computedChecksum: UInt32 {
        lendBytes(of: self) { cs_crc32c(0, $0.baseAddress, Self.byteCount - 4) }
    }

    /// Why the bytes aren't a superblock of this format; `nil` if they are.
    var defect: StartReason? {
        if magic != Self.magic { return .notALog }
        if checksum != computedChecksum { return .damagedSuperblock }
        if version != Self.version, version != Self.versionWithRemovals { return .otherVersion(version) }
        if geometry == nil || epoch >= Self.epochLimit { return .damagedSuperblock }
        if isMoving { return .interruptedMove }
        return nil
    }
}

extension Superblock {
    /// Whether a new log may replace the file, because it's empty or begins as a log.
    ///
    /// A first sector of zeros counts as empty, since a power cut leaves that of a new file. A damaged magic number is
    /// recognised by the checksum.
    static func mayReplace(_ storage: some DiskStorage) throws(StorageError) -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { (bytes) throws(StorageError) in
            let count = try storage.read(at: 0, into: bytes)
            let found = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            if found.allSatisfy({ $0 == 0 }) { return true }
            if lendBytes(of: magic, { $0.prefix(count).elementsEqual(found.prefix(8)) }) { return true }
            guard count >= byteCount else { return false }
            var superblock = found.loadUnaligned(as: Superblock.self)
            superblock.magic = magic
            return superblock.checksum == superblock.computedChecksum
        }
    }
}

/// Lends the bytes of a plain value; the fields' order and sizes are the file's format.
///
/// Little-endian, as every supported platform is; elsewhere the magic number wouldn't match.
@inline(__always)
func lendBytes<Value, Result, Failure: Error>(
    of value: Value, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
) throws(Failure) -> Result {
    var copy = value
    return try lendMutableBytes(of: &copy) { (bytes) throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
}

/// Lends the bytes of a plain value to be filled in.
@inline(__always)
func lendMutableBytes<Value, Result, Failure: Error>(
    of value: inout Value, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
) throws(Failure) -> Result {
    try withUnsafeMutablePointer(to: &value) { (pointer) throws(Failure) in
        try body(UnsafeMutableRawBufferPointer(start: pointer, count: MemoryLayout<Value>.size))
    }
}
