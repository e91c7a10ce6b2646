/// The members of a comma-separated list of `token [ "=" ( token / quoted-string ) ]` (RFC 9110, section 5.6.1), as
/// ranges of a field value.
struct ListMembers {
    /// The members without the whitespace around them. Empty members are left out.
    var ranges: [Range<Int>] = []
    /// A quote stands where the grammar allows no quote, or is never closed.
    var isMalformed = false

    /// Splits at every comma that is not inside a quoted string. A quoted string begins only immediately after a
    /// member's name and `=`. In it a backslash quotes the next byte (section 5.6.4). An unclosed one reaches to the
    /// end.
    init(of bytes: [UInt8]) {
        var start = 0
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x2C {
                append(start..<index, of: bytes)
                start = index + 1
            } else if bytes[index] == 0x22 {
                let name = nameEnd(bytes, trimWhitespace(start..<index, of: bytes))
                let followsName = name == index - 1 && bytes[name] == 0x3D
                if followsName { index = Self.closingQuote(bytes, after: index) }
                if !followsName || index == bytes.count { isMalformed = true }
            }
            index += 1
        }
        append(start..<bytes.count, of: bytes)
    }

    /// The end of the quoted string that begins at `open`, or the number of bytes if it is not closed.
    static func closingQuote(_ bytes: [UInt8], after open: Int) -> Int {
        var index = open + 1
        while index < bytes.count && bytes[index] != 0x22 {
            index += bytes[index] == 0x5C ? 2 : 1
        }
        return min(index, bytes.count)
    }

    private mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
        let trimmed = trimWhitespace(range, of: bytes)
        if !trimmed.isEmpty { ranges.append(trimmed) }
    }
}

/// The end of the name at the beginning of a member: the first `=` or whitespace, or the member's end.
func nameEnd(_ bytes: [UInt8], _ member: Range<Int>) -> Int {
    var end = member.lowerBound
    while end < member.upperBound, bytes[end] != 0x3D, !isWhitespace(bytes[end]) { end += 1 }
    return end
}

/// `range` without `OWS` at either end.
func trimWhitespace(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end && isWhitespace(bytes[start]) { start += 1 }
    while start < end && isWhitespace(bytes[end - 1]) { end -= 1 }
    return start..<end
}
