/// How a file of a given capacity is divided: superblock, segment table, and segments of equal size (see FORMAT.md).
struct LogGeometry: Hashable, Sendable {
    /// Bytes of a segment; a multiple of 64 and of the grain.
    var segmentBytes: Int
    /// Segments in the ring.
    var segmentCount: Int
    /// Slots of the segment table, so many that the ring can grow where it is.
    var tableSlots: Int

    /// Bytes that a disk writes whole or not at all.
    static let sectorBytes = 512
    static let superblockBytes = 512
    static let leastSegments = 12
    static let mostSegments = 512
    /// Below this the tier holds nothing, since the table would take most of it.
    static let leastCapacity = 16 << 10
    /// More than this isn't used.
    static let mostCapacity = 1 << 40

    /// Where the first segment begins.
    var dataStart: Int { Self.superblockBytes + tableSlots * SegmentEntry.byteCount }
    /// Where the last segment ends: the file's greatest length.
    var dataEnd: Int { dataStart + dataBytes }
    /// Bytes of all segments.
    var dataBytes: Int { segmentCount * segmentBytes }

    /// Records start at multiples of this many bytes, as a power of two: 8 bytes in files of up to 32 GiB, and more in
    /// larger ones, so that 32 bits number all such places; 256 at 1 TiB.
    let grainBits: Int

    private static func grainBits(segmentBytes: Int) -> Int {
        var bits = 3
        while segmentBytes > 1 << (26 + bits) { bits += 1 }
        return bits
    }

    /// The number of a record's place, which the index keeps; 0 for none.
    @inline(__always)
    func place(of offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: offset >> grainBits) }

    /// Where the record at a place starts.
    @inline(__always)
    func offset(of place: UInt32) -> Int { Int(place) << grainBits }

    /// The places in a segment.
    @inline(__always)
    func places(ofSegment number: Int) -> Range<UInt32> {
        place(of: start(ofSegment: number))..<place(of: start(ofSegment: number) + segmentBytes)
    }

    /// The next offset at which a record may start.
    @inline(__always)
    func padded(_ offset: Int) -> Int { (offset + (1 << grainBits) - 1) & -(1 << grainBits) }

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

    /// The division of a new file; `nil` if the capacity is too small to hold anything.
    init?(capacity: Int) {
        guard capacity >= Self.leastCapacity else { return nil }
        tableSlots = min(max(capacity / 8192, 48), Self.mostSegments)
        let segments = min(max(tableSlots / 8, 40), 64)
        let dataStart = Self.superblockBytes + tableSlots * SegmentEntry.byteCount
        let space = Self.fileLimit(capacity) - dataStart
        let unit = max(64, 1 << Self.grainBits(segmentBytes: space / segments))
        var segmentBytes = space / segments / unit * unit
        // Segments of nearly the largest size for a grain would end beyond its last place, since the table comes before
        // them.
        let most = 1 << (26 + Self.grainBits(segmentBytes: segmentBytes))
        segmentBytes = min(segmentBytes, most - unit * Self.mostSegments)
        self.segmentBytes = segmentBytes
        grainBits = Self.grainBits(segmentBytes: segmentBytes)
        segmentCount = min(space / segmentBytes, tableSlots)
    }

    /// The division that a file claims to have; `nil` if it makes no sense.
    init?(segmentBytes: UInt64, segmentCount: UInt32, tableSlots: UInt32) {
        guard segmentBytes >= 64, segmentBytes % 64 == 0, segmentBytes <= UInt64(Self.mostCapacity),
            tableSlots >= 1, tableSlots <= Self.mostSegments, segmentCount >= UInt32(Self.leastSegments),
            segmentCount <= tableSlots
        else { return nil }
        self.segmentBytes = Int(segmentBytes)
        self.segmentCount = Int(segmentCount)
        self.tableSlots = Int(tableSlots)
        grainBits = Self.grainBits(segmentBytes: Int(segmentBytes))
        guard dataEnd <= Self.mostCapacity, dataEnd <= mostBytes, self.segmentBytes % (1 << grainBits) == 0,
            dataStart % (1 << grainBits) == 0
        else {
            return nil
        }
    }

    /// The same segments, as many as another capacity has room for; `nil` if that's too few or too many.
    func resized(toCapacity capacity: Int) -> LogGeometry? {
        guard capacity >= Self.leastCapacity else { return nil }
        var resized = self
        resized.segmentCount = (Self.fileLimit(capacity) - dataStart) / segmentBytes
        guard resized.segmentCount >= Self.leastSegments, resized.segmentCount <= tableSlots,
            resized.dataEnd <= mostBytes
        else { return nil }
        return resized
    }

    /// Where the last numbered place ends.
    private var mostBytes: Int { 1 << (32 + grainBits) }

    /// The greatest length of the file: whole blocks, less what the file system's own map of a fragmented file may
    /// take, since that counts against the capacity, too.
    private static func fileLimit(_ capacity: Int) -> Int {
        let usable = min(capacity, mostCapacity) / 4096 * 4096
        return usable - (capacity < 1 << 20 ? 4096 : 8192 + (usable / 2048 + 4095) / 4096 * 4096)
    }
}
