// Invariant of the pointers: the value is lent for the reader's life, which is one call; `WordReader` makes no load
// beyond its end.

// Reads one field value, element by element, a word of eight bytes at a time. Behind the end of the value `WordReader`
// returns zeros, which end a name and are not digits.

/// What one or several `Cache-Control` lines have said so far.
struct CacheControlReader {
    private let text: WordReader
    /// Where this line begins in the value joined from all lines; field lists are relative to that value.
    let origin: Int

    /// A quote was still open at the end, so a further line would begin as text.
    private(set) var endsInQuotes = false
    private var directives: CacheControl.Directives
    private var numbers: CacheControlNumbers
    private var noCacheFields: CacheControl.FieldList
    private var privateFields: CacheControl.FieldList

    @inline(__always)
    init(_ text: WordReader, origin: Int = 0, after earlier: CacheControl = CacheControl()) {
        self.text = text
        self.origin = origin
        directives = earlier.directives
        numbers = CacheControlNumbers(earlier)
        noCacheFields = earlier.noCacheFields
        privateFields = earlier.privateFields
    }

    @inline(__always)
    var result: CacheControl {
        var control = CacheControl()
        control.directives = directives
        numbers.assign(to: &control)
        control.noCacheFields = noCacheFields
        control.privateFields = privateFields
        return control
    }

    @inline(__always) private var base: UnsafeRawPointer { text.base }
    @inline(__always) private var count: Int { text.count }

    /// The byte at `place`, a comma behind the end.
    @inline(__always)
    private func byte(at place: Int) -> UInt8 { text.byte(at: place, or: UInt8(ascii: ",")) }

    mutating func readElements() {
        var place = 0
        while place < count {
            let byte = loadByte(base, place)
            if byte == UInt8(ascii: ",") || isWhitespace(byte) {
                place &+= 1
                continue
            }
            place = readElement(at: place)
        }
    }

    /// Reads the element that begins at `place`, a byte inside the value that is neither a comma nor whitespace.
    ///
    /// - Returns: the place of the comma behind it, or the end.
    @inline(__always)
    private mutating func readElement(at place: Int) -> Int {
        var first = text.wordInside(at: place)
        var second = text.word(at: place &+ 8)
        // The most common name. Its digits are already loaded.
        if first | maxAgeCase == maxAgeEquals {
            return readNumber(second, at: place &+ 8, .maxAge)
        }
        let firstCount = nameCount(first)
        let secondCount = firstCount < 8 ? 0 : nameCount(second)
        var nameEnd = place &+ firstCount &+ secondCount
        first = (first | lanes(0x20)) & lowLanes(firstCount)
        second = (second | lanes(0x20)) & lowLanes(secondCount)

        let slot = CacheControlDirective.slot(of: first)
        var action = CacheControlDirective.action(slot)
        if secondCount == 8 {
            let third = nameEnd < count ? text.wordInside(at: nameEnd) : 0
            let thirdCount = nameCount(third)
            nameEnd &+= thirdCount
            if CacheControlDirective.thirdEight(slot) != (third | lanes(0x20)) & lowLanes(thirdCount) {
                action = .unknown
            }
        }
        if CacheControlDirective.firstEight(slot) != first || CacheControlDirective.secondEight(slot) != second {
            action = .unknown
        }
        let delimiter = byte(at: nameEnd)
        if action.number != nil, delimiter == UInt8(ascii: "=") {
            return readNumber(text.word(at: nameEnd &+ 1), at: nameEnd &+ 1, action)
        }
        guard delimiter == UInt8(ascii: ","), action.number == nil else {
            if delimiter == UInt8(ascii: "=") { return readArgument(at: nameEnd &+ 1, action: action) }
            return readSlowly(nameEnd: nameEnd, action: action)
        }
        directives.formUnion(action.flags)
        return nameEnd
    }

    /// Reads the argument at `place`, given its first eight bytes. Handles up to eight digits here, and leaves the rest
    /// to others.
    @inline(__always)
    private mutating func readNumber(_ word: UInt64, at place: Int, _ action: CacheControlDirective) -> Int {
        let digits = word ^ lanes(0x30)
        let digitCount = lanesAboveNine(digits).trailingZeroBitCount >> 3
        let end = place &+ digitCount
        guard digitCount > 0, byte(at: end) == UInt8(ascii: ","), let number = action.number else {
            return readArgument(at: place, action: action)
        }
        let value = decimal(digits &<< (UInt64(truncatingIfNeeded: 8 &- digitCount) &* 8))
        numbers.setFirst(number, DeltaSeconds(bits: UInt32(truncatingIfNeeded: value)))
        return end
    }

