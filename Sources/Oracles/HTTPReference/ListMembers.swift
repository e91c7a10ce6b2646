/// The members of a comma-separated list of `token [ "=" ( token / quoted-string ) ]` (RFC 9110, section 5.6.1), as
/// ranges of a field value.
struct ListMembers {
    /// Without the whitespace around them; empty members are left out.
    var ranges: [Range<Int>] = []
    /// A quote stands where the grammar allows no quote, or is never closed.
    var isMalformed = false

    /// Splits at every comma that is not inside a quoted string. Such a string begins right after a member's
    /// name and `=`, and nowhere else; in it a backslash quotes the byte after it (section 5.6.4). One that is never
    /// closed reaches to the end.
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

    /// Where the quoted string that begins at `open` ends; the number of bytes when it does not.
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

/// Where the name at the beginning of a member ends: at the first `=` or whitespace, else at the member's end.
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
