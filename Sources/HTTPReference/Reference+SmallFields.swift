extension Reference {
    /// `Age = delta-seconds` (RFC 9111, section 5.1): the first member of a list, at most 2^31; `nil` when that is no
    /// number, and the field is to be ignored.
    public static func age(_ bytes: [UInt8]) -> Int64? {
        var reader = Reader(bytes)
        reader.skipWhitespace()
        let age = reader.readNumber(clampedTo: Seconds.maximum)
        reader.skipWhitespace()
        return reader.isAtEnd || reader.peek == 0x2C ? age : nil
    }

    /// `Expires = HTTP-date` (RFC 9111, section 5.3); `nil`, which is in the past, when it is none.
    public static func expires(_ bytes: [UInt8], now: Int64) -> Int64? { HTTPDate.parse(bytes, now: now) }

    /// Whether `no-cache` is among the directives of a `Pragma` field (RFC 9111, section 5.4).
    public static func pragmaSaysNoCache(_ bytes: [UInt8]) -> Bool {
        ListMembers(of: bytes).ranges.contains { Member(bytes, $0).name == "no-cache" }
    }
}