    // MARK: - Anything but `name` and `name=digits`

    /// Reads an element from the end of its name on.
    @inline(never)
    private mutating func readSlowly(nameEnd: Int, action: CacheControlDirective) -> Int {
        let delimiter = byte(at: nameEnd)
        if delimiter == UInt8(ascii: "=") { return readArgument(at: nameEnd &+ 1, action: action) }
        let endsName = delimiter == UInt8(ascii: ";") && action != .unknown
        if delimiter == UInt8(ascii: ",") || isWhitespace(delimiter) || endsName {
            let (end, isClean) = skipRest(from: nameEnd)
            apply(action, isBare: isClean)
            if !isClean, action != .unknown { readBehindSemicolons(nameEnd..<end) }
            return end
        }
        return skipUnknown(from: nameEnd)
    }

    /// Reads what follows the semicolons in `rest`, the end of a known directive's element. The sender meant commas. So
    /// the field is malformed, and what restricts counts.
    @inline(never)
    private mutating func readBehindSemicolons(_ rest: Range<Int>) {
        var place = rest.lowerBound
        func skipToSemicolon() {
            while place < rest.upperBound, loadByte(base, place) != UInt8(ascii: ";") { place &+= 1 }
        }
        skipToSemicolon()
        while place < rest.upperBound {
            let start = place &+ 1
            place = start
            skipToSemicolon()
            let piece = UnsafeRawBufferPointer(start: base + start, count: place &- start)
            let read = readCacheControl(RawSpan(_unsafeBytes: piece)).directives
            directives.formUnion(read.intersection(CacheControl.Directives.restrictive).union(.malformed))
        }
    }

    /// Reads the argument that begins at `start`, behind the `=`.
    @inline(never)
    private mutating func readArgument(at start: Int, action: CacheControlDirective) -> Int {
        guard byte(at: start) == UInt8(ascii: "\"") else {
            let end = tokenEnd(from: start)
            return finish(start..<end, isQuoted: false, behind: end, action)
        }
        guard let close = closingQuote(from: start &+ 1) else {
            endsInQuotes = true
            directives.insert(.malformed)
            apply(action, isBare: false)
            return count
        }
        return finish(start &+ 1..<close, isQuoted: true, behind: close &+ 1, action)
    }

    /// Records a directive whose argument ends before `behind`, and goes on to the comma.
    @inline(__always)
    private mutating func finish(
        _ argument: Range<Int>, isQuoted: Bool, behind: Int, _ action: CacheControlDirective
    ) -> Int {
        let (end, isClean) = byte(at: behind) == UInt8(ascii: ",") ? (behind, true) : skipRest(from: behind)
        if action == .unknown { return end }
        var isReadable = isClean
        if let place = action.number {
            let seconds = isClean ? number(argument, isQuoted: isQuoted) : .invalid
            numbers.setFirst(place, seconds)
            isReadable = seconds != .invalid
        } else {
            directives.formUnion(action.flags.intersection(CacheControl.Directives.restrictive))
            isReadable = isClean && (isQuoted || argument.allSatisfy { isTokenByte(loadByte(base, $0)) })
            if isReadable {
                keepFieldList(argument, of: action)
                // Its arguments are ignored (RFC 8246, section 2).
                if isQuoted || !argument.isEmpty { directives.formUnion(action.flags.intersection(.immutable)) }
            }
        }
        if !isReadable { readBehindSemicolons((isQuoted ? behind : argument.lowerBound)..<end) }
        return end
    }

    /// Records a directive.
    ///
    /// - Parameter isBare: only whitespace follows the name.
    private mutating func apply(_ action: CacheControlDirective, isBare: Bool) {
        if let number = action.number {
            if isBare, number == CacheControlNumbers.maxStale {
                directives.insert(.anyStale)
            } else {
                numbers.setFirst(number, .invalid)
            }
        } else {
            directives.formUnion(isBare ? action.flags : action.flags.intersection(CacheControl.Directives.restrictive))
        }
    }

    /// Keeps the place of the first list of names of `no-cache` and of `private`.
    private mutating func keepFieldList(_ argument: Range<Int>, of action: CacheControlDirective) {
        if argument.isEmpty { return }
        let list = CacheControl.FieldList(
            offset: UInt32(clamping: origin + argument.lowerBound), count: UInt32(clamping: argument.count))
        if action.flags == .noCache, noCacheFields.count == 0 { noCacheFields = list }
        if action.flags == .private, privateFields.count == 0 { privateFields = list }
    }

