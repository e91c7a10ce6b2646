/// Finds the lines of a field block, `Name: value` and CR LF each, up to an empty line or the end.
struct FieldBlockScanner {
    /// A line: where the name and the value stand, whitespace removed, and which field it is.
    struct Line {
        let name: Range<Int>
        let value: Range<Int>
        let field: KnownField
    }

    private let reader: WordReader
    private let limits: FieldBlockLimits
    /// The block was longer than the limit, and `reader` sees only the part within.
    private let isCut: Bool

    /// Calls `body` with each line of the block at the start of `bytes`.
    ///
    /// - Returns: the bytes of the block, the empty line included.
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

    /// The place of the colon behind the name at `place`, and which field that is; a place not behind `place` when there
    /// is no good name.
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
        // A known name is a good one, unless zero bytes follow that the table cannot tell from the end of a name.
        if field != .unknown, loadByte(reader.base, end &- 1) != 0 { return (end, field) }
        let isGood = isPlain(first, firstCount) && isPlain(second, secondCount)
        return (isGood ? end : longNameEnd(at: place), .unknown)
    }

    /// Sets the bit that tells the cases of letters apart, in those lanes alone that can hold one.
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

    /// As `readName(at:)` for any token, byte by byte.
    @inline(never)
    private func longNameEnd(at place: Int) -> Int {
        var end = place
        while isTokenByte(reader.byte(at: end)) { end &+= 1 }
        return reader.byte(at: end) == UInt8(ascii: ":") ? end : place
    }

    /// The place of the CR LF that ends the value.
    @inline(__always)
    private func findLineEnd(from start: Int) throws(FieldBlockError) -> Int {
        var place = start
        while true {
            // The bytes refused are all below 0x0E, and so are the zeros behind the end.
            let lane = firstLane(reader.word(at: place), below: 0x0E)
            // A branch, since the next word's place must not wait for this one's content.
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

    /// The defect at `place`: a CR, LF, zero byte or end where no line ends.
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

    /// The defect of the line at `start`, which has no valid name.
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
