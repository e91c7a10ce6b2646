extension JSONReader {
    /// A number by the grammar of RFC 8259, section 6; one too large for a `Double` is an error.
    package mutating func number() throws(JSONError) -> Double {
        let (start, startPlace) = (position, place)
        _ = takeIf("-")
        if !takeIf("0") { try digits() }
        if takeIf(".") { try digits() }
        if takeIf("e") || takeIf("E") {
            if !takeIf("+") { _ = takeIf("-") }
            try digits()
        }
        let written = bytes[start..<position]
        guard written.count <= Self.longestNumber else {
            throw JSONError(place: startPlace, reason: "a number is longer than \(Self.longestNumber) bytes")
        }
        let text = String(decoding: written, as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw JSONError(place: startPlace, reason: "\(text) is too large; write a number that a Double can hold")
        }
        return number
    }

    private mutating func digits() throws(JSONError) {
        guard let first = peek(), isDigit(first) else { throw error("a digit is expected here") }
        while let byte = peek(), isDigit(byte) { advance() }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// A quoted text (RFC 8259, section 7). It has to be valid UTF-8, with surrogates in pairs.
    package mutating func text() throws(JSONError) -> String {
        let startPlace = place
        advance()
        var content: [UInt8] = []
        while true {
            guard let byte = peek() else {
                throw JSONError(place: startPlace, reason: "this text has no closing '\"'")
            }
            guard byte >= 0x20 else { throw error("a control character in a text; write it as \\n or \\u000a") }
            guard content.count <= Self.longestText else {
                throw JSONError(place: startPlace, reason: "a text is longer than \(Self.longestText) bytes")
            }
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                content += try escaped()
            } else {
                content.append(byte)
                advance()
            }
        }
        advance()
        guard let text = String(validating: content, as: UTF8.self) else {
            throw JSONError(place: startPlace, reason: "this text is not UTF-8")
        }
        return text
    }

    private mutating func escaped() throws(JSONError) -> [UInt8] {
        let start = place
        advance()
        guard let byte = peek() else { throw error("the document ends within an escape") }
        advance()
        if let byte = JSONEscape.byte(byte) { return [byte] }
        guard byte == UInt8(ascii: "u") else {
            throw JSONError(place: start, reason: "this escape is unknown; a backslash itself is written \\\\")
        }
        var code = try fourDigits()
        if code >= 0xD800, code < 0xDC00, takeIf("\\") {
            guard takeIf("u") else { throw JSONError(place: start, reason: "half a surrogate pair") }
            let low = try fourDigits()
            guard low >= 0xDC00, low < 0xE000 else { throw JSONError(place: start, reason: "half a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw JSONError(place: start, reason: "half a surrogate pair") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error("\\u takes four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            advance()
        }
        return code
    }
}
