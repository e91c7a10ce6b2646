extension Reference {
    /// `Accept-Language = #( language-range [ OWS ";" OWS "q=" qvalue ] )` (RFC 9110, section 12.5.4), with ranges of any
    /// letters, digits, hyphens and stars.
    public enum AcceptLanguage {
        /// Whether two values ask for the same: the same ranges with the same weights, those of one weight in the same
        /// order. `nil` if neither follows the grammar.
        public static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool? {
            switch (members(one), members(other)) {
            case (let one?, let other?):
                Set((one + other).map(\.weight)).allSatisfy { weight in
                    one.filter { $0.weight == weight }.map(\.range) == other.filter { $0.weight == weight }.map(\.range)
                }
            case (nil, nil): nil
            default: false
            }
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
