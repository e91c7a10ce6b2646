/// One member of a list of `token [ "=" ( token / quoted-string ) ]`, as in Cache-Control and Pragma.
struct Member {
    enum Argument: Equatable {
        case none
        /// A token after `=`.
        case token(Range<Int>)
        /// A quoted string after `=`; the range is between the quotes.
        case quoted(Range<Int>)
        /// Something else follows the name.
        case unreadable
    }

    /// The name in lower case.
    let name: String
    let argument: Argument
    private let bytes: [UInt8]
    /// Everything behind the name.
    private let rest: Range<Int>

    /// Reads a member; `directives` as in `nameEnd`.
    init(_ bytes: [UInt8], _ range: Range<Int>, directives: Set<String>) {
        self.bytes = bytes
        let end = nameEnd(bytes, range, directives)
        rest = end..<range.upperBound
        name = lowercasedString(bytes, range.lowerBound..<end)
        var reader = Reader(bytes, end..<range.upperBound)
        if reader.isAtEnd {
            argument = .none
        } else if !reader.read(0x3D) {
            argument = .unreadable
        } else if let token = reader.readToken(), reader.isAtEnd {
            argument = .token(token)
        } else if let quoted = Self.quotedString(bytes, end + 1..<range.upperBound) {
            argument = .quoted(quoted)
        } else {
            argument = .unreadable
        }
    }

    /// Where a list of field names is, as a token or between quotes; `nil` without one.
    var fieldList: Range<Int>? {
        switch argument {
        case .none, .unreadable: nil
        case .token(let range), .quoted(let range): range.isEmpty ? nil : range
        }
    }

    /// What each semicolon outside a quoted argument is followed by, up to the next one.
    var textsBehindSemicolons: [Range<Int>] {
        var index = rest.lowerBound
        if rest.count >= 2, bytes[index] == 0x3D, bytes[index + 1] == 0x22 {
            index = ListMembers.closingQuote(bytes, after: index + 1)
        }
        let semicolons = (min(index, rest.upperBound)..<rest.upperBound).filter { bytes[$0] == 0x3B }
        return zip(semicolons, semicolons.dropFirst() + [rest.upperBound]).map { $0 + 1..<$1 }
    }

    /// The argument without quotes, each quoted pair replaced by its second byte; empty without a readable argument.
    var argumentBytes: [UInt8] {
        switch argument {
        case .none, .unreadable: return []
        case .token(let range): return Array(bytes[range])
        case .quoted(let range):
            var unquoted: [UInt8] = []
            var index = range.lowerBound
            while index < range.upperBound {
                if bytes[index] == 0x5C { index += 1 }
                unquoted.append(bytes[index])
                index += 1
            }
            return unquoted
        }
    }

    /// Reads all of `range` as `quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE`, and returns the range between
    /// the quotes.
    private static func quotedString(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        guard range.count >= 2, bytes[range.lowerBound] == 0x22 else { return nil }
        let end = ListMembers.closingQuote(bytes, after: range.lowerBound)
        return end == range.upperBound - 1 ? range.lowerBound + 1..<end : nil
    }
}

/// The bytes of `range` as text with ASCII letters in lower case. Bytes that are not UTF-8 become U+FFFD, which no name
/// of a directive or field contains.
func lowercasedString(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range].map(lowercase), as: UTF8.self)
}

/// The members of a comma-separated list of `token [ "=" ( token / quoted-string ) ]` (RFC 9110, section 5.6.1), as
/// ranges of a field value.
struct ListMembers {
    /// The members without whitespace around them. Empty members are left out.
    var ranges: [Range<Int>] = []
    /// A quote is where the grammar allows none, or is never closed.
    var isMalformed = false

    /// Splits at every comma outside a quoted string. A quoted string begins only right behind a member's name and `=`.
    /// In it a backslash quotes the next byte (section 5.6.4). An unclosed one reaches to the end. `directives` as in
    /// `nameEnd`.
    init(of bytes: [UInt8], directives: Set<String> = []) {
        var start = 0
        // The end of the member's name. Looked for once: a search at each quote would take quadratic time.
        var name: Int?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x2C {
                append(start..<index, of: bytes)
                start = index + 1
                name = nil
            } else if byte == 0x22 {
                let followsName = name == index - 1 && bytes[index - 1] == 0x3D
                if followsName { index = Self.closingQuote(bytes, after: index) }
                if !followsName || index == bytes.count { isMalformed = true }
            } else if isWhitespace(byte), index == start {
                start = index + 1
            } else if name == nil, byte == 0x3D || isWhitespace(byte) {
                name = nameEnd(bytes, start..<index, directives)
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

/// The end of the name at the start of a member: the first `=` or whitespace, or the member's end. The name of one of
/// `directives` also ends at a semicolon.
func nameEnd(_ bytes: [UInt8], _ member: Range<Int>, _ directives: Set<String>) -> Int {
    var end = member.lowerBound
    while end < member.upperBound, bytes[end] != 0x3D, !isWhitespace(bytes[end]) { end += 1 }
    // No directive's name has 32 bytes.
    guard let semicolon = bytes[member.lowerBound..<min(end, member.lowerBound + 32)].firstIndex(of: 0x3B),
        directives.contains(lowercasedString(bytes, member.lowerBound..<semicolon))
    else { return end }
    return semicolon
}

/// `range` without `OWS` at either end.
func trimWhitespace(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end && isWhitespace(bytes[start]) { start += 1 }
    while start < end && isWhitespace(bytes[end - 1]) { end -= 1 }
    return start..<end
}
