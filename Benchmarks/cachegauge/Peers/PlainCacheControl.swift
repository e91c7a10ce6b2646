import HTTPSemantics

/// Reads `Cache-Control` as an engineer would who wants it fast and easy to follow: one pass over the bytes, no
/// allocation, a switch over the length of a name. Same results as `CacheControl.parse`, but for semicolons, which it
/// takes for parts of names.
enum PlainCacheControl {
    static func parse(_ bytes: UnsafeRawBufferPointer) -> CacheControl {
        var control = CacheControl()
        var place = 0
        while place < bytes.count {
            if bytes[place] == comma || isBlank(bytes[place]) {
                place += 1
            } else {
                place = readElement(bytes, at: place, into: &control)
            }
        }
        return control
    }

    /// What follows a directive's name.
    private enum Argument {
        case none, unreadable
        case token(Range<Int>)
        /// The range between the quotes.
        case quoted(Range<Int>)
    }

    /// Reads one element; returns the place of the comma after it, or the end.
    @inline(__always)
    private static func readElement(
        _ bytes: UnsafeRawBufferPointer, at start: Int, into control: inout CacheControl
    ) -> Int {
        var place = start
        while place < bytes.count, bytes[place] != comma, bytes[place] != equals, !isBlank(bytes[place]) {
            if bytes[place] == quote { control.directives.insert(.malformed) }
            place += 1
        }
        let name = start..<place
        var argument = Argument.none
        if place < bytes.count, bytes[place] == equals {
            place += 1
            let first = place
            if place < bytes.count, bytes[place] == quote {
                place += 1
                while place < bytes.count, bytes[place] != quote { place += bytes[place] == backslash ? 2 : 1 }
                if place < bytes.count {
                    argument = .quoted(first + 1..<place)
                    place += 1
                } else {
                    argument = .unreadable
                    place = bytes.count
                    control.directives.insert(.malformed)
                }
            } else {
                while place < bytes.count, bytes[place] != comma, bytes[place] != quote, !isBlank(bytes[place]) {
                    place += 1
                }
                argument = .token(first..<place)
            }
        }
        while place < bytes.count, bytes[place] != comma {
            if !isBlank(bytes[place]) { argument = .unreadable }
            if bytes[place] == quote { control.directives.insert(.malformed) }
            place += 1
        }
        apply(UnsafeRawBufferPointer(rebasing: bytes[name]), argument, bytes, to: &control)
        return place
    }

    @inline(__always)
    private static func apply(
        _ name: UnsafeRawBufferPointer, _ argument: Argument, _ bytes: UnsafeRawBufferPointer,
        to control: inout CacheControl
    ) {
        switch name.count {
        case 6:
            if isEqual(name, "public") { permit(.public, argument, &control) }
        case 7:
            if isEqual(name, "max-age") {
                setFirst(&control.maxAge, seconds(argument, bytes))
            } else if isEqual(name, "private") {
                control.directives.insert(.private)
                setFirst(&control.privateFields, argument, bytes)
            }
        case 8:
            if isEqual(name, "no-cache") {
                control.directives.insert(.noCache)
                setFirst(&control.noCacheFields, argument, bytes)
            } else if isEqual(name, "no-store") {
                control.directives.insert(.noStore)
            } else if isEqual(name, "s-maxage") {
                setFirst(&control.sharedMaxAge, seconds(argument, bytes))
            }
        case 9:
            if isEqual(name, "immutable") {
                // RFC 8246, section 2: arguments have no meaning.
                if isReadable(argument, bytes) { control.directives.insert(.immutable) }
            } else if isEqual(name, "min-fresh") {
                setFirst(&control.minFresh, seconds(argument, bytes))
            } else if isEqual(name, "max-stale") {
                if case .none = argument {
                    control.directives.insert(.anyStale)
                } else {
                    setFirst(&control.maxStale, seconds(argument, bytes))
                }
            }
        case 12:
            if isEqual(name, "no-transform") { control.directives.insert(.noTransform) }
        case 14:
            if isEqual(name, "stale-if-error") {
                setFirst(&control.staleIfError, seconds(argument, bytes))
            } else if isEqual(name, "only-if-cached") {
                control.directives.insert(.onlyIfCached)
            }
        case 15:
            if isEqual(name, "must-revalidate") {
                control.directives.insert(.mustRevalidate)
            } else if isEqual(name, "must-understand") {
                permit(.mustUnderstand, argument, &control)
            }
        case 16:
            if isEqual(name, "proxy-revalidate") { control.directives.insert(.proxyRevalidate) }
        case 22:
            if isEqual(name, "stale-while-revalidate") {
                setFirst(&control.staleWhileRevalidate, seconds(argument, bytes))
            }
        default: break
        }
    }

    /// A directive that widens a cache's rights counts only if nothing follows it.
    @inline(__always)
    private static func permit(
        _ directive: CacheControl.Directives, _ argument: Argument, _ control: inout CacheControl
    ) {
        if case .none = argument { control.directives.insert(directive) }
    }

    @inline(__always)
    private static func isReadable(_ argument: Argument, _ bytes: UnsafeRawBufferPointer) -> Bool {
        switch argument {
        case .none, .quoted: true
        case .token(let token): !token.isEmpty && bytes[token].allSatisfy(isTokenByte)
        case .unreadable: false
        }
    }

    @inline(__always)
    private static func setFirst(_ number: inout DeltaSeconds, _ seconds: DeltaSeconds) {
        if !number.isPresent { number = seconds }
    }

    private static func setFirst(
        _ list: inout CacheControl.FieldList, _ argument: Argument, _ bytes: UnsafeRawBufferPointer
    ) {
        let range: Range<Int>
        switch argument {
        case .token(let token) where bytes[token].allSatisfy(isTokenByte): range = token
        case .quoted(let text): range = text
        default: return
        }
        guard list.count == 0, !range.isEmpty else { return }
        list = CacheControl.FieldList(offset: UInt32(range.lowerBound), count: UInt32(range.count))
    }

    /// An argument's `delta-seconds`; in quotes, a backslash stands for the byte after it.
    private static func seconds(_ argument: Argument, _ bytes: UnsafeRawBufferPointer) -> DeltaSeconds {
        let range: Range<Int>
        let isQuoted: Bool
        switch argument {
        case .token(let token): (range, isQuoted) = (token, false)
        case .quoted(let text): (range, isQuoted) = (text, true)
        case .none, .unreadable: return .invalid
        }
        guard !range.isEmpty else { return .invalid }
        var seconds: Int64 = 0
        var place = range.lowerBound
        while place < range.upperBound {
            if isQuoted, bytes[place] == backslash { place += 1 }
            let digit = bytes[place] &- 0x30
            guard digit <= 9 else { return .invalid }
            seconds = min(seconds &* 10 &+ Int64(digit), 1 << 31)
            place += 1
        }
        return .seconds(seconds)
    }

    /// Whether a name is `word`, which is lower case and of equal length.
    @inline(__always)
    private static func isEqual(_ name: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        let word = word.utf8Start
        for index in 0..<name.count where lowercased(name[index]) != word[index] { return false }
        return true
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// A byte of a token (RFC 9110, section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "#")...UInt8(ascii: "'"): true
        case UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        case UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
