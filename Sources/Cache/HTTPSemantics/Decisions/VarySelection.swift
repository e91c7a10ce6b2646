/// The request fields that selected a response, as `Vary` names them (RFC 9111, section 4.1).
package struct VarySelection: Equatable, Sendable {
    /// The names in lower case, once each, sorted by bytes, so two spellings of one list are equal. Empty when nothing
    /// matches.
    package let names: [String]
    /// `Vary` contains `*`, something that is not a name, or too many: the response matches no request.
    package let matchesNothing: Bool

    /// The selection of a response.
    ///
    /// - Parameters:
    ///   - vary: the value of `Vary`, its lines joined; `nil` without one.
    ///   - extra: names an application adds for a server that does not send them.
    package init(_ vary: String?, also extra: [String] = []) {
        var names = extra.map { AsciiCase.lowered($0) }
        matchesNothing = withFieldBytes(of: vary ?? "") { bytes in
            var places = VaryNames()
            while let place = places.next(in: bytes) {
                names.append(AsciiCase.lowered(String(decoding: place.slice(of: bytes), as: UTF8.self)))
            }
            return places.isAnything
        }
        self.names = matchesNothing ? [] : Self.sortedOnce(names)
    }

    private static func sortedOnce(_ names: [String]) -> [String] {
        guard names.count > 1 else { return names }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: []) { sorted, name in
            if sorted.last != name { sorted.append(name) }
        }
    }

    /// No field selects: the one stored response answers every request.
    package var isEmpty: Bool { names.isEmpty && !matchesNothing }

    /// The bytes that identify this request's variant: equal for two requests exactly when the named fields match.
    /// `nil` when nothing matches, empty when nothing selects.
    ///
    /// Two values match if they differ only in whitespace around commas, in the length of other unquoted whitespace, or
    /// in how they are split over lines. An absent field matches only an absent one. In `Accept-Language`, case and the
    /// order of members with different weights do not matter either.
    package func variantKey(of request: HTTPFields) -> [UInt8]? {
        guard !matchesNothing else { return nil }
        var key: [UInt8] = []
        if names.isEmpty { return key }
        key.reserveCapacity(64 * names.count)
        for name in names {
            Self.appendPart(to: &key) { $0.append(contentsOf: name.utf8) }
            let value = request[HTTPFields.Name(name)]
            if let value { Self.appendPart(to: &key) { Self.append(value, of: name, to: &$0) } }
            key.append(value == nil ? 0 : 1)
        }
        return key
    }

    /// Normalised values and those not understood begin with different bytes, so they never match.
    private static func append(_ value: String, of name: String, to key: inout [UInt8]) {
        guard name == "accept-language" else { return WhitespaceNormalisation.append(value, to: &key) }
        key.append(1)
        guard !AcceptLanguage.append(value, to: &key) else { return }
        key[key.count - 1] = 0
        WhitespaceNormalisation.append(value, to: &key)
    }

    /// Appends a part and its length. Read from the end, a key divides into its parts in only one way, so different
    /// lists of parts have different keys.
    private static func appendPart(to key: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        let start = key.count
        write(&key)
        withUnsafeBytes(of: UInt64(key.count - start).littleEndian) { key.append(contentsOf: $0) }
    }
}

/// Gives all `Accept-Language` values with the same meaning one spelling (RFC 9111, section 4.1; RFC 9110, section
/// 12.5.4).
enum AcceptLanguage {
    /// Appends the value: languages in lower case, weights as thousandths, members by falling weight. Members of equal
    /// weight keep their order.
    ///
    /// - Returns: `false`, with nothing appended, if the value does not follow the grammar.
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

/// Gives all field values that differ only in optional whitespace one spelling.
enum WhitespaceNormalisation {
    /// Appends the value without whitespace at the ends and around commas, with one space for every other run of it,
    /// and quoted text as it is. Linear in the length.
    static func append(_ value: String, to result: inout [UInt8]) {
        withFieldBytes(of: value) { append($0, to: &result) }
    }

    private static func append(_ value: UnsafeRawBufferPointer, to result: inout [UInt8]) {
        let comma = UInt8(ascii: ",")
        var isQuoted = false
        var isEscaped = false
        var hasSpaceBefore = false
        // The start counts like a comma: no space is kept after it.
        var last = comma
        for byte in value {
            if isQuoted {
                isQuoted = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if isWhitespace(byte) {
                hasSpaceBefore = true
                continue
            } else {
                if hasSpaceBefore, byte != comma, last != comma { result.append(0x20) }
                hasSpaceBefore = false
                isQuoted = byte == UInt8(ascii: "\"")
            }
            result.append(byte)
            last = byte
        }
    }
}
