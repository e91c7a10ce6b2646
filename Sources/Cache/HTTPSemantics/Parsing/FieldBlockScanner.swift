/// Finds the lines of a field block, `Name: value` and CR LF each, up to an empty line or the end.
struct FieldBlockScanner {
    /// Where a line's name and value are, whitespace removed, and which field it is.
    struct Line {
        let name: Range<Int>
        let value: Range<Int>
        let field: KnownField
    }

    private let reader: WordReader
    private let limits: FieldBlockLimits
    /// The block is longer than the limit, and `reader` sees only the part within.
    private let isCut: Bool

    /// Calls `body` with each line of the block at the start of `bytes`.
    ///
    /// - Returns: the bytes of the block, including the empty line.
    @inline(__always)
    static func scan(
        _ bytes: UnsafeRawBufferPointer, limits: FieldBlockLimits, _ body: (Line) -> Void
    ) throws(FieldBlockError) -> Int {
        let allowed = min(max(limits.bytes, 0), Int(Int32.max))
        let isCut = bytes.count > allowed
        let visible = isCut ? UnsafeRawBufferPointer(rebasing: bytes[..<allowed]) : bytes
        return try WordReader.with(visible) { (reader) throws(FieldBlockError) in
            let scanner = FieldBlockScanner(reader: reader, limits: limits, isCut: isCut)
            return try scanner.scan(body)
        }
    }

    private init(reader: WordReader, limits: FieldBlockLimits, isCut: Bool) {
        self.reader = reader
        self.limits = limits
        self.isCut = isCut
    }

    @inline(__always)
    private func scan(_ body: (Line) -> Void) throws(FieldBlockError) -> Int {
        var place = 0
        var lines = 0
        while place < reader.count {
            if loadByte(reader.base, place) == 0x0D {
                guard reader.byte(at: place &+ 1) == 0x0A else { throw end(at: place) }
                return place &+ 2
            }
            guard lines < limits.lines else {
                throw FieldBlockError(.tooManyLines(limit: limits.lines), at: place)
            }
            lines &+= 1

            let (nameEnd, field) = readName(at: place)
            guard nameEnd > place else { throw nameError(at: place) }
            var start = nameEnd &+ 1
            while isWhitespace(reader.byte(at: start)) { start &+= 1 }
            let lineEnd = try findLineEnd(from: start)
            guard lineEnd &- place <= limits.lineBytes else {
                throw FieldBlockError(.lineTooLong(limit: limits.lineBytes), at: place)
            }
            var end = lineEnd
            while end > start, isWhitespace(loadByte(reader.base, end &- 1)) { end &-= 1 }
            body(Line(name: place..<nameEnd, value: start..<end, field: field))
            place = lineEnd &+ 2
        }
        if isCut { throw FieldBlockError(.tooManyBytes(limit: limits.bytes), at: reader.count) }
        return place
    }

    /// Where the colon behind the name at `place` is, and which field that is; a place not behind `place` if there is
    /// no valid name.
    @inline(__always)
    private func readName(at place: Int) -> (end: Int, field: KnownField) {
        let first = reader.word(at: place)
        let second = reader.word(at: place &+ 8)
        let firstCount = firstZeroLane(first ^ lanes(UInt8(ascii: ":")))
        let secondCount = firstCount < 8 ? 0 : firstZeroLane(second ^ lanes(UInt8(ascii: ":")))
        let end = place &+ firstCount &+ secondCount
        if secondCount == 8, reader.byte(at: end) != UInt8(ascii: ":") {
            return (longNameEnd(at: place), .unknown)
        }
        let field = KnownField(
            firstEight: lowercased(first) & lowLanes(firstCount),
            secondEight: lowercased(second) & lowLanes(secondCount))
        // A known name is valid, unless zero bytes follow it, which the table cannot tell from the end of the name.
        if field != .unknown, loadByte(reader.base, end &- 1) != 0 { return (end, field) }
        let isGood = isPlain(first, firstCount) && isPlain(second, secondCount)
        return (isGood ? end : longNameEnd(at: place), .unknown)
    }

    /// Sets the bit for lower case, only in lanes that can hold a letter.
    @inline(__always)
    private func lowercased(_ word: UInt64) -> UInt64 { word | (word >> 1 & lanes(0x20)) }

    /// Whether the lowest `count` lanes are letters, digits and dashes.
    @inline(__always)
    private func isPlain(_ word: UInt64, _ count: Int) -> Bool {
        let low = word & lanes(0x7F)
        let letter = ((low | lanes(0x20)) &+ lanes(0x1F)) & ~((low | lanes(0x20)) &+ lanes(0x05))
        let digit = (low &+ lanes(0x50)) & ~(low &+ lanes(0x46))
        let good = (letter | digit) & ~word & lanes(0x80) | zeroLanes(word ^ lanes(UInt8(ascii: "-")))
        return (~good & lanes(0x80) & lowLanes(count)) == 0
    }

