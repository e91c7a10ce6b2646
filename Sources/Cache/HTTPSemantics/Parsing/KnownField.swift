/// The response fields that a cache reads, found by name without comparing names one after the other.
enum KnownField: UInt8 {
    case unknown, cacheControl, date, expires, lastModified, age, entityTag, vary, contentLength, contentRange, location
    case contentLocation, acceptRanges, pragma

    /// The field whose name in lower case has these bytes, zeros behind it.
    @inline(__always)
    init(firstEight: UInt64, secondEight: UInt64) {
        let hash = ((firstEight &+ secondEight << 1) &* 0x3452_1C81_9E0B_3799) >> 60
        let slot = Int(truncatingIfNeeded: hash) &* 2
        self = Self.table[slot] == firstEight && Self.table[slot &+ 1] == secondEight ? Self.fields[slot / 2] : .unknown
    }

    /// The field named by all of `name`.
    init(_ name: UnsafeRawBufferPointer) {
        guard name.count <= 16 else {
            self = .unknown
            return
        }
        var words: (UInt64, UInt64) = (0, 0)
        for (place, byte) in name.enumerated() {
            let lane = UInt64(byte | 0x20) << (UInt64(place & 7) * 8)
            if place < 8 { words.0 |= lane } else { words.1 |= lane }
        }
        self.init(firstEight: words.0, secondEight: words.1)
        // The bit is not the case of every byte: with it a carriage return is a dash. And a zero byte is the end of a name.
        if self != .unknown, !name.allSatisfy(isTokenByte) { self = .unknown }
    }

    /// Bytes 0 to 7 and 8 to 15 of each name, by its slot in a multiply-shift hash without a collision among them.
    private static let table: [UInt64] = [
        0, 0,
        0x0065_6761, 0,  // age
        0x2D74_6E65_746E_6F63, 0x6874_676E_656C,  // content-length
        0x7972_6176, 0,  // vary
        0x722D_7470_6563_6361, 0x0073_6567_6E61,  // accept-ranges
        0, 0,
        0x2D74_6E65_746E_6F63, 0x0065_676E_6172,  // content-range
        0, 0,
        0x0073_6572_6970_7865, 0,  // expires
        0x6574_6164, 0,  // date
        0x646F_6D2D_7473_616C, 0x0064_6569_6669,  // last-modified
        0x6F63_2D65_6863_6163, 0x006C_6F72_746E,  // cache-control
        0x6761_7465, 0,  // etag
        0x2D74_6E65_746E_6F63, 0x6E6F_6974_6163_6F6C,  // content-location
        0x6E6F_6974_6163_6F6C, 0,  // location
        0x616D_6761_7270, 0,  // pragma
    ]

    /// The fields by slot.
    private static let fields: [KnownField] = [
        .unknown, .age, .contentLength, .vary, .acceptRanges, .unknown, .contentRange, .unknown,
        .expires, .date, .lastModified, .cacheControl, .entityTag, .contentLocation, .location, .pragma,
    ]
}