    /// The `delta-seconds` in `argument`, eight digits at a time. In a quoted one a backslash stands for the byte
    /// behind it.
    @inline(__always)
    private func number(_ argument: Range<Int>, isQuoted: Bool) -> DeltaSeconds {
        if argument.isEmpty { return .invalid }
        var seconds: Int64 = 0
        var place = argument.lowerBound
        // The first group takes what the groups of eight leave over.
        var size = (argument.count &- 1) & 7 &+ 1
        while place < argument.upperBound {
            let digits = (text.wordInside(at: place) ^ lanes(0x30)) &<< (UInt64(truncatingIfNeeded: 8 &- size) &* 8)
            if lanesAboveNine(digits) != 0 { return isQuoted ? escapedNumber(argument) : .invalid }
            seconds = min(seconds &* 100_000_000 &+ Int64(truncatingIfNeeded: decimal(digits)), 1 << 31)
            place &+= size
            size = 8
        }
        return .seconds(seconds)
    }

    /// The same for a quoted `argument`, byte by byte.
    @inline(never)
    private func escapedNumber(_ argument: Range<Int>) -> DeltaSeconds {
        var seconds: Int64 = 0
        var place = argument.lowerBound
        while place < argument.upperBound {
            if loadByte(base, place) == UInt8(ascii: "\\") { place &+= 1 }
            let digit = loadByte(base, place) &- 0x30
            guard digit <= 9 else { return .invalid }
            seconds = min(seconds &* 10 &+ Int64(digit), 1 << 31)
            place &+= 1
        }
        return .seconds(seconds)
    }

    /// Where a plain argument ends: at a comma, whitespace, a quote or the end.
    @inline(__always)
    private func tokenEnd(from start: Int) -> Int {
        var place = start
        while place < count {
            // Every byte that ends it is below a dash, but so are a few that don't.
            let lane = firstLane(text.wordWellInside(at: place), below: UInt8(ascii: "-"))
            if lane == 8 {
                place &+= 8
                continue
            }
            place &+= lane
            let byte = byte(at: place)
            if byte == UInt8(ascii: ",") || isWhitespace(byte) || byte == UInt8(ascii: "\"") { break }
            place &+= 1
        }
        return min(place, count)
    }

    /// Where the quote that closes the text from `start` on is; `nil` if it is never closed.
    @inline(__always)
    private func closingQuote(from start: Int) -> Int? {
        var place = start
        while place < count {
            let word = text.wordWellInside(at: place)
            let lane = min(firstZeroLane(word ^ lanes(0x22)), firstZeroLane(word ^ lanes(0x5C)))
            // A branch, so the next word's place need not wait for this one's content.
            if lane == 8 {
                place &+= 8
                continue
            }
            place &+= lane
            if loadByte(base, place) == UInt8(ascii: "\"") { return place }
            place &+= 2
        }
        return nil
    }

    /// Goes on to the comma behind `start`.
    ///
    /// - Returns: its place or the end, and whether only whitespace was before it.
    private mutating func skipRest(from start: Int) -> (end: Int, isClean: Bool) {
        var place = start
        while place < count, isWhitespace(loadByte(base, place)) { place &+= 1 }
        if byte(at: place) == UInt8(ascii: ",") { return (place, true) }
        while place < count {
            let word = text.wordWellInside(at: place)
            let lane = min(firstZeroLane(word ^ lanes(0x22)), firstZeroLane(word ^ lanes(0x2C)))
            // A branch, so the next word's place need not wait for this one's content.
            if lane == 8 {
                place &+= 8
                continue
            }
            place &+= lane
            if loadByte(base, place) == UInt8(ascii: ",") { return (place, false) }
            directives.insert(.malformed)
            place &+= 1
        }
        return (count, false)
    }

    @inline(__always)
    private mutating func skipUnknown(from start: Int) -> Int {
        var place = start
        while place < count {
            switch loadByte(base, place) {
            case UInt8(ascii: ","): return place
            case UInt8(ascii: " "), UInt8(ascii: "\t"): return skipRest(from: place).end
            case UInt8(ascii: "="): return readArgument(at: place &+ 1, action: .unknown)
            case UInt8(ascii: "\""): directives.insert(.malformed)
            default: break
            }
            place &+= 1
        }
        return count
    }
}

/// How many of the low lanes hold a letter, a dash or another byte that a name can have: 0 to 8.
///
/// A byte without the bit 0x40, unless it is a dash, ends the name. A byte with that bit that is not a letter makes the
/// name unknown.
@inline(__always)
private func nameCount(_ word: UInt64) -> Int {
    let dashes = word ^ lanes(UInt8(ascii: "-"))
    let notDash = ((dashes & lanes(0x7F)) &+ lanes(0x7F)) | dashes
    return (~word << 1 & notDash & lanes(0x80)).trailingZeroBitCount >> 3
}
