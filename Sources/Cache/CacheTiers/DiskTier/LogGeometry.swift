/// How a file of a given capacity is divided: superblock, unit table, and units of equal size (see FORMAT.md).
struct LogGeometry: Hashable, Sendable {
    /// Bytes of a unit; a multiple of 64.
    var unitBytes: Int
    /// Units in the ring.
    var unitCount: Int
    /// Entries that the unit table has place for, so that the ring can grow where it stands.
    var tableSlots: Int

    /// What a disk writes whole or not at all.
    static let sectorBytes = 512
    static let superblockBytes = 512
    static let leastUnits = 12
    static let mostUnits = 512
    /// Less than this holds nothing: the table alone would take most of it.
    static let leastCapacity = 16 << 10
    /// More than this is not used: the index has 32 bits for an offset in eights.
    static let mostCapacity = 32 << 30

    /// Where the first unit begins.
    var dataStart: Int { Self.superblockBytes + tableSlots * UnitEntry.byteCount }
    /// Where the last unit ends: the file's greatest length.
    var dataEnd: Int { dataStart + unitCount * unitBytes }

    /// The unit that holds the byte at `offset` of the file.
    @inline(__always)
    func unit(of offset: Int) -> Int { (offset - dataStart) / unitBytes }

    /// Where unit `number` begins.
    @inline(__always)
    func start(ofUnit number: Int) -> Int { dataStart + number * unitBytes }

    /// The unit after `number` in the ring.
    @inline(__always)
    func following(_ number: Int, by steps: Int = 1) -> Int {
        let sum = number + steps
        return sum < unitCount ? sum : sum - unitCount
    }

    /// The division for a new file; `nil` when the capacity is too small to hold anything.
    init?(capacity: Int) {
        guard capacity >= Self.leastCapacity else { return nil }
        tableSlots = min(max(capacity / 8192, 48), Self.mostUnits)
        let units = min(max(tableSlots / 8, 40), 64)
        unitBytes = 0
        unitCount = 0
        let space = Self.fileLimit(capacity) - dataStart
        unitBytes = space / units / 64 * 64
        unitCount = min(space / unitBytes, tableSlots)
    }

    /// The division that a file claims to have; `nil` when it makes no sense.
    init?(unitBytes: UInt64, unitCount: UInt32, tableSlots: UInt32) {
        guard unitBytes >= 64, unitBytes % 64 == 0, unitBytes <= UInt64(Self.mostCapacity),
            tableSlots >= 1, tableSlots <= Self.mostUnits, unitCount >= UInt32(Self.leastUnits),
            unitCount <= tableSlots
        else { return nil }
        self.unitBytes = Int(unitBytes)
        self.unitCount = Int(unitCount)
        self.tableSlots = Int(tableSlots)
        guard dataEnd <= Self.mostCapacity else { return nil }
    }

    /// The same units, as many as another capacity has room for; `nil` when they would be too few or too many.
    func resized(toCapacity capacity: Int) -> LogGeometry? {
        guard capacity >= Self.leastCapacity else { return nil }
        var resized = self
        resized.unitCount = (Self.fileLimit(capacity) - dataStart) / unitBytes
        guard resized.unitCount >= Self.leastUnits, resized.unitCount <= tableSlots else { return nil }
        return resized
    }

    /// The greatest length of the file: whole blocks, less what the file system's own map of a fragmented file may
    /// take, which is counted against the capacity too.
    private static func fileLimit(_ capacity: Int) -> Int {
        let usable = min(capacity, mostCapacity) / 4096 * 4096
        return usable - (capacity < 1 << 20 ? 4096 : 8192 + (usable / 2048 + 4095) / 4096 * 4096)
    }
}
