/// How a file of a given capacity is divided: superblock, segment table, and segments of equal size (see FORMAT.md).
struct LogGeometry: Hashable, Sendable {
    /// Bytes of a segment; a multiple of 64.
    var segmentBytes: Int
    /// Segments in the ring.
    var segmentCount: Int
    /// Entries that the segment table has place for, so that the ring can grow where it stands.
    var tableSlots: Int

    /// What a disk writes whole or not at all.
    static let sectorBytes = 512
    static let superblockBytes = 512
    static let leastSegments = 12
    static let mostSegments = 512
    /// Less than this holds nothing: the table alone would take most of it.
    static let leastCapacity = 16 << 10
    /// More than this is not used: the index has 32 bits for an offset in eights.
    static let mostCapacity = 32 << 30

    /// Where the first segment begins.
    var dataStart: Int { Self.superblockBytes + tableSlots * SegmentEntry.byteCount }
    /// Where the last segment ends: the file's greatest length.
    var dataEnd: Int { dataStart + segmentCount * segmentBytes }

    /// The segment that holds the byte at `offset` of the file.
    @inline(__always)
    func segment(of offset: Int) -> Int { (offset - dataStart) / segmentBytes }

    /// Where segment `number` begins.
    @inline(__always)
    func start(ofSegment number: Int) -> Int { dataStart + number * segmentBytes }

    /// The segment after `number` in the ring.
    @inline(__always)
    func following(_ number: Int, by steps: Int = 1) -> Int {
        let sum = number + steps
        return sum < segmentCount ? sum : sum - segmentCount
    }

    /// The division for a new file; `nil` when the capacity is too small to hold anything.
    init?(capacity: Int) {
        guard capacity >= Self.leastCapacity else { return nil }
        tableSlots = min(max(capacity / 8192, 48), Self.mostSegments)
        let segments = min(max(tableSlots / 8, 40), 64)
        segmentBytes = 0
        segmentCount = 0
        let space = Self.fileLimit(capacity) - dataStart
        segmentBytes = space / segments / 64 * 64
        segmentCount = min(space / segmentBytes, tableSlots)
    }

    /// The division that a file claims to have; `nil` when it makes no sense.
    init?(segmentBytes: UInt64, segmentCount: UInt32, tableSlots: UInt32) {
        guard segmentBytes >= 64, segmentBytes % 64 == 0, segmentBytes <= UInt64(Self.mostCapacity),
            tableSlots >= 1, tableSlots <= Self.mostSegments, segmentCount >= UInt32(Self.leastSegments),
            segmentCount <= tableSlots
        else { return nil }
        self.segmentBytes = Int(segmentBytes)
        self.segmentCount = Int(segmentCount)
        self.tableSlots = Int(tableSlots)
        guard dataEnd <= Self.mostCapacity else { return nil }
    }

    /// The same segments, as many as another capacity has room for; `nil` when they would be too few or too many.
    func resized(toCapacity capacity: Int) -> LogGeometry? {
        guard capacity >= Self.leastCapacity else { return nil }
        var resized = self
        resized.segmentCount = (Self.fileLimit(capacity) - dataStart) / segmentBytes
        guard resized.segmentCount >= Self.leastSegments, resized.segmentCount <= tableSlots else { return nil }
        return resized
    }

    /// The greatest length of the file: whole blocks, less what the file system's own map of a fragmented file may
    /// take, which is counted against the capacity too.
    private static func fileLimit(_ capacity: Int) -> Int {
        let usable = min(capacity, mostCapacity) / 4096 * 4096
        return usable - (capacity < 1 << 20 ? 4096 : 8192 + (usable / 2048 + 4095) / 4096 * 4096)
    }
}
