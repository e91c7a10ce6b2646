extension Reference {
    /// `Age = delta-seconds` (RFC 9111, section 5.1): the first non-empty member of the list, at most 2^31; `nil` if it
    /// is not a number, and the field must be ignored.
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
        CacheControl(parsing: bytes).has("no-cache")
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

extension Reference {
    /// `Vary = #( "*" / field-name )` (RFC 9110, section 12.5.5).
    public enum Vary: Equatable, Sendable {
        /// One of the members is `*`.
        case any
        /// A member is neither `*` nor a field name, so we don't know which fields select the response.
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

extension Reference {
    /// `Accept-Language = #( language-range [ OWS ";" OWS "q=" qvalue ] )` (RFC 9110, section 12.5.4), with ranges of
    /// any letters, digits, hyphens and stars.
    public enum AcceptLanguage {
        /// Whether two values ask for the same: equal ranges with equal weights, and those of one weight in the same
        /// order. `nil` if neither follows the grammar.
        public static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool? {
            switch (members(one), members(other)) {
            case (let one?, let other?): ranges(one) == ranges(other)
            case (nil, nil): nil
            default: false
            }
        }

        /// The ranges of each weight, in order.
        private static func ranges(_ members: [(range: String, weight: Int)]) -> [Int: [String]] {
            Dictionary(grouping: members, by: \.weight).mapValues { $0.map(\.range) }
        }

        private static func members(_ bytes: [UInt8]) -> [(range: String, weight: Int)]? {
            var members: [(range: String, weight: Int)] = []
            for place in bytes.split(separator: 0x2C, omittingEmptySubsequences: false).map(\.indices) {
                let place = trimWhitespace(place, of: bytes)
                guard !place.isEmpty else { continue }
                var reader = Reader(bytes, place)
                while isRangeByte(reader.peek) { reader.position += 1 }
                let range = place.lowerBound..<reader.position
                guard !range.isEmpty, let weight = weight(&reader), reader.isAtEnd else { return nil }
                members.append((lowercasedString(bytes, range), weight))
            }
            return members
        }

        /// In thousandths; 1000 without one.
        private static func weight(_ reader: inout Reader) -> Int? {
            reader.skipWhitespace()
            guard !reader.isAtEnd else { return 1000 }
            guard reader.read(0x3B) else { return nil }
            reader.skipWhitespace()
            guard reader.read(word: Array("q=".utf8)), let whole = reader.readDigits(1), whole < 2 else { return nil }
            guard reader.read(0x2E) else { return whole * 1000 }
            var thousandths = whole * 1000
            for unit in [100, 10, 1] { thousandths += (reader.readDigits(1) ?? 0) * unit }
            return thousandths <= 1000 ? thousandths : nil
        }

        private static func isRangeByte(_ byte: UInt8) -> Bool {
            isDigit(byte) || 0x61...0x7A ~= lowercase(byte) || byte == 0x2D || byte == 0x2A
        }
    }
}
