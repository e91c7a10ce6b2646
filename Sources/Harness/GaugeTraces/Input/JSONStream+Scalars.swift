// Texts, numbers and words of a JSON document (RFC 8259, sections 3, 6 and 7).
extension JSONStream {
    /// Reads a string and resolves its escapes.
    ///
    /// - Parameter limit: the number of bytes that are kept; the rest is skipped.
    /// - Returns: the bytes in UTF-8, and whether the string was cut.
    package mutating func string(limit: Int) throws(TraceError) -> (bytes: [UInt8], isCut: Bool) {
        try string(limit: limit) { (Array($0), $1) }
    }

    /// Reads a string and converts it without a copy in between.
    package mutating func string<Text>(
        limit: Int, _ made: (_ bytes: ArraySlice<UInt8>, _ isCut: Bool) -> Text
    ) throws(TraceError) -> Text {
        try expect(UInt8(ascii: "\""))
        // Nearly all strings lie in the buffer and have no escapes.
        if let text = input.buffered(upTo: UInt8(ascii: "\""), while: Self.isPlain) {
            return made(text.prefix(limit), text.count > limit)
        }
        let start = input.offset - 1
        var text: [UInt8] = []
        text.reserveCapacity(min(limit, 24))
        var isCut = false
        func keep(_ bytes: some Collection<UInt8>) {
            if isCut || text.count + bytes.count > limit {
                if !isCut, text.count < limit { text.append(contentsOf: bytes.prefix(limit - text.count)) }
                isCut = true
            } else {
                text.append(contentsOf: bytes)
            }
        }
        while true {
            try input.skip(while: Self.isPlain) { keep($0) }
            switch try input.peekByte() {
            case UInt8(ascii: "\""):
                input.skipByte()
                return made(text[...], isCut)
            case UInt8(ascii: "\\"):
                keep(try escape())
            case nil: throw fault("this text has no closing '\"'", at: start)
            default: throw fault("a control character in a text; write it as \\n or \\u000a")
            }
        }
    }

    /// Whether a byte of a string stands for itself.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Reads a number with the precision of a `Double`.
    package mutating func number() throws(TraceError) -> Double {
        // Far more digits than any number in a trace.
        Double(String(decoding: try numberText(limit: 400), as: UTF8.self)) ?? .infinity
    }

    /// A number's text.
    ///
    /// - Parameter limit: about how many bytes are kept; 0 keeps none.
    mutating func numberText(limit: Int) throws(TraceError) -> [UInt8] {
        _ = try kind()
        var text: [UInt8] = []
        text.reserveCapacity(min(limit, 24))
        func digits(_ reader: borrowing JSONStream) throws(TraceError) {
            var count = 0
            try reader.input.skip(while: { $0 >= 0x30 && $0 <= 0x39 }) { piece in
                count += piece.count
                text.append(contentsOf: piece.prefix(max(0, limit - text.count)))
            }
            if count == 0 { throw reader.fault("a digit is expected here") }
        }
        func skip(_ byte: UInt8, _ reader: borrowing JSONStream) {
            reader.input.skipByte()
            if limit > 0 { text.append(byte) }
        }
        if try input.peekByte() == UInt8(ascii: "-") { skip(UInt8(ascii: "-"), self) }
        if try input.peekByte() == UInt8(ascii: "0") { skip(UInt8(ascii: "0"), self) } else { try digits(self) }
        if try input.peekByte() == UInt8(ascii: ".") {
            skip(UInt8(ascii: "."), self)
            try digits(self)
        }
        if let byte = try input.peekByte(), byte | 0x20 == UInt8(ascii: "e") {
            skip(byte, self)
            if let sign = try input.peekByte(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                skip(sign, self)
            }
            try digits(self)
        }
        return text
    }

    /// Reads `true`, `false` or `null`.
    package mutating func word() throws(TraceError) -> String {
        let start = input.offset
        let word =
            switch try input.peekByte() {
            case UInt8(ascii: "t"): "true"
            case UInt8(ascii: "f"): "false"
            default: "null"
            }
        for byte in word.utf8 {
            guard try take(byte) else { throw fault("'\(word)' is expected here", at: start) }
        }
        return word
    }

    private mutating func escape() throws(TraceError) -> [UInt8] {
        input.skipByte()
        guard let byte = try input.peekByte() else { throw fault("the document ends within an escape") }
        input.skipByte()
        if let byte = Self.escapedByte(byte) { return [byte] }
        guard byte == UInt8(ascii: "u") else {
            throw fault("this escape is unknown; a backslash itself is written \\\\", at: input.offset - 2)
        }
        if let scalar = try unicodeEscape() { return Array(String(Character(scalar)).utf8) }
        guard !refusesHalfPairs else { throw fault("half a surrogate pair", at: input.offset - 6) }
        return Array("\u{FFFD}".utf8)
    }

    /// The character of a `\u` escape; `nil` for half a surrogate pair. If the next escape isn't the other half, it
    /// isn't consumed.
    private mutating func unicodeEscape() throws(TraceError) -> Unicode.Scalar? {
        let unit = try hexadecimal()
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        let next = try input.peek(6)
        guard next.count == 6, next.starts(with: Array("\\u".utf8)) else { return nil }
        var low: UInt16 = 0
        for byte in next.dropFirst(2) {
            guard let digit = Self.hexDigit(byte) else { return nil }
            low = low << 4 | UInt16(digit)
        }
        guard UTF16.isTrailSurrogate(low) else { return nil }
        input.skip(6)
        return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    }

    private mutating func hexadecimal() throws(TraceError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = try input.peekByte().flatMap(Self.hexDigit) else {
                throw fault("\\u takes four hexadecimal digits")
            }
            input.skipByte()
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// The byte for the letter after a backslash; `nil` for `u` and for an unknown escape.
    private static func escapedByte(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}
