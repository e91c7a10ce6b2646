// Invariant of the pointers: `text` is lent for the life of the scanner, which is a local variable; a load of 8 or
// 16 bytes is made only where so many are left.

/// Goes through the text of an http or https URL from left to right (RFC 3986 appendix A; RFC 9110 section 4.2).
struct URLScanner {
    /// The next byte to look at.
    private(set) var position = 0
    /// Whether scheme or host contain capital letters.
    private(set) var hasCapitals = false

    private let text: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    // MARK: Scheme

    /// Passes `http://` or `https://`.
    ///
    /// - Returns: whether it is `https`.
    mutating func scheme() throws(URLRefusal) -> Bool {
        if text.count >= 8 {
            let first = text.loadUnaligned(as: UInt64.self).littleEndian
            if first == 0x2F2F_3A73_7074_7468 {  // https://
                position = 8
                return true
            }
            if first & 0x00FF_FFFF_FFFF_FFFF == 0x2F_2F3A_7074_7468 {  // http://
                position = 7
                return false
            }
        }
        return try unusualScheme()
    }

    /// Any other beginning: capitals, or something to refuse.
    private mutating func unusualScheme() throws(URLRefusal) -> Bool {
        guard let colon = text.firstIndex(where: { !Self.isSchemeByte($0) }), colon > 0,
            text[colon] == UInt8(ascii: ":"), !URLBytes.isDigit(text[0])
        else { throw URLRefusal(.notAbsolute, at: 0) }
        let name = text[..<colon].lazy.map { $0 | 0x20 }
        let isSecure = name.elementsEqual("https".utf8)
        guard isSecure || name.elementsEqual("http".utf8) else { throw URLRefusal(.unsupportedScheme, at: 0) }
        guard text[(colon + 1)...].starts(with: "//".utf8) else { throw URLRefusal(.noAuthority, at: colon + 1) }
        hasCapitals = text[..<colon].contains(where: URLBytes.isCapital)
        position = colon + 3
        return isSecure
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    // MARK: Authority

    /// Passes the host.
    mutating func host() throws(URLRefusal) {
        let start = position
        if start < text.count, text[start] == UInt8(ascii: "[") { return try literalHost() }
        while text.count - position >= 16 {
            let block = text.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
            let usual = URLBytes.usualHostBytes(block)
            position += usual
            if usual < 16 { break }
        }
        while position < text.count {
            let byte = text[position]
            if URLBytes.isLowercaseName(byte) {
                position += 1
            } else if URLBytes.isCapital(byte) {
                hasCapitals = true
                position += 1
            } else if Self.endsHost(byte) {
                break
            } else {
                throw inAuthority(.invalidHost)
            }
        }
        guard position > start else { throw inAuthority(.emptyHost) }
    }

    private mutating func literalHost() throws(URLRefusal) {
        guard let close = text[position...].firstIndex(of: UInt8(ascii: "]")) else { throw inAuthority(.invalidHost) }
        let inside = UnsafeRawBufferPointer(rebasing: text[(position + 1)..<close])
        guard IPLiteral.isValid(inside), close + 1 == text.count || Self.endsHost(text[close + 1]) else {
            throw inAuthority(.invalidHost)
        }
        hasCapitals = hasCapitals || inside.contains(where: URLBytes.isCapital)
        position = close + 1
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// A port as it stands in a text.
    struct Port {
        /// The number; `nil` for the default port and without a port.
        let number: UInt16?
        /// Whether it is written canonically, which for the default means not at all.
        let isCanonical: Bool

        static let absent = Port(number: nil, isCanonical: true)

        /// Bytes of the colon and the digits in canonical form.
        var canonicalCount: Int {
            guard let number else { return 0 }
            return number < 10 ? 2 : number < 100 ? 3 : number < 1000 ? 4 : number < 10_000 ? 5 : 6
        }
    }

    /// Passes the port, if there is one.
    @inline(__always)
    mutating func port(default ordinary: UInt16) throws(URLRefusal) -> Port {
        guard position < text.count, text[position] == UInt8(ascii: ":") else { return .absent }
        return try presentPort(default: ordinary)
    }

    private mutating func presentPort(default ordinary: UInt16) throws(URLRefusal) -> Port {
        let start = position + 1
        position = start
        var number = 0
        while position < text.count, URLBytes.isDigit(text[position]) {
            number = number * 10 + Int(text[position] - UInt8(ascii: "0"))
            guard number <= UInt16.max else { throw inAuthority(.invalidPort) }
            position += 1
        }
        guard position == text.count || (Self.endsHost(text[position]) && text[position] != UInt8(ascii: ":")) else {
            throw inAuthority(.invalidPort)
        }
        if position == start || number == ordinary { return Port(number: nil, isCanonical: false) }
        return Port(number: UInt16(number), isCanonical: text[start] != UInt8(ascii: "0") || position == start + 1)
    }

    /// The refusal at the current position; before an `@`, the `@` is the reason.
    private func inAuthority(_ reason: URLRefusal.Reason) -> URLRefusal {
        let rest = text[position...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let at = authority.firstIndex(of: UInt8(ascii: "@")) else { return URLRefusal(reason, at: position) }
        return URLRefusal(.userInfo, at: at)
    }

    // MARK: Path, query, fragment

    /// Passes all the rest.
    ///
    /// - Returns: where the fragment's `#` is, else the end of the text.
    mutating func pathAndQuery() throws(URLRefusal) -> Int {
        var fragment: Int?
        while position < text.count {
            if text.count - position >= 16 {
                let block = text.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
                if URLBytes.arePlain(block) {
                    position += 16
                    continue
                }
            } else if text.count >= 16 {
                // The last 16 bytes overlap those before, which are plain too in nearly all URLs.
                let block = text.loadUnaligned(fromByteOffset: text.count - 16, as: SIMD16<UInt8>.self)
                if URLBytes.arePlain(block) {
                    position = text.count
                    break
                }
            }
            // The rest of the block byte by byte; `%41` may lead over its end.
            let blockEnd = min(position + 16, text.count)
            while position < blockEnd {
                let byte = text[position]
                if URLBytes.isPlain(byte) {
                    position += 1
                } else if byte == UInt8(ascii: "%") {
                    guard position + 2 < text.count, URLBytes.isHexDigit(text[position + 1]),
                        URLBytes.isHexDigit(text[position + 2])
                    else { throw URLRefusal(.invalidPercentEncoding, at: position) }
                    position += 3
                } else if byte == UInt8(ascii: "#"), fragment == nil {
                    fragment = position
                    position += 1
                } else {
                    throw URLRefusal(.invalidByte, at: position)
                }
            }
        }
        return fragment ?? text.count
    }
}

/// The inside of `[…]` in a URL's authority (RFC 3986 section 3.2.2).
enum IPLiteral {
    /// Whether the bytes are an IPv6 address, without a zone, or an `IPvFuture`.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return false }
        return first | 0x20 == UInt8(ascii: "v") ? isFuture(bytes) : isIPv6(bytes)
    }

    /// `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`
    private static func isFuture(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")), dot > 1, dot + 1 < bytes.count else { return false }
        return bytes[1..<dot].allSatisfy(URLBytes.isHexDigit)
            && bytes[(dot + 1)...].allSatisfy {
                URLBytes.isLowercaseName($0) || URLBytes.isCapital($0) || $0 == UInt8(ascii: ":")
            }
    }

    /// Eight groups of up to four hexadecimal digits; one `::` may stand for one or more groups of zeros, and the last
    /// two groups may be written as an IPv4 address.
    private static func isIPv6(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var groups = 0
        var hasGap = false
        var index = 0
        if bytes.starts(with: "::".utf8) {
            hasGap = true
            index = 2
        }
        while index < bytes.count {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            let group = bytes[index..<end]
            if end == bytes.count, group.contains(UInt8(ascii: ".")) {
                guard isIPv4(group) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(group.count), group.allSatisfy(URLBytes.isHexDigit) else { return false }
            groups += 1
            guard end < bytes.count else { break }
            index = end + 1
            guard index < bytes.count else { return false }
            if bytes[index] == UInt8(ascii: ":") {
                guard !hasGap else { return false }
                hasGap = true
                index += 1
            }
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    /// Four decimal numbers up to 255, without leading zeros.
    private static func isIPv4(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let numbers = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { digits in
                guard (1...3).contains(digits.count), digits.allSatisfy(URLBytes.isDigit) else { return false }
                guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
                return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
            }
    }
}

/// The classes of bytes of RFC 3986.
enum URLBytes {
    /// Whether a path, query or fragment may contain the byte, outside percent-encoding (sections 3.3 to 3.5).
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "?")...UInt8(ascii: "Z"),
            UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether all of 16 bytes are plain.
    @inline(__always)
    static func arePlain(_ bytes: SIMD16<UInt8>) -> Bool {
        let letters = isBetween(bytes, UInt8(ascii: "a"), UInt8(ascii: "z"))
        let capitals = isBetween(bytes, UInt8(ascii: "?"), UInt8(ascii: "Z"))
        let digits = isBetween(bytes, UInt8(ascii: "&"), UInt8(ascii: ";"))
        let dashes =
            isEqual(bytes, UInt8(ascii: "=")) .| isEqual(bytes, UInt8(ascii: "_")) .| isEqual(bytes, UInt8(ascii: "~"))
        let marks = isEqual(bytes, UInt8(ascii: "!")) .| isEqual(bytes, UInt8(ascii: "$"))
        // As two words: `all` is a call, and a loop over the 16 lanes in it.
        let words = unsafeBitCast(letters .| capitals .| digits .| dashes .| marks, to: SIMD2<UInt64>.self)
        return words.x & words.y == .max
    }

    // Both sides as vectors: compared with a scalar, each lane is compared alone.
    @inline(__always)
    private static func isEqual(_ bytes: SIMD16<UInt8>, _ byte: UInt8) -> SIMDMask<SIMD16<Int8>> {
        bytes .== SIMD16(repeating: byte)
    }

    @inline(__always)
    private static func isBetween(_ bytes: SIMD16<UInt8>, _ first: UInt8, _ last: UInt8) -> SIMDMask<SIMD16<Int8>> {
        (bytes &- SIMD16(repeating: first)) .<= SIMD16(repeating: last - first)
    }

    /// Whether a registered name may contain the byte; capitals and percent-encoding apart (section 3.2.2).
    @inline(__always)
    static func isLowercaseName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"),
            UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// How many bytes from the first on are small letters, digits, dots or dashes, as nearly all bytes of hosts are.
    @inline(__always)
    static func usualHostBytes(_ bytes: SIMD16<UInt8>) -> Int {
        let letters = isBetween(bytes, UInt8(ascii: "a"), UInt8(ascii: "z"))
        let digits = isBetween(bytes, UInt8(ascii: "0"), UInt8(ascii: "9"))
        let marks = isEqual(bytes, UInt8(ascii: ".")) .| isEqual(bytes, UInt8(ascii: "-"))
        let words = unsafeBitCast(letters .| digits .| marks, to: SIMD2<UInt64>.self)
        let first = (~UInt64(littleEndian: words.x)).trailingZeroBitCount / 8
        return first < 8 ? first : 8 + (~UInt64(littleEndian: words.y)).trailingZeroBitCount / 8
    }

    static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }
}
