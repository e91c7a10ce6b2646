extension Reference {
    /// `Vary = #( "*" / field-name )` (RFC 9110, section 12.5.5).
    public enum Vary: Equatable, Sendable {
        /// One of the members is `*`.
        case any
        /// A member is neither `*` nor a field name: the fields that select the response are unknown.
        case invalid
        /// The names in lower case, in order, with repetitions.
        case names([String])

        /// Whether there are only field names, or no members.
        public var isReadable: Bool {
            if case .names = self { true } else { false }
        }

        /// Reads a field value.
        public static func parse(_ bytes: [UInt8]) -> Vary {
            var names: [String] = []
            var isValid = true
            var start = 0
            var index = 0
            while index <= bytes.count {
                if index == bytes.count || bytes[index] == 0x2C {
                    let member = trimWhitespace(start..<index, of: bytes)
                    start = index + 1
                    var reader = Reader(bytes, member)
                    if member.count == 1 && reader.peek == 0x2A { return .any }
                    if reader.readToken() != nil, reader.isAtEnd {
                        names.append(lowercasedString(bytes, member))
                    } else if !member.isEmpty {
                        isValid = false
                    }
                }
                index += 1
            }
            return isValid ? .names(names) : .invalid
        }
    }
}
