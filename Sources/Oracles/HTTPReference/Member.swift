/// One member of a list of `token [ "=" ( token / quoted-string ) ]`, as in Cache-Control and Pragma.
struct Member {
    enum Argument: Equatable {
        /// Nothing follows the name.
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

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        let end = nameEnd(bytes, range)
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

    /// Where a list of field names stands, as a token or between quotes; `nil` without one.
    var fieldList: Range<Int>? {
        switch argument {
        case .none, .unreadable: nil
        case .token(let range), .quoted(let range): range.isEmpty ? nil : range
        }
    }

    /// The argument with the quotes off and each quoted pair replaced by its second byte; empty without an
    /// argument that can be read.
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

/// The bytes of `range` as text with ASCII letters in lower case. Bytes that are not UTF-8 become U+FFFD, which occurs
/// in no name of a directive or field.
func lowercasedString(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: bytes[range].map(lowercase), as: UTF8.self)
}
