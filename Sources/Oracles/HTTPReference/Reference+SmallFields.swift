extension Reference {
    /// `Age = delta-seconds` (RFC 9111, section 5.1): the first member of a list that is not empty, at most 2^31; `nil`
    /// if it is not a number, and the field must be ignored.
    public static func age(_ bytes: [UInt8]) -> Int64? {
        var reader = Reader(bytes)
        while isWhitespace(reader.peek) || reader.peek == 0x2C { reader.position += 1 }
        let age = reader.readNumber(clampedTo: Seconds.maximum)
        reader.skipWhitespace()
        return reader.isAtEnd || reader.peek == 0x2C ? age : nil
    }

    /// `Expires = HTTP-date` (RFC 9111, section 5.3); `nil`, which counts as the past, if it is not a date.
    public static func expires(_ bytes: [UInt8], now: Int64) -> Int64? { HTTPDate.parse(bytes, now: now) }

    /// Whether a `Pragma` field contains `no-cache` (RFC 9111, section 5.4).
    public static func pragmaSaysNoCache(_ bytes: [UInt8]) -> Bool {
        ListMembers(of: bytes).ranges.contains { Member(bytes, $0).name == "no-cache" }
    }
}

extension Reference {
    /// `Content-Length = 1*DIGIT`, or a list of equal numbers (RFC 9110, section 8.6); `nil` for any other text, for a
    /// list with an empty member, and for 2^63 - 1 or more.
    public static func contentLength(_ bytes: [UInt8]) -> Int64? {
        var length: Int64?
        var reader = Reader(bytes)
        repeat {
            reader.skipWhitespace()
            let member = reader.readNumber(clampedTo: .max)
            reader.skipWhitespace()
            guard let member, member < .max, length ?? member == member else { return nil }
            length = member
        } while reader.read(0x2C)
        return reader.isAtEnd ? length : nil
    }

    /// Whether an `Accept-Ranges` field contains the unit `bytes` (RFC 9110, section 14.3).
    public static func acceptsByteRanges(_ bytes: [UInt8]) -> Bool {
        ListMembers(of: bytes).ranges.contains { lowercasedString(bytes, $0) == "bytes" }
    }
}