    /// Like `readName(at:)` for any token, byte by byte.
    @inline(never)
    private func longNameEnd(at place: Int) -> Int {
        var end = place
        while isTokenByte(reader.byte(at: end)) { end &+= 1 }
        return reader.byte(at: end) == UInt8(ascii: ":") ? end : place
    }

    @inline(__always)
    private func findLineEnd(from start: Int) throws(FieldBlockError) -> Int {
        var place = start
        while true {
            // The refused bytes are all below 0x0E, and so are the zeros behind the end.
            let lane = firstLane(reader.word(at: place), below: 0x0E)
            // A branch, so the next word's place need not wait for this one's content.
            if lane == 8 {
                place &+= 8
                continue
            }
            place &+= lane
            let byte = reader.byte(at: place)
            if byte == 0x0D, reader.byte(at: place &+ 1) == 0x0A { return place }
            if byte == 0x0D || byte == 0x0A || byte == 0 { throw end(at: place) }
            place &+= 1
        }
    }

    /// What is wrong at `place`: a CR, LF, zero byte or end where no line ends.
    @inline(never)
    private func end(at place: Int) -> FieldBlockError {
        let isAtEnd = place &+ (reader.byte(at: place, or: 0x0D) == 0x0D ? 1 : 0) >= reader.count
        if isAtEnd, isCut { return FieldBlockError(.tooManyBytes(limit: limits.bytes), at: reader.count) }
        if place >= reader.count { return FieldBlockError(.unterminatedLine, at: place) }
        switch reader.byte(at: place) {
        case 0x0D: return FieldBlockError(.bareCarriageReturn, at: place)
        case 0x0A: return FieldBlockError(.bareLineFeed, at: place)
        default: return FieldBlockError(.nul, at: place)
        }
    }

    /// What is wrong with the line at `start`, which has no valid name.
    @inline(never)
    private func nameError(at start: Int) -> FieldBlockError {
        var place = start
        while isTokenByte(reader.byte(at: place)) { place &+= 1 }
        guard place < reader.count else { return end(at: place) }
        let byte = loadByte(reader.base, place)
        switch byte {
        case 0x20 where place == start, 0x09 where place == start: return FieldBlockError(.lineFolding, at: place)
        case UInt8(ascii: ":"): return FieldBlockError(.emptyName, at: place)
        case 0x0D where reader.byte(at: place &+ 1) == 0x0A: return FieldBlockError(.missingColon, at: start)
        case 0x0D, 0x0A, 0: return end(at: place)
        default: return FieldBlockError(.nameByte(byte), at: place)
        }
    }
}

/// The response fields a cache reads. A name is looked up in a table instead of compared with one after the other.
enum KnownField: UInt8 {
    case unknown, cacheControl, date, expires, lastModified, age, entityTag, vary, contentLength, contentRange, location
    case contentLocation, acceptRanges, pragma

    /// The field whose lower-case name has these bytes, followed by zeros.
    @inline(__always)
    init(firstEight: UInt64, secondEight: UInt64) {
        let hash = ((firstEight &+ secondEight << 1) &* 0x3452_1C81_9E0B_3799) >> 60
        let slot = Int(truncatingIfNeeded: hash) &* 2
        self = Self.table[slot] == firstEight && Self.table[slot &+ 1] == secondEight ? Self.fields[slot / 2] : .unknown
    }

    init(_ name: UnsafeRawBufferPointer) { self = WordReader.with(name) { KnownField($0) } }

    /// The field of this name; the reader has nothing else.
    @inline(__always)
    init(_ name: WordReader) {
        guard 1...16 ~= name.count else {
            self = .unknown
            return
        }
        let masks = (lowLanes(min(name.count, 8)), lowLanes(max(name.count, 8) &- 8))
        let (first, second) = (name.word(at: 0) & masks.0, name.word(at: 8) & masks.1)
        self.init(firstEight: (first | lanes(0x20)) & masks.0, secondEight: (second | lanes(0x20)) & masks.1)
        // That bit is not the case of every byte: with it, a carriage return becomes a dash.
        if zeroLanes(first ^ lanes(0x0D)) | zeroLanes(second ^ lanes(0x0D)) != 0 { self = .unknown }
    }

    /// Bytes 0 to 7 and 8 to 15 of each name, by its slot in a multiply-shift hash without collisions among them.
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

    private static let fields: [KnownField] = [
        .unknown, .age, .contentLength, .vary, .acceptRanges, .unknown, .contentRange, .unknown,
        .expires, .date, .lastModified, .cacheControl, .entityTag, .contentLocation, .location, .pragma,
    ]
}
