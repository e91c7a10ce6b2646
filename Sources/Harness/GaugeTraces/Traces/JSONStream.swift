import GaugeSupport

/// Reads JSON (RFC 8259) from a trace value by value, for documents of any length: the text is never held as a whole.
///
/// The caller asks for the values that it expects; all others are skipped, and their syntax is checked. Nesting depth
/// and the lengths of kept values are bounded. Time is linear in the text.
package struct JSONStream {
    /// The deepest nesting that is read.
    package static let deepest = 64

    package let input: TraceInput
    /// The number of open brackets, and which of them are of objects: a bit each, the lowest for the innermost.
    private var depth = 0
    private var objects: UInt64 = 0
    /// Whether the innermost bracket has no member or element yet, so that no comma is expected.
    private var isFirst = true

    package init(_ input: TraceInput) { self.input = input }

    /// The kind of value that begins at the next byte that is not whitespace.
    package enum Kind { case object, array, string, number, word, other, end }

    /// The kind of the next value, without consuming it.
    package mutating func kind() throws(TraceError) -> Kind {
        try skipWhitespace()
        guard let byte = try input.peekByte() else { return .end }
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), 0x30...0x39: return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .word
        default: return .other
        }
    }

    /// Enters an object; ``nextMember()`` then reads its members.
    package mutating func beginObject() throws(TraceError) { try begin(UInt8(ascii: "{"), isObject: true) }

    /// Enters an array; ``nextElement()`` then reads its elements.
    package mutating func beginArray() throws(TraceError) { try begin(UInt8(ascii: "["), isObject: false) }

    private mutating func begin(_ bracket: UInt8, isObject: Bool) throws(TraceError) {
        try expect(bracket)
        guard depth < Self.deepest else {
            throw fault("nested more than \(Self.deepest) deep; an HTTP archive is nested 8 deep")
        }
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        isFirst = true
    }

    /// The name of the next member of the innermost object; its value comes next. `nil` at the object's end, which is
    /// consumed.
    ///
    /// - Parameter limit: the number of bytes of the name that are kept; the rest is skipped.
    package mutating func nextMember(limit: Int = 256) throws(TraceError) -> String? {
        guard try goesOn(to: UInt8(ascii: "}")) else { return nil }
        let name = try string(limit: limit) { name, _ in String(decoding: name, as: UTF8.self) }
        try expect(UInt8(ascii: ":"))
        return name
    }

    /// Whether the innermost array has another element, which comes next. The array's end is consumed.
    package mutating func nextElement() throws(TraceError) -> Bool { try goesOn(to: UInt8(ascii: "]")) }

    private mutating func goesOn(to bracket: UInt8) throws(TraceError) -> Bool {
        try skipWhitespace()
        if try input.peekByte() == bracket {
            input.skipByte()
            depth -= 1
            objects >>= 1
            isFirst = false
            return false
        }
        if !isFirst { try expect(UInt8(ascii: ",")) }
        isFirst = false
        return true
    }

    /// Reads a string and resolves its escapes.
    ///
    /// - Parameter limit: the number of bytes that are kept; the rest is skipped.
    /// - Returns: the bytes in UTF-8, and whether the string was cut.
    package mutating func string(limit: Int) throws(TraceError) -> (bytes: [UInt8], isCut: Bool) {
        try string(limit: limit) { (Array($0), $1) }
    }

    /// Reads a string and converts it without an intermediate copy.
    package mutating func string<Text>(
        limit: Int, _ made: (_ bytes: ArraySlice<UInt8>, _ isCut: Bool) -> Text
    ) throws(TraceError) -> Text {
        try expect(UInt8(ascii: "\""))
        // Nearly all strings are in the buffer and have no escapes.
        if let text = input.buffered(upTo: UInt8(ascii: "\""), while: Self.isPlain) {
            return made(text.prefix(limit), text.count > limit)
        }
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
                input.skipByte()
                keep(try escape())
            case nil: throw fault("the text ends inside a string")
            default: throw fault("a control character in a string")
            }
        }
    }

    /// Whether a byte of a string stands for itself.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Reads a number, with the precision of a `Double`.
    package mutating func number() throws(TraceError) -> Double {
        // Far more digits than any number of a trace has.
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
            if count == 0 { throw reader.fault("a digit is missing in a number") }
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

    /// Skips a value of any kind.
    package mutating func skipValue() throws(TraceError) {
        let outside = depth
        repeat {
            if depth > outside {
                if objects & 1 == 1 {
                    guard try nextMember(limit: 0) != nil else { continue }
                } else {
                    guard try nextElement() else { continue }
                }
            }
            switch try kind() {
            case .object: try beginObject()
            case .array: try beginArray()
            case .string: _ = try string(limit: 0)
            case .number: _ = try numberText(limit: 0)
            case .word: try skipWord()
            case .other: throw fault("no value of JSON begins here")
            case .end: throw fault("the text ends where a value is missing")
            }
        } while depth > outside
    }

    /// Checks that nothing but whitespace is left.
    package mutating func end() throws(TraceError) {
        guard try kind() == .end else { throw fault("text after the end of the JSON") }
    }

    /// An error at the next byte.
    package func fault(_ reason: String) -> TraceError {
        TraceError(input.name, .offset(input.offset), "not JSON: \(reason)", isSkippable: true)
    }

    private mutating func skipWord() throws(TraceError) {
        for word in ["true", "false", "null"] where try input.peekByte() == word.utf8.first {
            for byte in word.utf8 {
                guard try take(byte) else { throw fault("neither true nor false nor null") }
            }
            return
        }
    }

    private mutating func escape() throws(TraceError) -> [UInt8] {
        guard let byte = try input.peekByte() else { throw fault("the text ends inside a string") }
        input.skipByte()
        if let byte = JSONEscape.byte(byte) { return [byte] }
        guard byte == UInt8(ascii: "u") else { throw fault("an unknown escape in a string") }
        return try unicodeEscape()
    }

    /// The character of a `\u` escape, in UTF-8; half a surrogate pair becomes U+FFFD.
    private mutating func unicodeEscape() throws(TraceError) -> [UInt8] {
        let unit = try hexadecimal()
        var scalar = UInt32(unit)
        if UTF16.isLeadSurrogate(unit) {
            // An escape that is not the other half is not consumed.
            let next = try input.peek(6)
            guard next.count == 6, next.starts(with: Array("\\u".utf8)) else { return Array("\u{FFFD}".utf8) }
            var low: UInt16 = 0
            for byte in next.dropFirst(2) {
                guard let digit = Self.hexDigit(byte) else { return Array("\u{FFFD}".utf8) }
                low = low << 4 | UInt16(digit)
            }
            guard UTF16.isTrailSurrogate(low) else { return Array("\u{FFFD}".utf8) }
            input.skip(6)
            scalar = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
        }
        return Array(String(Unicode.Scalar(scalar).map(Character.init) ?? "\u{FFFD}").utf8)
    }

    private mutating func hexadecimal() throws(TraceError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = try input.peekByte().flatMap(Self.hexDigit) else {
                throw fault("\\u without four hexadecimal digits")
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

    private func skipWhitespace() throws(TraceError) {
        while let byte = try input.peekByte(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            input.skipByte()
        }
    }

    private func take(_ byte: UInt8) throws(TraceError) -> Bool {
        guard try input.peekByte() == byte else { return false }
        input.skipByte()
        return true
    }

    private func expect(_ byte: UInt8) throws(TraceError) {
        try skipWhitespace()
        guard let found = try input.peekByte() else {
            throw fault("the text ends where \(Unicode.Scalar(byte)) is missing")
        }
        guard found == byte else { throw fault("\(Unicode.Scalar(byte)) is missing") }
        input.skipByte()
    }
}
