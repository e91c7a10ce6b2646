/// Brings an `Accept-Language` value to one spelling for all that have the same meaning (RFC 9111, section 4.1; RFC 9110,
/// section 12.5.4).
enum AcceptLanguage {
    /// Appends the value with its languages in lower case, weights as thousandths, and the members ordered by falling
    /// weight; members of equal weight keep their order.
    ///
    /// - Returns: `false`, and nothing is appended, if the value does not follow the grammar.
    static func append(_ value: String, to result: inout [UInt8]) -> Bool {
        withFieldBytes(of: value) { bytes in
            var members: [(language: [UInt8], weight: Int)] = []
            var place = 0
            while let range = nextListMember(bytes, from: &place) {
                guard let member = member(bytes, range) else { return false }
                members.append(member)
            }
            let byWeight = members.enumerated().sorted {
                ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
            }
            for (_, member) in byWeight {
                result += member.language
                result.append(UInt8(ascii: ";"))
                result += Array(String(member.weight).utf8)
                result.append(UInt8(ascii: ","))
            }
            return true
        }
    }

    /// `language-range [ OWS ";" OWS "q=" qvalue ]`
    private static func member(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> ([UInt8], Int)? {
        let semicolon = bytes[range].firstIndex(of: UInt8(ascii: ";"))
        let language = trimmed(bytes, range.lowerBound..<(semicolon ?? range.upperBound))
        guard !language.isEmpty, language.allSatisfy({ isLanguageByte(bytes[$0]) }) else { return nil }
        let lowered = language.map { isLetter(bytes[$0]) ? bytes[$0] | 0x20 : bytes[$0] }
        guard let semicolon else { return (lowered, 1000) }
        return weight(bytes, trimmed(bytes, semicolon + 1..<range.upperBound)).map { (lowered, $0) }
    }

    /// `"q=" ( ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] ) )` in thousandths.
    private static func weight(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        let text = bytes[range]
        guard (3...7).contains(range.count), text[range.lowerBound] | 0x20 == UInt8(ascii: "q"),
            text[range.lowerBound + 1] == UInt8(ascii: "="),
            let whole = digit(text[range.lowerBound + 2]), whole <= 1
        else { return nil }
        var weight = whole * 1000
        guard range.count > 3 else { return weight }
        guard text[range.lowerBound + 3] == UInt8(ascii: ".") else { return nil }
        var unit = 100
        for place in range.lowerBound + 4..<range.upperBound {
            guard let digit = digit(text[place]) else { return nil }
            weight += digit * unit
            unit /= 10
        }
        return weight <= 1000 ? weight : nil
    }

    private static func digit(_ byte: UInt8) -> Int? { byte &- 0x30 <= 9 ? Int(byte &- 0x30) : nil }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    private static func isLanguageByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || digit(byte) != nil || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "*")
    }
}
